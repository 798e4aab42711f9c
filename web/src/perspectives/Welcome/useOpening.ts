import { useState } from "react";
import { call, send, sentence } from "../../api/client";
import type { NewSession, Session } from "../../api/types";
import { go, href } from "../../router";
import { size } from "../../words";
import type { FirstReading } from "./HowToRead";

export interface Opening {
  /** What is being opened now. */
  busy: string | null;
  /** How much of it has been handed over; null once all of it has, and where nothing is. */
  share: number | null;
  /** Why the last one could not be opened. */
  error: string | null;
  example: (name: string, title: string) => void;
  path: (path: string, options: FirstReading) => void;
  file: (file: File, options: FirstReading) => void;
}

/** Opens something in a new session and goes there; a session whose file is refused does not stay behind. */
export function useOpening(mostBytes: number): Opening {
  const [busy, setBusy] = useState<string | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);

  const open = async (what: string, make: () => Promise<Session>): Promise<void> => {
    setBusy(what);
    setError(null);
    try {
      go(href((await make()).id, "open"));
    } catch (failure) {
      setError(sentence(failure));
    } finally {
      setShare(null);
      setBusy(null);
    }
  };

  const create = (body: NewSession): Promise<Session> => call("POST /api/sessions", { body });
  return {
    busy,
    share,
    error,
    example: (dataset, title) => void open(title, () => create({ dataset })),
    path: (path, options) => void open(path, () => create({ path, options })),
    file: (file, options) =>
      void open(file.name, async () => {
        if (file.size > mostBytes) {
          const most = size(mostBytes);
          throw new Error(`${file.name} has ${size(file.size)}; the browser may hand over ${most}. Open it by its path instead.`);
        }
        const { id } = await create({});
        const path = { session: id };
        try {
          if (/\.toml$/i.test(file.name)) return await call("POST /api/sessions/{session}/plan", { path, body: { text: await file.text() } });
          return await send("PUT /api/sessions/{session}/upload", { path, query: { name: file.name, ...options }, body: file }, (done) => setShare(done < 1 ? done : null));
        } catch (failure) {
          await call("DELETE /api/sessions/{session}", { path }).catch(() => undefined);
          throw failure;
        }
      }),
  };
}
