import { useCallback, useEffect, useState } from "react";
import type { JobView } from "../api/types";
import { complain } from "../components/toasts";
import { useStudio } from "./context";

interface Job {
  job: JobView | null;
  running: boolean;
  start: (asked: () => Promise<JobView>) => Promise<void>;
  cancel: () => void;
  clear: () => void;
}

/** Long work in the background: started, followed until it ends, cancelled. */
export function useJob(onDone?: (job: JobView) => void): Job {
  const { ask } = useStudio();
  const [job, setJob] = useState<JobView | null>(null);
  const running = job?.state === "running";

  useEffect(() => {
    if (!job || job.state !== "running") return;
    const timer = window.setTimeout(() => {
      ask("GET /api/sessions/{session}/jobs/{job}", { path: { job: job.id } }).then(
        (next) => {
          setJob(next);
          if (next.state !== "running") onDone?.(next);
        },
        (error: unknown) => {
          complain(error);
          setJob(null);
        },
      );
    }, 300);
    return () => window.clearTimeout(timer);
  }, [job]);

  const start = useCallback(async (asked: () => Promise<JobView>) => {
    try {
      const first = await asked();
      setJob(first);
      if (first.state !== "running") onDone?.(first);
    } catch (error) {
      complain(error);
    }
  }, []);

  const cancel = (): void => {
    if (job) ask("POST /api/sessions/{session}/jobs/{job}/cancel", { path: { job: job.id } }).then(setJob, complain);
  };
  return { job, running, start, cancel, clear: () => setJob(null) };
}
