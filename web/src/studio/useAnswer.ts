import type { Answer } from "../api/client";
import { type Loaded, useLoaded } from "../api/useLoaded";
import { type SessionEndpoint, type SessionRequest, useStudio } from "./context";

/** The answer to a request of this session (null: none), requested again whenever it or `dependsOn` changes. */
export function useAnswer<E extends SessionEndpoint>(endpoint: E, request: SessionRequest<E> | null, dependsOn = ""): Loaded<Answer<E>> {
  const { session, ask } = useStudio();
  const key = request && `${session.id} ${endpoint} ${JSON.stringify(request)} ${dependsOn}`;
  return useLoaded(key, (signal) => ask(endpoint, request!, signal));
}
