import type { Cell, ColumnFacts, TableFacts, Window } from "../../api/types";
import { Histogram, Messages, Section, Value, VirtualTable } from "../../components";
import { sourceKey, usePages, useStudio } from "../../studio";
import { count, percent, plural } from "../../words";

/** The rows of the source. The profile of each column is added when it has been computed. */
export function Preview({ facts }: { facts: TableFacts | null }) {
  const { session, ask } = useStudio();
  const pages = usePages<Cell[], Window<Cell[]>>(sourceKey(session), (offset, limit) =>
    ask("GET /api/sessions/{session}/rows", { query: { offset, limit } }),
  );
  const rows = session.rows ?? 0;
  const shown = pages.head ? pages.total : rows; // of a database only the first rows are shown
  const columns = session.columns.map((name) => {
    const column = facts?.columns.find((profile) => profile.name === name);
    return {
      id: name,
      label: name,
      header: <Head name={name} column={column} rows={rows} />,
      numeric: NUMERIC.test(column?.type ?? ""),
      width: 148,
    };
  });
  return (
    <Section
      title="Preview"
      aside={
        <span className="quiet small numeric">{`${shown < rows ? `the first ${plural(shown, "row")} of ${count(rows)}` : plural(rows, "row")}, ${plural(columns.length, "column")}`}</span>
      }>
      <Messages tone="bad" texts={[pages.error]} />
      <VirtualTable
        label="Rows of the source"
        columns={columns}
        rowCount={shown}
        headHeight={124}
        maxRows={12}
        onVisible={pages.onVisible}
        cell={(row, column) => {
          const value = pages.row(row)?.[column];
          return value === undefined ? undefined : <Value value={value} />;
        }}
      />
    </Section>
  );
}

const NUMERIC = /number|integer/i;

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
        <span className="facts-type">profiling…</span>
      )}
    </div>
  );
}
