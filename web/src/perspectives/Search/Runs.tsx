import { useState } from "react";
import type { RunHead } from "../../api/types";
import { Button } from "../../components/Button";
import { RunCandidates } from "./RunCandidates";
import { RunCard } from "./RunCard";

/** Every run, the newest first; the candidates of one are listed below it. */
export function Runs({ runs }: { runs: RunHead[] }) {
  const newest = [...runs].reverse();
  const [shown, setShown] = useState<string | null>(null);
  const open = shown ?? newest[0]?.id ?? null;
  return (
    <ul>
      {newest.map((run) => (
        <li key={run.id} className="run">
          <RunCard run={run}>
            {run.found > 0 && (
              <Button size="s" aria-expanded={run.id === open} onPress={() => setShown(run.id === open ? "" : run.id)}>
                {run.id === open ? "Hide candidates" : "Show candidates"}
              </Button>
            )}
          </RunCard>
          {run.id === open && run.found > 0 && <RunCandidates run={run} />}
        </li>
      ))}
    </ul>
  );
}
