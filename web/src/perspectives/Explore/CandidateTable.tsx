import { useMemo, useState } from "react";
import { pick, pickAll, useSelection } from "../../candidates/selection";
import { type Column, type Extend, type Sort, VirtualTable } from "../../components/table/VirtualTable";
import { useStudio } from "../../studio/context";
import { figure } from "../../words";
import type { Shared } from "./shared";

/** All candidates that pass the filters, with measures and levels, sorted by any of them. */
export function CandidateTable({ columns, positions, positionOf }: Shared) {
  const { session } = useStudio();
  const selection = useSelection(session.id);
  const [sort, setSort] = useState<Sort | null>(null);
  const measures = Object.keys(columns.measures);
  const levels = Object.keys(columns.levels);
  const heads: Column[] = [
    { id: "id", label: "Candidate", width: 110 },
    { id: "method", label: "Method", width: 130 },
    { id: "run", label: "Run", width: 90 },
    ...measures.map((name) => ({ id: `measure ${name}`, label: name, width: 110, numeric: true })),
    ...levels.map((name) => ({ id: `level ${name}`, label: name, width: 110, numeric: true })),
  ];
  const methods = columns.methods.map((name, i) => (columns.false_values[i] ? `${name} (${columns.false_values[i]})` : name));
  const runName = (run: number): string => session.runs.find((one) => one.id === columns.runs[run])?.name || (columns.runs[run] ?? "");
  const value = (position: number, id: string): string | number | null => {
    const [kind, name = ""] = [id.slice(0, id.indexOf(" ")), id.slice(id.indexOf(" ") + 1)];
    if (kind === "measure") return columns.measures[name]?.[position] ?? null;
    if (kind === "level") return columns.levels[name]?.[position] ?? null;
    if (id === "method") return methods[columns.method[position] ?? 0] ?? "";
    if (id === "run") return runName(columns.run[position] ?? 0);
    return columns.id[position] ?? "";
  };
  const order = useMemo(() => {
    if (!sort) return positions;
    const way = sort.descending ? -1 : 1;
    const keyed = positions.map((position) => ({ position, key: value(position, sort.column) }));
    keyed.sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      return way * (typeof a.key === "number" && typeof b.key === "number" ? a.key - b.key : String(a.key).localeCompare(String(b.key), "en", { numeric: true }));
    });
    return keyed.map(({ position }) => position);
  }, [positions, sort, columns]);
  const idAt = (row: number): string => columns.id[order[row] ?? -1] ?? "";
  // Shift takes all rows from the one that was picked last, Ctrl one more
  const choose = (row: number, how: Extend): void => {
    const from = how === "range" ? order.findIndex((position) => columns.id[position] === selection.ids.at(-1)) : -1;
    if (from < 0) return pick(idAt(row), how !== "only");
    const step = row < from ? -1 : 1;
    const between = Array.from({ length: Math.abs(row - from) + 1 }, (_, i) => idAt(row - i * step));
    const both = new Set(between);
    pickAll([...selection.ids.filter((id) => !both.has(id)), ...between]);
  };
  const chosen = new Set(selection.ids);
  const last = positionOf.get(selection.ids.at(-1) ?? "");
  const reveal = useMemo(() => (last === undefined ? -1 : order.indexOf(last)), [last, order]);
  return (
    <VirtualTable
      label="Candidates"
      columns={heads}
      rowCount={order.length}
      tall={10}
      sort={sort}
      onSort={setSort}
      isSelected={(row) => chosen.has(columns.id[order[row] ?? -1] ?? "")}
      onSelect={choose}
      reveal={reveal}
      cell={(row, column) => {
        const shown = value(order[row] ?? 0, heads[column]?.id ?? "");
        return typeof shown === "number" ? figure(shown) : (shown ?? "–");
      }}
    />
  );
}
