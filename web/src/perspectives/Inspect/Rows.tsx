import { useState } from "react";
import type { ChangedRow } from "../../api/types";
import { useWindow } from "../../candidates/useWindow";
import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { type Column, VirtualTable } from "../../components/table/VirtualTable";
import { useStudio } from "../../studio/context";
import { count } from "../../words";

/** Every record of the source beside what would be published of it. */
export function Rows({ candidate }: { candidate: string }) {
  const { session, ask } = useStudio();
  const [heads, setHeads] = useState<{ columns: string[]; published: boolean[] }>({ columns: [], published: [] });
  const window = useWindow<ChangedRow>(`${session.id} ${candidate}`, async (offset, limit) => {
    const answer = await ask("GET /api/sessions/{session}/inspect/rows", { query: { candidate, offset, limit } });
    setHeads((before) => (before.columns.length ? before : answer));
    return answer;
  });
  const pairs = heads.columns.flatMap((name, i): (Column & { at: number; after: boolean })[] => [
    { id: `before ${name}`, label: name, at: i, after: false, width: 130 },
    ...(heads.published[i] ? [{ id: `after ${name}`, label: `${name}, after`, header: "after", at: i, after: true, width: 130 }] : []),
  ]);
  const columns: (Column & { at: number; after: boolean })[] = [
    { id: "row", label: "Record", width: 80, numeric: true, at: -1, after: false },
    ...pairs,
    { id: "class", label: "Looks like", width: 100, numeric: true, at: -2, after: true },
  ];
  return (
    <Section title="Rows before and after" hint="Left of each pair the source, right what is published. “Looks like” is how many records share all recognizable values.">
      {window.error && <Notice tone="bad">{window.error}</Notice>}
      <VirtualTable
        label="Rows before and after"
        columns={columns}
        rowCount={window.total}
        onVisible={window.onVisible}
        cell={(at, i) => {
          const row = window.row(at);
          const column = columns[i];
          if (!row || !column) return undefined;
          if (column.at === -1) return count(row.row + 1);
          if (row.after === null) return column.after ? <span className="gone">left out</span> : text(row.before[column.at]);
          if (column.at === -2) return row.class_size === null ? "–" : count(row.class_size);
          return column.after ? <strong>{text(row.after[column.at])}</strong> : <span className="quiet">{text(row.before[column.at])}</span>;
        }}
      />
    </Section>
  );
}

export function text(value: unknown) {
  return value === null || value === undefined ? <span className="quiet">missing</span> : <bdi>{String(value)}</bdi>;
}
