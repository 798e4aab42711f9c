import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { count, figure, percent } from "../../words";
import type { Report, Rule } from "./report";

/** The rules by which groups are denied most, in the source and in what is published. */
export function Rules({ report }: { report: Report }) {
  const before = (report.report.guards_before ?? []).filter((guard) => guard.rules.length);
  const after = (report.report.rules ?? []).filter((guard) => guard.rules.length);
  const asked = [...(report.report.guards_before ?? []), ...(report.report.rules ?? [])].length > 0;
  if (!before.length && !after.length) {
    return (
      <Section title="Discriminatory rules">
        <p className="quiet">
          {asked
            ? "No guard found a rule. Promise alpha-protection (Promise) to have rules looked for in the protected groups."
            : "Nothing was promised about discrimination."}
        </p>
      </Section>
    );
  }
  return (
    <div className="stack">
      {before.map((guard, i) => (
        <Section key={`b${i}`} title={`Before: ${guard.kind}`}>
          <Notice tone={guard.holds ? "good" : "warn"}>{guard.sentence}</Notice>
          <RuleTable rules={guard.rules} label="Strongest rules before" />
        </Section>
      ))}
      {after.map((guard, i) => (
        <Section key={`a${i}`} title={`After: ${guard.kind}`} hint="The strongest that are left; none of them reaches the limit.">
          <RuleTable rules={guard.rules} label="Strongest rules after" />
        </Section>
      ))}
      {!after.length && <Section title="After"><p className="quiet">No rule about a protected group is left.</p></Section>}
    </div>
  );
}

function RuleTable({ rules, label }: { rules: readonly Rule[]; label: string }) {
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={label}>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">Group</th><th scope="col">Context</th>
            <th scope="col" className="numeric">{rules[0]?.measure ?? "value"}</th>
            <th scope="col" className="numeric">Denied in the group</th><th scope="col" className="numeric">Denied elsewhere</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, i) => (
            <tr key={i}>
              <th scope="row"><bdi>{words(rule.group)}</bdi></th>
              <td><bdi>{words(rule.context) || "everybody"}</bdi></td>
              <td className="numeric">{rule.value === null ? "∞" : figure(rule.value)}</td>
              <td className="numeric">{share(rule.a1, rule.n1)}</td>
              <td className="numeric">{share(rule.a2, rule.n2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function words(values: Record<string, unknown>): string {
  return Object.entries(values).map(([name, value]) => `${name} = ${String(value)}`).join(", ");
}

function share(denied: number, all: number): string {
  return all ? `${percent(denied / all)} (${count(denied)} of ${count(all)})` : "–";
}
