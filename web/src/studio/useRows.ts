import { useCallback, useEffect, useRef, useState } from "react";
import type { Cell, Rows } from "../api/types";
import { complain } from "../components/toasts";

const BLOCK = 200;
const KEPT = 60;

/** Rows by block, fetched when they come into view; of very many blocks the oldest are forgotten. */
export function useRows(key: string, fetch: (offset: number, limit: number) => Promise<Rows>) {
  const blocks = useRef(new Map<number, Cell[][] | null>());
  const latest = useRef(fetch);
  latest.current = fetch;
  const [, draw] = useState(0);

  useEffect(() => {
    blocks.current = new Map();
    draw((n) => n + 1);
  }, [key]);

  const onVisible = useCallback(
    (first: number, last: number) => {
      const known = blocks.current;
      for (let block = Math.floor(first / BLOCK); block * BLOCK < last; block++) {
        if (known.has(block)) continue;
        known.set(block, null);
        latest
          .current(block * BLOCK, BLOCK)
          .then(({ rows }) => {
            known.set(block, rows);
            for (const old of [...known.keys()].slice(0, Math.max(0, known.size - KEPT))) known.delete(old);
            if (known === blocks.current) draw((n) => n + 1);
          })
          .catch((error: unknown) => {
            known.delete(block);
            complain(error);
          });
      }
    },
    // a new key starts over
    [key],
  );

  const cell = (row: number, column: number): Cell | undefined => blocks.current.get(Math.floor(row / BLOCK))?.[row % BLOCK]?.[column];
  return { cell, onVisible };
}
