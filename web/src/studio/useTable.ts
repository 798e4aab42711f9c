import type { Session, TableFacts } from "../api/types";
import type { Loaded } from "../api/useLoaded";
import { useStudio } from "./context";
import { useAnswer } from "./useAnswer";

/** Changes whenever the data is read again. */
export function sourceKey(session: Session): string {
  return JSON.stringify(session.document.source);
}

/** The profile of the columns. */
export function useTable(): Loaded<TableFacts> {
  const { session } = useStudio();
  return useAnswer("GET /api/sessions/{session}/table", session.document.source && {}, sourceKey(session));
}
