import type { HierarchyView } from "../../../api/types";
import { type Loaded, useLoaded } from "../../../api/useLoaded";
import { useStudio } from "../../../studio/context";
import { sourceKey } from "../../../studio/useTable";

/** The hierarchy of a column as it is set now. */
export function useHierarchy(column: string): Loaded<HierarchyView> {
  const { session, ask } = useStudio();
  const spec = JSON.stringify(session.document.hierarchies[column] ?? null);
  return useLoaded(`${sourceKey(session)} ${column} ${spec}`, (signal) =>
    ask("GET /api/sessions/{session}/hierarchy", { query: { column } }, signal),
  );
}
