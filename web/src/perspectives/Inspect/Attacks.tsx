import type { InternalReport } from "../../api/types";
import { Badge, Section, type Tone } from "../../components";
import { useStudio } from "../../studio";
import { percent, sentence as inWords } from "../../words";

const LEVELS: Record<string, readonly [Tone, string]> = { ok: ["good", "failed"], warn: ["warn", "warning"], danger: ["bad", "danger"] };

/** Attacks by somebody with further data, and what no guard covers. */
export function Attacks({ report, withSource }: { report: InternalReport; withSource: boolean }) {
  const { wordsOf } = useStudio();
  const findings = report.attacks ?? [];
  const weaknesses = Object.entries(report.weaknesses ?? {});
  return (
    <div className="stack">
      <Section
        title="Attacks"
        hint={`${withSource ? "Carried out with the source, as only its owner can." : "Carried out on what is published: the rows of the source stay where they are."} “Failed” means that this attack failed, not that every attack would.`}>
        {!findings.length && <p className="quiet">No attack applies to this kind of release.</p>}
        <ul className="findings">
          {findings.map((finding, i) => (
            <li key={i} className="stack-s">
              <div className="row-s">
                <Badge tone={LEVELS[finding.level]?.[0] ?? "warn"}>{LEVELS[finding.level]?.[1] ?? finding.level}</Badge>
                <strong>{wordsOf(finding.attack)}</strong>
                {finding.average !== null && <span className="quiet small">on average {percent(finding.average)}</span>}
                {finding.baseline !== null && (
                  <span className="quiet small">
                    {finding.against}: {percent(finding.baseline)}
                  </span>
                )}
              </div>
              <p className="small">{inWords(finding.verdict)}</p>
            </li>
          ))}
        </ul>
      </Section>
      {weaknesses.length > 0 && (
        <Section title="Not covered by the promises">
          <ul className="findings">
            {weaknesses.map(([name, sentence]) => (
              <li key={name} className="small">
                <strong>{wordsOf(name)}</strong>: {sentence}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}
