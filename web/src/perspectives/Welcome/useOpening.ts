import { useRef, useState } from "react";
import { type Body, call, messageOf, upload } from "../../api/client";
import type { JobView, ReadingOptions } from "../../api/types";
import { go, href } from "../../router";
import { size } from "../../words";

const FIRST_WAIT = 60;
const LONGEST_WAIT = 500;

export interface Opening {
  /** What is being done, and to what; null while nothing is opened. */
  busy: string | null;
  /** The share of it that is done. */
  share: number;
  /** Why the last attempt failed. */
  error: string | null;
  cancel: () => void;
  example: (name: string, title: string) => void;
  path: (path: string, options: ReadingOptions) => void;
  database: (url: string, table: string) => void;
  file: (file: File, options: ReadingOptions) => void;
}

type Start = (session: string, signal: AbortSignal) => Promise<JobView<boolean>>;

/** Opens data in a new session and goes there. A session whose data is refused, or not waited for, is deleted again. */
export function useOpening(maxBytes: number): Opening {
  const [busy, setBusy] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);

  const open = async (what: string, start: Start): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setBusy(`Opening ${what}`);
    setShare(0);
    setError(null);
    let session: string | null = null;
    try {
      session = (await call("POST /api/sessions", { body: {} }, abort.signal)).id;
      let job = await start(session, abort.signal);
      setBusy(`Reading ${what}`);
      for (let wait = FIRST_WAIT; job.state === "running"; wait = Math.min(LONGEST_WAIT, wait * 1.5)) {
        setShare(job.share);
        await new Promise((resume) => setTimeout(resume, wait));
        job = (await call("GET /api/sessions/{session}/jobs/{job}", { path: { session, job: job.id } }, abort.signal)) as JobView<boolean>;
      }
      if (job.state !== "done") throw new Error(job.error ?? `Opening ${what} was ${job.state}.`);
      go(href(session, "open"));
    } catch (failure) {
      if (session) await call("DELETE /api/sessions/{session}", { path: { session } }).catch(() => undefined);
      if (!abort.signal.aborted) setError(messageOf(failure));
    } finally {
      setBusy(null);
    }
  };

  const from = (what: string, body: Body<"POST /api/sessions/{session}/opening">): void =>
    void open(what, (session, signal) => call("POST /api/sessions/{session}/opening", { path: { session }, body }, signal));
  return {
    busy,
    share,
    error,
    cancel: () => running.current?.abort(),
    example: (dataset, title) => from(title, { dataset }),
    path: (path, options) => from(path, { path, options }),
    database: (url, table) => from(table || url, { url, ...(table ? { table } : {}) }),
    file: (file, options) =>
      void open(file.name, (session, signal) => {
        if (file.size > maxBytes)
          throw new Error(`${file.name} is ${size(file.size)}; uploads are limited to ${size(maxBytes)}. Open it by its path instead.`);
        setBusy(`Uploading ${file.name} (${size(file.size)})`);
        const request = { path: { session }, query: { name: file.name, options }, body: file };
        return upload("PUT /api/sessions/{session}/opening", request as never, setShare, signal);
      }),
  };
}
