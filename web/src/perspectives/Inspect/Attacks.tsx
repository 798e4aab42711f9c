import { Badge } from "../../components/Badge";
import { Section } from "../../components/Section";
import { percent } from "../../words";
import type { Report } from "./report";

/** What somebody with other data could do, tried out, and what no guard covers. */
export function Attacks({ report }: { report: Report }) {
  const findings = report.attacks ?? [];
  const weak = Object.entries(report.weaknesses ?? {});
  return (
    <div className="stack">
      <Section title="Attacks that were tried" hint="With the source in hand, as its owner can. “ok” means that this attack got nowhere, not that no other would.">
        {!findings.length && <p className="quiet">None applies to this kind of release.</p>}
        <ul className="told">
          {findings.map((finding) => (
            <li key={finding.attack} className="stack-s">
              <div className="row-s">
                <Badge tone={finding.level === "ok" ? "good" : "warn"}>{finding.level}</Badge>
                <strong>{finding.attack}</strong>
                {finding.average !== null && <span className="quiet small">on average {percent(finding.average)}</span>}
                {finding.baseline !== null && <span className="quiet small">{finding.against}: {percent(finding.baseline)}</span>}
              </div>
              <p className="small">{finding.verdict}</p>
            </li>
          ))}
        </ul>
      </Section>
      {weak.length > 0 && (
        <Section title="What the promises leave open">
          <ul className="told">
            {weak.map(([name, sentence]) => <li key={name} className="small"><strong>{name}</strong>: {sentence}</li>)}
          </ul>
        </Section>
      )}
    </div>
  );
}
