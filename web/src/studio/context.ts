import { createContext, useContext } from "react";
import type { Answer, Endpoint, Input, PathPart } from "../api/client";
import type { Catalog, Endpoints, MeasureFacts, Session } from "../api/types";

/** Endpoints of one session. */
export type SessionEndpoint = Extract<Endpoint, `${string}/sessions/{session}${string}`>;

/** What such an endpoint takes besides the session. */
export type SessionRequest<E extends SessionEndpoint> = Input<E> &
  ([Exclude<PathPart<E>, "session">] extends [never] ? unknown : { path: Record<Exclude<PathPart<E>, "session">, string> });

/** Endpoints that change the session: they return it, or the run that they are about. */
export type Change = {
  [E in SessionEndpoint]: E extends `GET ${string}` ? never : Endpoints[E]["answer"] extends { id: string } ? E : never;
}[SessionEndpoint];

export interface Studio {
  session: Session;
  catalog: Catalog;
  /** Send a request of this session. */
  ask: <E extends SessionEndpoint>(endpoint: E, request: SessionRequest<E>, signal?: AbortSignal) => Promise<Answer<E>>;
  /** The URL of a file of this session. */
  link: <E extends SessionEndpoint>(endpoint: E, request: SessionRequest<E>) => string;
  /** Change the session and show the result, or a message if it is refused. Resolves to whether it succeeded. */
  change: <E extends Change>(endpoint: E, request: SessionRequest<E>) => Promise<boolean>;
  /** Fetch the session: after a job that changed it. */
  refresh: () => Promise<void>;
  measure: (name: string | undefined) => MeasureFacts | undefined;
  /** What people read instead of the name of a measure. */
  titleOf: (name: string) => string;
  /** What people read instead of the kind of a method, which may be followed by its settings. */
  methodTitle: (label: string) => string;
  /** What people read instead of the name of a guard, an attack or a weakness. */
  wordsOf: (name: string) => string;
}

export const StudioContext = createContext<Studio | null>(null);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error("useStudio needs a StudioProvider around it");
  return studio;
}
