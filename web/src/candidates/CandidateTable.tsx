import { useMemo, useState } from "react";
import type { CandidateColumns } from "../api/types";
import { type Column, type Extend, type Sort, VirtualTable } from "../components";
import { useStudio } from "../studio";
import { figure } from "../words";

interface Props {
  label: string;
  columns: CandidateColumns;
  positions: readonly number[];
  initialSort?: Sort | null;
  maxRows: number;
  selected: ReadonlySet<string>;
  /** `order` lists the ids in the order of the table. */
  onSelect: (id: string, extend: Extend, order: readonly string[]) => void;
  /** The candidate that is scrolled into view when it changes. */
  revealed?: string | undefined;
}

/** Candidates with their measures and levels, sorted by any of them. */
export function CandidateTable({ label, columns, positions, initialSort = null, maxRows, selected, onSelect, revealed }: Props) {
  const { session, titleOf } = useStudio();
  const [sort, setSort] = useState(initialSort);
  const fields = useMemo(() => {
    const methods = columns.methods.map((name, i) => (columns.false_values[i] ? `${name} (${columns.false_values[i]})` : name));
    const runs = columns.runs.map((id) => session.runs.find((run) => run.id === id)?.name || id);
    const text = (id: string, title: string, width: number, values: readonly string[]) => ({ id, label: title, width, values });
    const numeric = (kind: string, title: (name: string) => string) => (entry: [string, readonly (number | null)[]]) => ({
      id: `${kind} ${entry[0]}`,
      label: title(entry[0]),
      width: Math.max(110, 40 + 8 * title(entry[0]).length),
      numeric: true,
      values: entry[1],
    });
    const all: (Column & { values: readonly (string | number | null)[] })[] = [
      text("id", "Candidate", 110, columns.id),
      text(
        "method",
        "Method",
        250,
        columns.method.map((i) => methods[i] ?? ""),
      ),
      ...(runs.length > 1
        ? [
            text(
              "run",
              "Run",
              90,
              columns.run.map((i) => runs[i] ?? ""),
            ),
          ]
        : []),
      ...Object.entries(columns.measures).map(numeric("measure", titleOf)),
      ...Object.entries(columns.levels).map(numeric("level", (name) => name)),
    ];
    return all;
  }, [columns, session.runs, titleOf]);
  const order = useMemo(() => {
    const values = fields.find(({ id }) => id === sort?.column)?.values;
    if (!sort || !values) return positions;
    const sign = sort.descending ? -1 : 1;
    return positions.toSorted((p, q) => {
      const [a, b] = [values[p] ?? null, values[q] ?? null];
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return sign * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
    });
  }, [positions, sort, fields]);
  const ids = useMemo(() => order.map((position) => columns.id[position] ?? ""), [order, columns]);
  const reveal = useMemo(() => (revealed === undefined ? -1 : ids.indexOf(revealed)), [revealed, ids]);
  return (
    <VirtualTable
      label={label}
      columns={fields}
      rowCount={order.length}
      maxRows={maxRows}
      sort={sort}
      onSort={setSort}
      isSelected={(row) => selected.has(ids[row] ?? "")}
      onSelect={(row, extend) => onSelect(ids[row] ?? "", extend, ids)}
      reveal={reveal}
      cell={(row, column) => {
        const value = fields[column]?.values[order[row] ?? 0] ?? null;
        return typeof value === "string" ? value : figure(value);
      }}
    />
  );
}
