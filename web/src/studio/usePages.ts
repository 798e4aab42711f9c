import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf } from "../api/client";
import { useLatest } from "../api/useLatest";

const PAGE_SIZE = 200;
const MOST_PAGES = 60;

export interface Pages<Row, Page> {
  /** The first page that arrived, for what all of them repeat; null until then. */
  head: Page | null;
  total: number;
  /** Undefined while it is not loaded. */
  row: (index: number) => Row | undefined;
  onVisible: (first: number, last: number) => void;
  error: string | null;
}

interface Cache<Row, Page> {
  key: string;
  head: Page | null;
  /** Null while a page is on its way. */
  pages: Map<number, readonly Row[] | null>;
}

/** The rows of a long table on the server: pages are fetched as they come into view, and the oldest are dropped. */
export function usePages<Row, Page extends { total: number; rows: readonly Row[] }>(
  key: string,
  fetchPage: (offset: number, limit: number) => Promise<Page>,
): Pages<Row, Page> {
  const cache = useRef<Cache<Row, Page>>({ key, head: null, pages: new Map() });
  const [state, setState] = useState<{ cache: Cache<Row, Page>; error: string | null } | null>(null);
  const latest = useLatest(fetchPage);

  const onVisible = useCallback(
    (first: number, last: number) => {
      if (cache.current.key !== key) cache.current = { key, head: null, pages: new Map() };
      const own = cache.current;
      const show = (error: string | null): void => {
        if (own === cache.current) setState({ cache: own, error });
      };
      for (let page = Math.floor(first / PAGE_SIZE); page * PAGE_SIZE < last; page++) {
        if (own.pages.has(page)) continue;
        own.pages.set(page, null);
        latest.current(page * PAGE_SIZE, PAGE_SIZE).then(
          (answer) => {
            own.head ??= answer;
            own.pages.set(page, answer.rows);
            for (const old of [...own.pages.keys()].slice(0, Math.max(0, own.pages.size - MOST_PAGES))) own.pages.delete(old);
            show(null);
          },
          (problem: unknown) => {
            own.pages.delete(page);
            show(messageOf(problem));
          },
        );
      }
    },
    [key, latest],
  );
  useEffect(() => onVisible(0, 1), [onVisible]);

  const shown = state?.cache.key === key ? state : null;
  return {
    head: shown?.cache.head ?? null,
    total: shown?.cache.head?.total ?? 0,
    row: (index) => shown?.cache.pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    onVisible,
    error: shown?.error ?? null,
  };
}
