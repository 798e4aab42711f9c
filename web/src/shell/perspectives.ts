import { type ComponentType, lazy, type LazyExoticComponent } from "react";

export interface PerspectiveSpec {
  id: string;
  label: string;
  /** Not in the navigation, but linked from another perspective. */
  hidden?: boolean;
  view: LazyExoticComponent<ComponentType>;
}

/** The steps from a file to a release. Each is loaded when it is first opened. */
export const PERSPECTIVES: readonly PerspectiveSpec[] = [
  { id: "open", label: "Open", view: lazy(() => import("../perspectives/Open")) },
  { id: "describe", label: "Describe", view: lazy(() => import("../perspectives/Describe")) },
  { id: "promise", label: "Promise", view: lazy(() => import("../perspectives/Promise")) },
  { id: "search", label: "Search", view: lazy(() => import("../perspectives/Search")) },
  { id: "explore", label: "Explore", view: lazy(() => import("../perspectives/Explore")) },
  { id: "steer", label: "Steer", view: lazy(() => import("../perspectives/Steer")) },
  { id: "compare", label: "Compare", hidden: true, view: lazy(() => import("../perspectives/Compare")) },
  { id: "inspect", label: "Inspect", view: lazy(() => import("../perspectives/Inspect")) },
  { id: "release", label: "Release", view: lazy(() => import("../perspectives/Release")) },
];
