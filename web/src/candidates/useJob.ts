// Long work on the server: started, watched, and its answer.
import { useCallback, useEffect, useRef, useState } from "react";
import { get, post, sentence } from "../api/client";
import type { JobView } from "../api/types";

const SOON = 120;
const LATEST = 1000;

export interface Job<T> {
  view: JobView | null;
  answer: T | null;
  error: string | null;
  running: boolean;
  start: (path: string, body: unknown) => void;
  cancel: () => void;
}

export function useJob<T>(session: string, onDone?: (answer: T) => void): Job<T> {
  const [view, setView] = useState<JobView | null>(null);
  const [error, setError] = useState<string | null>(null);
  const turn = useRef(0);
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => () => void turn.current++, []);

  const start = useCallback(
    (path: string, body: unknown) => {
      const own = ++turn.current;
      setError(null);
      const watch = async (): Promise<void> => {
        let job = await post<JobView>(`/api/sessions/${session}/${path}`, body);
        for (let wait = SOON; turn.current === own; wait = Math.min(LATEST, wait * 1.5)) {
          setView(job);
          if (job.state !== "running") break;
          await new Promise((resume) => setTimeout(resume, wait));
          job = await get<JobView>(`/api/sessions/${session}/jobs/${job.id}`);
        }
        if (turn.current !== own) return;
        if (job.state === "done") done.current?.(job.answer as T);
        else setError(job.error ?? `It was ${job.state}.`);
      };
      watch().catch((problem: unknown) => turn.current === own && setError(sentence(problem)));
    },
    [session],
  );
  const cancel = useCallback(() => {
    if (view) void post(`/api/sessions/${session}/jobs/${view.id}/cancel`).catch(() => undefined);
  }, [session, view]);

  return {
    view,
    error,
    start,
    cancel,
    running: view?.state === "running",
    answer: view?.state === "done" ? (view.answer as T) : null,
  };
}
