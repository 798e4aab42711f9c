import type { ColumnFacts, TableFacts } from "../../api/types";
import { Histogram } from "../../components/Histogram";
import { Section } from "../../components/Section";
import { VirtualTable } from "../../components/table/VirtualTable";
import { Value } from "../../components/Value";
import { useStudio } from "../../studio/context";
import { sourceKey } from "../../studio/useTable";
import { useRows } from "../../studio/useRows";
import { count, percent, plural } from "../../words";

/** The rows as they are read, a million if there are as many, with what each column holds. */
export function Preview({ facts }: { facts: TableFacts }) {
  const { session, ask } = useStudio();
  const { cell, onVisible } = useRows(sourceKey(session), (offset, limit) => ask("GET /api/sessions/{session}/rows", { query: { offset, limit } }));
  const columns = facts.columns.map((column) => ({
    id: column.name,
    label: column.name,
    header: <Head column={column} rows={facts.rows} />,
    numeric: NUMERIC.test(column.type),
    width: 148,
  }));
  return (
    <Section title="Preview" aside={<span className="quiet small numeric">{`${plural(facts.rows, "row")}, ${plural(columns.length, "column")}`}</span>}>
      <VirtualTable
        label="Rows of the source"
        columns={columns}
        rowCount={facts.rows}
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

export const NUMERIC = /int|float|double|number|decimal|whole/i;

function Head({ column, rows }: { column: ColumnFacts; rows: number }) {
  return (
    <div className="figures">
      <bdi className="facts-name cut">{column.name}</bdi>
      <span className="facts-type">{column.type}</span>
      <Histogram counts={column.histogram.counts} label={`Distribution of ${column.name}`} width={120} height={28} />
      <span className="facts-line numeric">{count(column.distinct)} distinct</span>
      <span className="facts-line numeric">
        {column.missing ? `${percent(column.missing / rows)} missing` : "none missing"}
      </span>
    </div>
  );
}
