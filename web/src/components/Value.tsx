import type { Cell } from "../api/types";

/** A value of the data. Its own direction cannot turn the text around it; a missing one is not an empty text. */
export function Value({ value }: { value: Cell | undefined }) {
  if (value === null || value === undefined) return <span className="missing">missing</span>;
  return <bdi className="value">{String(value)}</bdi>;
}
