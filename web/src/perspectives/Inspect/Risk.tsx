import type { RiskyRecords as Answer, Inspected, RiskyRow } from "../../api/types";
import { ClassSizeChart } from "../../charts/ClassSizeChart";
import { RiskCurve } from "../../charts/RiskCurve";
import { type Column, FigureTable, Messages, Section, Value, VirtualTable } from "../../components";
import { usePages, useStudio } from "../../studio";
import { count, figure, sentence } from "../../words";
import { Attackers } from "./Attackers";
import { KeySets } from "./KeySets";

/** Risk by attacker before and after, class sizes, and the records at the highest risk. */
export function Risk({ inspected }: { inspected: Inspected }) {
  const { catalog } = useStudio();
  const { measures, class_sizes: sizes } = inspected;
  const risks = catalog.measures.filter((measure) => measure.family === "risk" && measure.name in measures);
  return (
    <div className="stack">
      <Attackers candidate={inspected.candidate} published={inspected.rows.published ?? 0} suppressed={inspected.rows.suppressed ?? 0} />
      <KeySets candidate={inspected.candidate} />
      <Section title="Measures of risk">
        <FigureTable
          label="Table of risks"
          heads={["Measure", { label: "Value", numeric: true }, "Meaning"]}
          rows={risks.map(({ name, title, meaning }) => [
            sentence(title),
            figure(measures[name]),
            <span key="meaning" className="quiet">
              {meaning}
            </span>,
          ])}
        />
      </Section>
      <div className="two">
        <Section title="Class sizes" hint="Records with the same quasi-identifier values form a class.">
          {sizes.length ? (
            <ClassSizeChart sizes={sizes} />
          ) : (
            <p className="quiet">The columns are published separately, so there are no classes.</p>
          )}
        </Section>
        <Section title="Risk curve" hint="The share of records at or above each risk of re-identification.">
          {sizes.length ? <RiskCurve sizes={sizes} /> : <p className="quiet">There are no classes.</p>}
        </Section>
      </div>
      <RiskyRecords candidate={inspected.candidate} />
    </div>
  );
}

function RiskyRecords({ candidate }: { candidate: string }) {
  const { session, ask } = useStudio();
  const pages = usePages<RiskyRow, Answer>(`${session.id} ${candidate}`, (offset, limit) =>
    ask("GET /api/sessions/{session}/inspect/risky", { query: { candidate, offset, limit } }),
  );
  const { head } = pages;
  const figures: Column[] = [
    head?.by_class
      ? { id: "records", label: "Records", width: 90, numeric: true }
      : { id: "row", label: "Record", width: 80, numeric: true },
    { id: "before", label: "Class before", width: 110, numeric: true },
    ...(head?.matched === false ? [] : [{ id: "after", label: "Class after", width: 110, numeric: true }]),
  ];
  const columns = [...figures, ...(head?.columns ?? []).map((name) => ({ id: `value ${name}`, label: name, width: 130 }))];
  const cell = (row: RiskyRow, i: number) => {
    const id = figures[i]?.id;
    if (id === "row") return row.row === null ? "–" : count(row.row + 1);
    if (id === "records") return count(row.records);
    if (id === "before") return count(row.class_before);
    if (id === "after") return row.class_after === null ? "suppressed" : count(row.class_after);
    return <Value value={row.values[i - figures.length]} />;
  };
  return (
    <Section
      title="Records at risk"
      hint={`${head?.by_class ? "Groups of equal records, the smallest classes first" : "Records of the smallest classes first"}, with their values in the source. They are not published like this.`}>
      <Messages tone="bad" texts={[pages.error]} />
      {head?.note ? (
        <p className="quiet">{head.note}</p>
      ) : (
        <VirtualTable
          label="Records at risk"
          columns={columns}
          rowCount={pages.total}
          maxRows={8}
          onVisible={pages.onVisible}
          cell={(at, i) => {
            const row = pages.row(at);
            return row && cell(row, i);
          }}
        />
      )}
    </Section>
  );
}
