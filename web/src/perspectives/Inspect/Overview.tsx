import type { Inspected, InternalReport } from "../../api/types";
import { Bar } from "../../charts/BarList";
import { FigureTable, Notice, Section } from "../../components";
import { useStudio } from "../../studio";
import { figure, percent } from "../../words";
import { Numbers } from "../Release/Summary";

/** Promises, published records, measures, and the loss of each column. */
export function Overview({ inspected, report }: { inspected: Inspected; report: InternalReport | null }) {
  const { measure, titleOf } = useStudio();
  const { verdicts, rows, measures, columns, notes, private_notes: privateNotes } = inspected;
  const promised = new Set(verdicts.map(({ promise }) => promise));
  const summary = Object.values(report?.report.summary ?? {})
    .flat()
    .filter((text) => !promised.has(text));
  return (
    <div className="stack">
      <Section title="Promises" hint="Before: the source. After: the release of this candidate.">
        <ul className="findings">
          {verdicts.map((verdict, i) => {
            const before = report?.report.guards_before[i];
            return (
              <li key={verdict.promise}>
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
        <Numbers of={rows} />
        <Lines texts={summary} />
      </Section>
      <div className="two">
        <Section title="Loss per column" hint="0 % keeps all information, 100 % keeps none.">
          <ul className="bars" aria-label="Loss per column">
            {columns
              .filter((column) => column.loss !== null || !column.distinct)
              .map(({ name, loss, distinct }) => (
                <li key={name} className="bar-line">
                  <span className="wrap">{name}</span>
                  <Bar share={distinct ? (loss ?? 0) : 1} />
                  <span className="numeric">{distinct ? percent(loss ?? 0) : "not published"}</span>
                </li>
              ))}
          </ul>
        </Section>
        <Section title="Measures">
          <FigureTable
            label="Table of measures"
            heads={["", { label: "", numeric: true }]}
            rows={Object.entries(measures).map(([name, value]) => [
              <>
                {titleOf(name)} <span className="code quiet small">{name}</span>
                <div className="quiet small">{measure(name)?.meaning}</div>
              </>,
              figure(value),
            ])}
          />
        </Section>
      </div>
      {notes.length + privateNotes.length > 0 && (
        <Section title="Notes">
          <Lines texts={[...notes, ...privateNotes]} />
        </Section>
      )}
    </div>
  );
}

function Lines({ texts }: { texts: readonly string[] }) {
  if (!texts.length) return null;
  return (
    <ul className="stack-s small">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
