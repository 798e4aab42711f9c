import { useCallback, useEffect, useState } from "react";
import { messageOf } from "./client";
import { useLatest } from "./useLatest";

export interface Loaded<T> {
  /** The last answer; it stays while a newer one is fetched. */
  data: T | null;
  error: string | null;
  loading: boolean;
  reload: () => void;
}

/**
 * Fetches whenever `key` changes (null: nothing to fetch) and ignores late answers for earlier keys.
 * `every` polls: it returns the milliseconds until the next fetch, or null to stop.
 */
export function useLoaded<T>(
  key: string | null,
  fetcher: (signal: AbortSignal) => Promise<T>,
  every?: (data: T) => number | null,
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ data: null, error: null, loading: key !== null });
  const [turn, setTurn] = useState(0);
  const latest = useLatest({ fetcher, every });

  useEffect(() => {
    const abort = new AbortController();
    let timer = 0;
    const load = async (): Promise<void> => {
      setState((before) => ({ ...before, loading: true }));
      try {
        const data = await latest.current.fetcher(abort.signal);
        if (abort.signal.aborted) return;
        setState({ data, error: null, loading: false });
        const wait = latest.current.every?.(data) ?? null;
        if (wait !== null) timer = window.setTimeout(() => void load(), wait);
      } catch (error) {
        if (abort.signal.aborted) return;
        setState((before) => ({ data: before.data, error: messageOf(error), loading: false }));
        if (latest.current.every) timer = window.setTimeout(() => void load(), 3000);
      }
    };
    if (key === null) setState({ data: null, error: null, loading: false });
    else void load();
    return () => {
      abort.abort();
      window.clearTimeout(timer);
    };
  }, [key, turn, latest]);

  const reload = useCallback(() => setTurn((n) => n + 1), []);
  return { ...state, reload };
}
