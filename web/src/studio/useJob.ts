import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf } from "../api/client";
import type { JobView } from "../api/types";
import { useLatest } from "../api/useLatest";
import { useStudio } from "./context";

const FIRST_WAIT = 80;
const LONGEST_WAIT = 1000;

export interface Job<T> {
  view: JobView<T> | null;
  /** The result, once the job is done. */
  answer: T | null;
  error: string | null;
  running: boolean;
  /** Start a job; `begin` sends the request. An earlier job is no longer watched. */
  start: (begin: () => Promise<JobView<T>>) => void;
  cancel: () => void;
}

/** A background job: started, polled until it ends, cancelled. `onDone` gets its answer. */
export function useJob<T>(onDone?: (answer: T) => void): Job<T> {
  const { ask } = useStudio();
  const [view, setView] = useState<JobView<T> | null>(null);
  const [error, setError] = useState<string | null>(null);
  const turn = useRef(0);
  const latest = useLatest({ ask, onDone });
  useEffect(() => () => void (turn.current += 1), []);

  const start = useCallback(
    (begin: () => Promise<JobView<T>>) => {
      const own = ++turn.current;
      setError(null);
      const watch = async (): Promise<void> => {
        let job = await begin();
        for (let wait = FIRST_WAIT; turn.current === own; wait = Math.min(LONGEST_WAIT, wait * 1.5)) {
          setView(job);
          if (job.state !== "running") break;
          await new Promise((resume) => setTimeout(resume, wait));
          job = (await latest.current.ask("GET /api/sessions/{session}/jobs/{job}", { path: { job: job.id } })) as JobView<T>;
        }
        if (turn.current !== own) return;
        if (job.answer !== null) latest.current.onDone?.(job.answer);
        else if (job.state !== "cancelled") setError(job.error ?? `The job was ${job.state}.`);
      };
      watch().catch((problem: unknown) => turn.current === own && setError(messageOf(problem)));
    },
    [latest],
  );
  const cancel = useCallback(() => {
    if (view) void latest.current.ask("POST /api/sessions/{session}/jobs/{job}/cancel", { path: { job: view.id } });
  }, [latest, view]);
  return { view, error, start, cancel, running: view?.state === "running", answer: view?.answer ?? null };
}
