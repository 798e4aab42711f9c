import { createContext, useContext } from "react";
import type { Answer, Endpoint, Given } from "../api/client";
import type { Catalog, Endpoints, Session } from "../api/types";

/** Endpoints below one session. */
export type Own = Extract<Endpoint, `${string}/sessions/{session}${string}`>;

/** What an own endpoint takes besides the session. */
export type OwnGiven<E extends Own> = (keyof Omit<Endpoints[E]["path"], "session"> extends never
  ? unknown
  : { path: Omit<Endpoints[E]["path"], "session"> }) &
  Omit<Given<E>, "path">;

export interface Studio {
  session: Session;
  catalog: Catalog;
  /** Asks this session something. */
  ask: <E extends Own>(endpoint: E, given: OwnGiven<E>, signal?: AbortSignal) => Promise<Answer<E>>;
  /** The address of a file of this session, for a link. */
  link: <E extends Own>(endpoint: E, given: OwnGiven<E>) => string;
  /** Changes the session and shows what came of it; a refusal is shown as a message. True if it went well. */
  change: <E extends Own>(endpoint: E, given: OwnGiven<E>) => Promise<boolean>;
  refresh: () => Promise<void>;
}

export const StudioContext = createContext<Studio | null>(null);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error("useStudio is only for what stands inside a session");
  return studio;
}
