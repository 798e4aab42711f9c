import { useMemo, useState } from "react";
import type { RunHead } from "../../api/types";
import { CandidateTable } from "../../candidates/CandidateTable";
import { useCandidates } from "../../candidates/useCandidates";
import { Button } from "../../components";
import { useStudio } from "../../studio";
import { RunCard } from "./RunCard";

/** Every run, newest first, one of them with its candidates. */
export function Runs({ runs }: { runs: RunHead[] }) {
  const [shown, setShown] = useState<string | null>(null);
  const open = shown ?? runs.at(-1)?.id ?? null;
  return (
    <ul>
      {runs.toReversed().map((run) => (
        <li key={run.id} className="run">
          <RunCard run={run}>
            {run.found > 0 && (
              <Button
                size="s"
                aria-expanded={run.id === open}
                onPress={() => setShown(run.id === open ? "" : run.id)}
                label={run.id === open ? "Hide candidates" : "Show candidates"}
              />
            )}
          </RunCard>
          {run.id === open && run.found > 0 && <RunCandidates run={run} />}
        </li>
      ))}
    </ul>
  );
}

/** The candidates of a run as they are found, best first. Enter or a click chooses the one to publish. */
function RunCandidates({ run }: { run: RunHead }) {
  const { session, change, measure } = useStudio();
  const { columns } = useCandidates(run.id);
  const { choose, chosen } = session.document;
  const positions = useMemo(() => columns?.id.map((_, position) => position) ?? [], [columns]);
  if (!columns) return null;
  return (
    <CandidateTable
      label={`Candidates of ${run.name || run.id}`}
      columns={columns}
      positions={positions}
      maxRows={8}
      initialSort={{ column: `measure ${choose}`, descending: measure(choose)?.better === "higher" }}
      selected={new Set(chosen === null ? [] : [chosen])}
      onSelect={(candidate) => void change("PUT /api/sessions/{session}/chosen", { body: { candidate } })}
    />
  );
}
