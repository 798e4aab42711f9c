import type { Inspected, RiskyRow, Window } from "../../api/types";
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
      <Attackers candidate={inspected.candidate} total={inspected.rows.published ?? inspected.rows.source ?? 0} />
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
  const pages = usePages<RiskyRow, Window<RiskyRow>>(`${session.id} ${candidate}`, (offset, limit) =>
    ask("GET /api/sessions/{session}/inspect/risky", { query: { candidate, offset, limit } }),
  );
  const columns: Column[] = [
    { id: "row", label: "Record", width: 80, numeric: true },
    { id: "before", label: "Class before", width: 110, numeric: true },
    { id: "after", label: "Class after", width: 110, numeric: true },
    ...(pages.head?.columns ?? []).map((name) => ({ id: `value ${name}`, label: name, width: 130 })),
  ];
  return (
    <Section
      title="Records at risk"
      hint="Records of the smallest classes first, with their values in the source. They are not published like this.">
      <Messages tone="bad" texts={[pages.error]} />
      <VirtualTable
        label="Records at risk"
        columns={columns}
        rowCount={pages.total}
        maxRows={8}
        onVisible={pages.onVisible}
        cell={(at, i) => {
          const row = pages.row(at);
          if (!row) return undefined;
          if (i === 0) return count(row.row + 1);
          if (i === 1) return count(row.class_before);
          if (i === 2) return row.class_after === null ? "suppressed" : count(row.class_after);
          return <Value value={row.values[i - 3]} />;
        }}
      />
    </Section>
  );
}
