import type { Cell } from "../api/types";

/** A value of the data: isolated from the text direction around it, and marked where it is missing. */
export function Value({ value }: { value: Cell | undefined }) {
  if (value === null || value === undefined) return <span className="missing">missing</span>;
  return <bdi className="value">{String(value)}</bdi>;
}
