import { useCallback, useEffect, useRef, useState } from "react";
import { sentence } from "./client";

export interface Loaded<T> {
  /** The last answer; it stays while a newer one is fetched. */
  data: T | null;
  error: string | null;
  loading: boolean;
  reload: () => void;
}

/**
 * Fetches when `key` changes (null: nothing to fetch); what comes late for an older key is dropped.
 * `every` polls: it gives the milliseconds until the next fetch, or null to stop.
 */
export function useLoaded<T>(
  key: string | null,
  fetcher: (signal: AbortSignal) => Promise<T>,
  every?: (data: T) => number | null,
): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; error: string | null; loading: boolean }>({
    data: null,
    error: null,
    loading: key !== null,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef({ fetcher, every });
  latest.current = { fetcher, every };

  useEffect(() => {
    if (key === null) {
      setState({ data: null, error: null, loading: false });
      return;
    }
    const stop = new AbortController();
    let timer = 0;
    const load = async (): Promise<void> => {
      setState((before) => ({ ...before, loading: true }));
      try {
        const data = await latest.current.fetcher(stop.signal);
        if (stop.signal.aborted) return;
        setState({ data, error: null, loading: false });
        const wait = latest.current.every?.(data) ?? null;
        if (wait !== null) timer = window.setTimeout(() => void load(), wait);
      } catch (error) {
        if (stop.signal.aborted) return;
        setState((before) => ({ data: before.data, error: sentence(error), loading: false }));
        if (latest.current.every) timer = window.setTimeout(() => void load(), 3000);
      }
    };
    void load();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [key, turn]);

  const reload = useCallback(() => setTurn((n) => n + 1), []);
  return { ...state, reload };
}
