import type { Inspected } from "../../api/types";
import { Badge } from "../../components/Badge";
import { Section } from "../../components/Section";
import { useStudio } from "../../studio/context";
import { count, figure, spaced, stated } from "../../words";
import { Verdicts } from "./Verdicts";

/** What this candidate promises and what it costs. */
export function Summary({ view }: { view: Inspected }) {
  const { catalog } = useStudio();
  const measured = Object.entries(view.measures).filter(([, value]) => value !== null);
  return (
    <Section title="Promises" aside={<Badge tone={view.holds ? "good" : "bad"}>{view.holds ? "all kept" : "broken"}</Badge>}>
      <Verdicts verdicts={view.verdicts} />
      <h3>Rows</h3>
      <dl className="numbers">
        {Object.entries(view.rows).map(([name, rows]) => (
          <div key={name}>
            <dt>{spaced(name)}</dt>
            <dd className="numeric">{count(rows)}</dd>
          </div>
        ))}
      </dl>
      <h3>Figures</h3>
      <dl className="numbers">
        {measured.map(([name, value]) => (
          <div key={name} title={catalog.measures.find((measure) => measure.name === name)?.meaning}>
            <dt>{name}</dt>
            <dd className="numeric">{figure(value)}</dd>
          </div>
        ))}
      </dl>
      {[...view.notes, ...view.private_notes].map((note) => (
        <p key={note} className="quiet small">
          {stated(note)}
        </p>
      ))}
    </Section>
  );
}
