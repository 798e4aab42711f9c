import { useMemo, useState } from "react";
import type { RunHead } from "../../api/types";
import { type Sort, VirtualTable } from "../../components/table/VirtualTable";
import { useStudio } from "../../studio/context";
import { figure } from "../../words";
import { useCandidates } from "./useCandidates";

/** The candidates of a run as they are found, best first; Enter or a click chooses the one to publish. */
export function RunCandidates({ run }: { run: RunHead }) {
  const { session, catalog, change } = useStudio();
  const candidates = useCandidates(run);
  const { choose, chosen } = session.document;
  const higher = catalog.measures.find((measure) => measure.name === choose)?.better === "higher";
  const [sort, setSort] = useState<Sort>({ column: choose, descending: higher });
  const names = Object.keys(candidates[0]?.measures ?? {});
  const shown = [choose, ...names.filter((name) => name !== choose)].filter((name) => names.includes(name));

  const ordered = useMemo(() => {
    const sign = sort.descending ? -1 : 1;
    const key = (measures: Record<string, number | null>): number => measures[sort.column] ?? sign * Infinity;
    if (!names.includes(sort.column)) return candidates;
    return [...candidates].sort((a, b) => sign * (key(a.measures) - key(b.measures)) || 0);
  }, [candidates, sort]);

  if (!candidates.length) return null;
  return (
    <VirtualTable
      label={`Candidates of ${run.name || run.id}`}
      columns={[
        { id: "id", label: "Candidate", width: 110 },
        { id: "method", label: "Method", width: 150 },
        ...shown.map((name) => ({ id: name, label: name, width: 120, numeric: true })),
      ]}
      rowCount={ordered.length}
      tall={8}
      sort={sort}
      onSort={(next) => names.includes(next.column) && setSort(next)}
      isSelected={(row) => ordered[row]?.id === chosen}
      onSelect={(row) => void change("PUT /api/sessions/{session}/chosen", { body: { candidate: ordered[row]?.id ?? null } })}
      cell={(row, column) => {
        const candidate = ordered[row];
        if (!candidate) return undefined;
        if (column < 2) return column === 0 ? candidate.id : candidate.method;
        return figure(candidate.measures[shown[column - 2] ?? ""]);
      }}
    />
  );
}
