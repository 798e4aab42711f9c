import type { ChangedRow, ChangedRows } from "../../api/types";
import { type Column, Messages, Section, Value, VirtualTable } from "../../components";
import { usePages, useStudio } from "../../studio";
import { count } from "../../words";

/** What a column of the table shows: the value of a column of the data, the number of the record, or its class. */
interface Shown extends Column {
  index: number;
  shows: "record" | "before" | "after" | "class";
}

const HINT =
  "In each pair the source is on the left, the release on the right. The class size is the number of records, or of persons if a column has that role, with the same quasi-identifier values.";

/** Every record of the source beside what would be published of it. */
export function Rows({ candidate }: { candidate: string }) {
  const { session, ask } = useStudio();
  const pages = usePages<ChangedRow, ChangedRows>(`${session.id} ${candidate}`, (offset, limit) =>
    ask("GET /api/sessions/{session}/inspect/rows", { query: { candidate, offset, limit } }),
  );
  const pairs = pages.head?.columns.flatMap((name, index): Shown[] => {
    const after: Shown = { id: `after ${name}`, label: `${name}, after`, header: "after", index, shows: "after", width: 130 };
    return [{ id: `before ${name}`, label: name, index, shows: "before", width: 130 }, ...(pages.head?.published[index] ? [after] : [])];
  });
  const columns: Shown[] = [
    { id: "record", label: "Record", width: 80, numeric: true, index: -1, shows: "record" },
    ...(pairs ?? []),
    { id: "class", label: "Class size", width: 100, numeric: true, index: -1, shows: "class" },
  ];
  const cell = (row: ChangedRow, { index, shows }: Shown) => {
    if (shows === "record") return count(row.row + 1);
    if (shows === "before") return <Value value={row.before[index]} />;
    if (row.after === null) return <span className="gone">suppressed</span>;
    if (shows === "class") return row.class_size === null ? "–" : count(row.class_size);
    return (
      <strong>
        <Value value={row.after[index]} />
      </strong>
    );
  };
  return (
    <Section title="Rows before and after" hint={pages.head?.note ? "" : HINT}>
      <Messages tone="bad" texts={[pages.error]} />
      {pages.head?.note ? (
        <p className="quiet">{pages.head.note}</p>
      ) : (
        <VirtualTable
          label="Rows before and after"
          columns={columns}
          rowCount={pages.total}
          onVisible={pages.onVisible}
          cell={(at, i) => {
            const [row, column] = [pages.row(at), columns[i]];
            return row && column && cell(row, column);
          }}
        />
      )}
    </Section>
  );
}
