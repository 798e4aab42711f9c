import type { Inspected } from "../../api/types";
import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { useStudio } from "../../studio/context";
import { count, figure, percent } from "../../words";
import type { Report } from "./report";

/** Promises, what is published, measures, and what each column lost. */
export function Overview({ inspected, report }: { inspected: Inspected; report: Report | null }) {
  const { catalog } = useStudio();
  const { verdicts, rows, measures, columns, notes, private_notes: privately } = inspected;
  const said = Object.values(report?.report.summary ?? {}).flat();
  return (
    <div className="stack">
      <Section title="Promises" hint="Before: the source as it is. After: what this candidate publishes.">
        <ul className="told">
          {verdicts.map((verdict, i) => {
            const before = report?.report.guards_before?.[i];
            return (
              <li key={i}>
                <Notice tone={verdict.holds ? "good" : "bad"}>
                  <strong>{verdict.promise}</strong>
                  <p>After: {verdict.sentence}</p>
                  {before && <p className="quiet">Before: {before.sentence}</p>}
                </Notice>
              </li>
            );
          })}
        </ul>
      </Section>
      <Section title="Records">
        <dl className="figure-row">
          {Object.entries(rows).map(([name, n]) => (
            <div key={name} className="figure-tile">
              <dt className="quiet small">{name.replaceAll("_", " ")}</dt>
              <dd><strong>{count(n)}</strong></dd>
            </div>
          ))}
        </dl>
        {said.length > 0 && <ul className="stack-s small">{said.map((sentence) => <li key={sentence}>{sentence}</li>)}</ul>}
      </Section>
      <div className="two">
        <Section title="Loss per column" hint="0 % is as it was, 100 % is nothing left.">
          <ul className="bars" aria-label="Loss per column">
            {columns.filter((column) => column.loss !== null || !column.published).map((column) => (
              <li key={column.name} className="bar-line">
                <span className="cut" title={column.name}>{column.name}</span>
                <span className="bar-track" aria-hidden="true">
                  <span className="bar-fill" style={{ display: "block", width: `${(column.published ? (column.loss ?? 0) : 1) * 100}%` }} />
                </span>
                <span className="numeric">{column.published ? percent(column.loss ?? 0) : "left out"}</span>
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Measures">
          <div className="scroll-x" tabIndex={0} role="region" aria-label="Table of measures">
            <table className="figures">
              <tbody>
                {Object.entries(measures).map(([name, value]) => (
                  <tr key={name}>
                    <th scope="row">{name}<div className="quiet small">{catalog.measures.find((m) => m.name === name)?.meaning}</div></th>
                    <td className="numeric">{figure(value)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Section>
      </div>
      {[...notes, ...privately].length > 0 && (
        <Section title="Notes">
          <ul className="stack-s small">{[...notes, ...privately].map((note) => <li key={note}>{note}</li>)}</ul>
        </Section>
      )}
    </div>
  );
}
