// A long list that lies on the server: what is in view is fetched in pages and kept.
import { useCallback, useEffect, useRef, useState } from "react";
import { sentence } from "../api/client";

const PAGE = 200;

export interface Window<Row> {
  total: number;
  row: (at: number) => Row | undefined;
  onVisible: (first: number, last: number) => void;
  error: string | null;
}

export function useWindow<Row>(
  key: string,
  fetchPage: (offset: number, limit: number) => Promise<{ total: number; rows: readonly Row[] }>,
): Window<Row> {
  const [pages, setPages] = useState<{ key: string; total: number; rows: ReadonlyMap<number, readonly Row[]> }>({ key, total: 0, rows: new Map() });
  const [error, setError] = useState<string | null>(null);
  const asked = useRef({ key, pages: new Set<number>() });
  const latest = useRef(fetchPage);
  latest.current = fetchPage;

  const load = useCallback(
    (page: number) => {
      if (asked.current.key !== key) asked.current = { key, pages: new Set() };
      if (asked.current.pages.has(page)) return;
      asked.current.pages.add(page);
      const own = asked.current;
      latest.current(page * PAGE, PAGE).then(
        (answer) => {
          if (asked.current !== own) return;
          setError(null);
          setPages((before) => {
            const rows = new Map(before.key === key ? before.rows : []);
            return { key, total: answer.total, rows: rows.set(page, answer.rows) };
          });
        },
        (problem: unknown) => {
          own.pages.delete(page);
          if (asked.current === own) setError(sentence(problem));
        },
      );
    },
    [key],
  );
  useEffect(() => load(0), [load]);
  const onVisible = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / PAGE); page * PAGE < last; page++) load(page);
    },
    [load],
  );
  const here = pages.key === key;
  return {
    total: here ? pages.total : 0,
    row: (at) => (here ? pages.rows.get(Math.floor(at / PAGE))?.[at % PAGE] : undefined),
    onVisible,
    error,
  };
}
