// Long work on the server: started, watched, and its answer.
import { useCallback, useEffect, useRef, useState } from "react";
import { sentence } from "../api/client";
import type { JobView } from "../api/types";
import { useStudio } from "../studio/context";

const SOON = 80;
const LATEST = 1000;

export interface Job<T> {
  view: JobView | null;
  answer: T | null;
  error: string | null;
  running: boolean;
  /** `begin` asks the server to start it. */
  start: (begin: () => Promise<JobView>) => void;
  cancel: () => void;
}

export function useJob<T>(onDone?: (answer: T) => void): Job<T> {
  const { ask } = useStudio();
  const [view, setView] = useState<JobView | null>(null);
  const [error, setError] = useState<string | null>(null);
  const turn = useRef(0);
  const latest = useRef({ ask, onDone });
  latest.current = { ask, onDone };
  useEffect(() => () => void turn.current++, []);

  const start = useCallback((begin: () => Promise<JobView>) => {
    const own = ++turn.current;
    setError(null);
    const watch = async (): Promise<void> => {
      let job = await begin();
      for (let wait = SOON; turn.current === own; wait = Math.min(LATEST, wait * 1.5)) {
        setView(job);
        if (job.state !== "running") break;
        await new Promise((resume) => setTimeout(resume, wait));
        job = await latest.current.ask("GET /api/sessions/{session}/jobs/{job}", { path: { job: job.id } });
      }
      if (turn.current !== own) return;
      if (job.state === "done") latest.current.onDone?.(job.answer as T);
      else setError(job.error ?? `It was ${job.state}.`);
    };
    watch().catch((problem: unknown) => turn.current === own && setError(sentence(problem)));
  }, []);
  const cancel = useCallback(() => {
    if (view) void latest.current.ask("POST /api/sessions/{session}/jobs/{job}/cancel", { path: { job: view.id } });
  }, [view]);

  return {
    view,
    error,
    start,
    cancel,
    running: view?.state === "running",
    answer: view?.state === "done" ? (view.answer as T) : null,
  };
}
