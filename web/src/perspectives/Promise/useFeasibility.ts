import type { Feasibility, Spec } from "../../api/types";
import { useDebounced } from "../../api/useDebounced";
import { useLoaded } from "../../api/useLoaded";
import { useStudio } from "../../studio/context";
import { sourceKey } from "../../studio/useTable";

interface Judged {
  feasibility: Feasibility | null;
  error: string | null;
  /** A newer answer is on its way. */
  waiting: boolean;
}

/** What one guard says of the source, asked again whenever the guard or the description changes. */
export function useFeasibility(spec: Spec): Judged {
  const { session, ask } = useStudio();
  const { source, roles, denied, levels } = session.document;
  const now = JSON.stringify(spec);
  const asked = useDebounced(now, 120);
  const judged = useLoaded(source && `${sourceKey(session)} ${JSON.stringify([roles, denied, levels])} ${asked}`, (signal) =>
    ask("POST /api/sessions/{session}/feasibility", { body: { guards: [JSON.parse(asked) as Spec] } }, signal),
  );
  return { feasibility: judged.data?.guards[0] ?? null, error: judged.error, waiting: judged.loading || now !== asked };
}
