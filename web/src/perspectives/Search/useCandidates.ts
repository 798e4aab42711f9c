import { useEffect, useRef, useState } from "react";
import type { CandidateColumns, RunHead } from "../../api/types";
import { useStudio } from "../../studio/context";

/** What is shown of a candidate in a list. */
export interface Candidate {
  id: string;
  method: string;
  measures: Record<string, number | null>;
}

function listed(columns: CandidateColumns): Candidate[] {
  const names = Object.keys(columns.measures);
  return columns.id.map((id, i) => ({
    id,
    method: columns.methods[columns.method[i] ?? 0] ?? "",
    measures: Object.fromEntries(names.map((name) => [name, columns.measures[name]?.[i] ?? null])),
  }));
}

/** The candidates of a run: those that were found since the last look are added. */
export function useCandidates(run: RunHead): Candidate[] {
  const { ask } = useStudio();
  const [candidates, setCandidates] = useState<Candidate[]>([]);
  const known = useRef(0);
  const asker = useRef(ask);
  asker.current = ask;

  useEffect(() => {
    known.current = 0;
    setCandidates([]);
  }, [run.id]);

  useEffect(() => {
    const stop = new AbortController();
    // a run that has ended may have put its candidates in order: take all of them once more
    const since = run.state === "running" ? known.current : 0;
    asker.current("GET /api/sessions/{session}/runs/{run}", { path: { run: run.id }, query: { since } }, stop.signal).then(
      (view) => {
        const more = listed(view.candidates);
        setCandidates((before) => {
          const all = [...before.slice(0, view.since), ...more];
          known.current = all.length;
          return all;
        });
      },
      () => undefined, // the session's own polling says what is wrong
    );
    return () => stop.abort();
  }, [run.id, run.found, run.state]);

  return candidates;
}
