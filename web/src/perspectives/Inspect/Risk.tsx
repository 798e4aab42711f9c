import { useState } from "react";
import type { Inspected, RiskyRow } from "../../api/types";
import { ClassSizeChart } from "../../charts/ClassSizeChart";
import { RiskCurve } from "../../charts/RiskCurve";
import { useWindow } from "../../candidates/useWindow";
import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { type Column, VirtualTable } from "../../components/table/VirtualTable";
import { useStudio } from "../../studio/context";
import { count, figure } from "../../words";
import { text } from "./Rows";

/** Risk by attacker before and after, sizes of groups, and the records that are easiest to single out. */
export function Risk({ inspected }: { inspected: Inspected }) {
  const { catalog } = useStudio();
  const { before, measures, class_sizes: sizes } = inspected;
  const risks = catalog.measures.filter((measure) => measure.family === "risk" && (measure.name in before || measure.name in measures));
  return (
    <div className="stack">
      <Section title="Risk by attacker">
        <div className="scroll-x" tabIndex={0} role="region" aria-label="Table of risks">
          <table className="figures">
            <thead><tr><th scope="col">Measure</th><th scope="col" className="numeric">Before</th><th scope="col" className="numeric">After</th><th scope="col">Meaning</th></tr></thead>
            <tbody>
              {risks.map(({ name, meaning }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td className="numeric">{figure(before[name])}</td>
                  <td className="numeric">{figure(measures[name])}</td>
                  <td className="quiet">{meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
      <div className="two">
        <Section title="Sizes of groups" hint="Records that share all recognizable values are a group.">
          {sizes.length ? <ClassSizeChart sizes={sizes} /> : <p className="quiet">The columns are published apart, so there are no groups.</p>}
        </Section>
        <Section title="Risk curve" hint="How many records can be picked out with at least which chance.">
          {sizes.length ? <RiskCurve sizes={sizes} /> : <p className="quiet">There are no groups.</p>}
        </Section>
      </div>
      <RiskyRecords candidate={inspected.candidate} />
    </div>
  );
}

function RiskyRecords({ candidate }: { candidate: string }) {
  const { session, ask } = useStudio();
  const [names, setNames] = useState<string[]>([]);
  const window = useWindow<RiskyRow>(`${session.id} ${candidate} risky`, async (offset, limit) => {
    const answer = await ask("GET /api/sessions/{session}/inspect/risky", { query: { candidate, offset, limit } });
    setNames((old) => (old.length ? old : answer.columns));
    return answer;
  });
  const columns: Column[] = [
    { id: "row", label: "Record", width: 80, numeric: true },
    { id: "before", label: "Alike before", width: 110, numeric: true },
    { id: "after", label: "Alike after", width: 110, numeric: true },
    ...names.map((name) => ({ id: `value ${name}`, label: name, width: 130 })),
  ];
  return (
    <Section title="Records at risk" hint="Those with the fewest look-alikes first, with their values in the source. They are not published like this.">
      {window.error && <Notice tone="bad">{window.error}</Notice>}
      <VirtualTable
        label="Records at risk"
        columns={columns}
        rowCount={window.total}
        tall={8}
        onVisible={window.onVisible}
        cell={(at, i) => {
          const row = window.row(at);
          if (!row) return undefined;
          if (i === 0) return count(row.row + 1);
          if (i === 1) return count(row.class_before);
          if (i === 2) return row.class_after === null ? "left out" : count(row.class_after);
          return text(row.values[i - 3]);
        }}
      />
    </Section>
  );
}
