import type { Session, TableFacts } from "../api/types";
import { type Loaded, useLoaded } from "../api/useLoaded";
import { useStudio } from "./context";

/** Changes whenever the data is read anew. */
export function sourceKey(session: Session): string {
  return `${session.id} ${JSON.stringify(session.document.source)}`;
}

/** Facts of the columns as the file is read now. */
export function useTable(): Loaded<TableFacts> {
  const { session, ask } = useStudio();
  return useLoaded(session.document.source ? sourceKey(session) : null, (signal) => ask("GET /api/sessions/{session}/table", {}, signal));
}
