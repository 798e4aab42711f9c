import type { InternalReport, RuleFacts } from "../../api/types";
import { FigureTable, Notice, Section } from "../../components";
import { useStudio } from "../../studio";
import { count, figure, percent } from "../../words";

/** The strongest rules by which groups are denied, in the source and in the release. */
export function Rules({ report }: { report: InternalReport }) {
  const { wordsOf } = useStudio();
  const { guards_before: guardsBefore, rules } = report.report;
  const before = guardsBefore.filter((guard) => guard.rules.length);
  const after = rules.filter((guard) => guard.rules.length);
  if (!before.length && !after.length)
    return (
      <Section title="Discriminatory rules">
        <p className="quiet">
          {guardsBefore.length + rules.length > 0
            ? "The guards found no rules. Add α-protection under Promise to search for rules about protected groups."
            : "No promise is about discrimination."}
        </p>
      </Section>
    );
  return (
    <div className="stack">
      {before.map((guard) => (
        <Section key={guard.sentence} title={`Before: ${wordsOf(guard.kind)}`}>
          <Notice tone={guard.holds ? "good" : "warn"}>{guard.sentence}</Notice>
          <RuleTable rules={guard.rules} label="Strongest rules before" />
        </Section>
      ))}
      {after.map((guard) => (
        <Section
          key={guard.kind}
          title={`After: ${wordsOf(guard.kind)}`}
          hint="The strongest remaining rules. None of them reaches the limit.">
          <RuleTable rules={guard.rules} label="Strongest rules after" />
        </Section>
      ))}
      {!after.length && (
        <Section title="After">
          <p className="quiet">No rule about a protected group remains.</p>
        </Section>
      )}
    </div>
  );
}

function RuleTable({ rules, label }: { rules: readonly RuleFacts[]; label: string }) {
  const { catalog } = useStudio();
  const options = catalog.guards.flatMap(({ fields }) => fields).find(({ name }) => name === "measure")?.options;
  const measure = options?.[rules[0]?.measure ?? ""];
  const figures = [measure ? `Denied … ${measure}` : "Value", "Denied in the group", "Denied elsewhere"];
  return (
    <FigureTable
      label={label}
      heads={["Group", "Context", ...figures.map((head) => ({ label: head, numeric: true }))]}
      rows={rules.map((rule) => [
        <bdi key="group">{conditions(rule.group)}</bdi>,
        <bdi key="context">{conditions(rule.context) || "everybody"}</bdi>,
        rule.value === null ? "∞" : figure(rule.value),
        share(rule.a1, rule.n1),
        share(rule.a2, rule.n2),
      ])}
    />
  );
}

function conditions(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(", ");
}

function share(denied: number, all: number): string {
  return all ? `${percent(denied / all)} (${count(denied)} of ${count(all)})` : "–";
}
