import type { Inspected, VerdictFacts } from "../../api/types";
import { Badge, Icon, Messages, Section } from "../../components";
import { useStudio } from "../../studio";
import { count, figure, spaced } from "../../words";

/** What this candidate promises, and what it loses. */
export function Summary({ view }: { view: Inspected }) {
  const measures = Object.entries(view.measures).filter(([, value]) => value !== null);
  return (
    <Section title="Promises" aside={<Badge tone={view.holds ? "good" : "bad"}>{view.holds ? "all kept" : "violated"}</Badge>}>
      <Verdicts verdicts={view.verdicts} />
      <h3>Records</h3>
      <Numbers of={view.rows} />
      <h3>Measures</h3>
      <Numbers of={Object.fromEntries(measures)} isMeasures />
      <Messages texts={[...view.notes, ...view.private_notes]} />
    </Section>
  );
}

/** Each promise with its verdict. */
export function Verdicts({ verdicts }: { verdicts: VerdictFacts[] }) {
  return (
    <ul className="verdicts" aria-label="Promises">
      {verdicts.map((verdict) => (
        <li key={JSON.stringify(verdict.guard)}>
          <span className={verdict.holds ? "mark-good" : "mark-bad"}>
            <Icon name={verdict.holds ? "check" : "cross"} />
            <span className="unseen">{verdict.holds ? "Kept: " : "Violated: "}</span>
          </span>
          <span>
            {verdict.promise}
            <span className="quiet small block">{verdict.sentence}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Named counts, or the values of measures. */
export function Numbers({ of, isMeasures = false }: { of: Record<string, number | null>; isMeasures?: boolean }) {
  const { measure, titleOf } = useStudio();
  return (
    <dl className="numbers">
      {Object.entries(of).map(([name, value]) => (
        <div key={name} title={isMeasures ? measure(name)?.meaning : undefined}>
          <dt>{isMeasures ? titleOf(name) : spaced(name)}</dt>
          <dd className="numeric">{isMeasures ? figure(value) : count(value ?? 0)}</dd>
        </div>
      ))}
    </dl>
  );
}
