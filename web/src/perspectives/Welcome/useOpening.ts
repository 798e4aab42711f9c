import { useState } from "react";
import { type Body, call, messageOf, upload } from "../../api/client";
import type { ReadingOptions, Session } from "../../api/types";
import { go, href } from "../../router";
import { size } from "../../words";

export interface Opening {
  /** What is being opened. */
  busy: string | null;
  /** The share that is uploaded; null when it is complete, and where nothing is uploaded. */
  share: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  example: (name: string, title: string) => void;
  path: (path: string, options: ReadingOptions) => void;
  file: (file: File, options: ReadingOptions) => void;
}

/** Opens data in a new session and goes there. A session whose file is refused is deleted again. */
export function useOpening(maxBytes: number): Opening {
  const [busy, setBusy] = useState<string | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);

  const open = async (what: string, create: () => Promise<Session>): Promise<void> => {
    setBusy(what);
    setError(null);
    try {
      go(href((await create()).id, "open"));
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setShare(null);
      setBusy(null);
    }
  };

  const newSession = (body: Body<"POST /api/sessions">): Promise<Session> => call("POST /api/sessions", { body });
  return {
    busy,
    share,
    error,
    example: (dataset, title) => void open(title, () => newSession({ dataset })),
    path: (path, options) => void open(path, () => newSession({ path, options })),
    file: (file, options) =>
      void open(file.name, async () => {
        if (file.size > maxBytes)
          throw new Error(`${file.name} is ${size(file.size)}; uploads are limited to ${size(maxBytes)}. Open it by its path instead.`);
        const { id } = await newSession({});
        const path = { session: id };
        try {
          if (/\.toml$/i.test(file.name))
            return await call("POST /api/sessions/{session}/plan", { path, body: { text: await file.text() } });
          return await upload("PUT /api/sessions/{session}/upload", { path, query: { name: file.name, options }, body: file }, (sent) =>
            setShare(sent < 1 ? sent : null),
          );
        } catch (failure) {
          await call("DELETE /api/sessions/{session}", { path }).catch(() => undefined);
          throw failure;
        }
      }),
  };
}
