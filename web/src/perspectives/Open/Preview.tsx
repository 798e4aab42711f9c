import type { ColumnFacts, TableFacts } from "../../api/types";
import { Histogram } from "../../components/Histogram";
import { Section } from "../../components/Section";
import { VirtualTable } from "../../components/table/VirtualTable";
import { Value } from "../../components/Value";
import { useStudio } from "../../studio/context";
import { sourceKey } from "../../studio/useTable";
import { useRows } from "../../studio/useRows";
import { count, percent, plural } from "../../words";

/** The rows as they are read, a million if there are as many; what each column holds is added once it is counted. */
export function Preview({ facts }: { facts: TableFacts | null }) {
  const { session, ask } = useStudio();
  const { cell, onVisible } = useRows(sourceKey(session), (offset, limit) => ask("GET /api/sessions/{session}/rows", { query: { offset, limit } }));
  const rows = session.rows ?? 0;
  const columns = session.columns.map((name) => {
    const column = facts?.columns.find((each) => each.name === name);
    return { id: name, label: name, header: <Head name={name} column={column} rows={rows} />, numeric: NUMERIC.test(column?.type ?? ""), width: 148 };
  });
  return (
    <Section title="Preview" aside={<span className="quiet small numeric">{`${plural(rows, "row")}, ${plural(columns.length, "column")}`}</span>}>
      <VirtualTable
        label="Rows of the source"
        columns={columns}
        rowCount={rows}
        headHeight={124}
        tall={12}
        onVisible={onVisible}
        cell={(row, column) => {
          const value = cell(row, column);
          return value === undefined ? undefined : <Value value={value} />;
        }}
      />
    </Section>
  );
}

const NUMERIC = /number/i;

function Head({ name, column, rows }: { name: string; column: ColumnFacts | undefined; rows: number }) {
  return (
    <div className="facts">
      <bdi className="facts-name cut">{name}</bdi>
      {column ? (
        <>
          <span className="facts-type">{column.type}</span>
          <Histogram counts={column.histogram.counts} label={`Distribution of ${name}`} width={120} height={28} />
          <span className="facts-line numeric">{count(column.distinct)} distinct</span>
          <span className="facts-line numeric">{column.missing ? `${percent(column.missing / rows)} missing` : "none missing"}</span>
        </>
      ) : (
        <span className="facts-type">counting…</span>
      )}
    </div>
  );
}
