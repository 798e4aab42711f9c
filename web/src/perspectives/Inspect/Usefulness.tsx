import type { ReportAnswer } from "../../api/types";
import { Whiskers } from "../../charts/Whiskers";
import { useJob } from "../../candidates/useJob";
import { Button } from "../../components/Button";
import { Notice } from "../../components/Notice";
import { Progress } from "../../components/Progress";
import { Section } from "../../components/Section";
import { useStudio } from "../../studio/context";
import { count, percent } from "../../words";
import type { Estimate, Model, Report, Utility } from "./report";

const TRIED: Record<string, string> = {
  "original original": "learnt from the source",
  "release recoded": "learnt from the release, tested on recoded records",
  "release original": "learnt from the release, tested on records as they are",
};

/** Models that learn from the release against models that learn from the source, and how both treat groups. */
export function Usefulness({ candidate }: { candidate: string }) {
  const { ask, session } = useStudio();
  const job = useJob<ReportAnswer>();
  const decided = Object.values(session.document.roles).some((roles) => roles.includes("decision"));
  const utility = (job.answer?.report as Report | undefined)?.utility;
  const start = (): void =>
    job.start(() => ask("POST /api/sessions/{session}/inspect/report", { body: { candidate, utility: true } }));
  if (utility) return <Tried utility={utility} />;
  return (
    <Section title="What can still be learnt?" hint="Some people of the source are set aside; models learn from the rest and are tested on them, with 95 % intervals.">
      {!decided && <Notice tone="info">Models need a decision to predict: give one column that role in Describe.</Notice>}
      {job.error && <Notice tone="bad">{job.error}</Notice>}
      {job.running && job.view && <Progress label={job.view.doing || "Training models"} share={job.view.share} />}
      <div className="row">
        <Button variant="secondary" icon="play" isDisabled={!decided || job.running} onPress={start}>Try models on it</Button>
        {job.running && <Button onPress={job.cancel}>Stop</Button>}
        {!job.running && <span className="quiet small">This takes from a few seconds to minutes.</span>}
      </div>
    </Section>
  );
}

function Tried({ utility }: { utility: Utility }) {
  const name = (model: Model): string => TRIED[`${model.trained} ${model.tested}`] ?? `${model.trained}, ${model.tested}`;
  const scores = [...new Set(utility.models.flatMap((model) => Object.keys(model.scores)))];
  const columns = [...new Set(utility.models.flatMap((model) => model.fairness.map((fairness) => fairness.column)))];
  return (
    <div className="stack">
      <Section title="How often models are right" hint={`${count(utility.test_rows)} people nobody learnt from. Always saying the most frequent decision: ${percent(utility.guess)}.`}>
        <Whiskers
          label="Accuracy of each model"
          mark={utility.guess}
          lines={utility.models.flatMap((model) => (model.scores.accuracy ? [{ name: `${model.classifier}, ${name(model)}`, estimate: model.scores.accuracy, kind: kind(model) }] : []))}
        />
        <div className="scroll-x" tabIndex={0} role="region" aria-label="All scores">
          <table className="figures">
            <thead><tr><th scope="col">Model</th>{scores.map((score) => <th key={score} scope="col" className="numeric">{score}</th>)}<th scope="col" className="numeric">accuracy lost</th></tr></thead>
            <tbody>
              {utility.models.map((model, i) => (
                <tr key={i}>
                  <th scope="row">{model.classifier}<div className="quiet small">{name(model)}</div></th>
                  {scores.map((score) => <td key={score} className="numeric">{interval(model.scores[score])}</td>)}
                  <td className="numeric">{model.trained === "original" ? "–" : interval(model.lost.accuracy)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
      {columns.map((column) => (
        <Section key={column} title={`Favourable decisions by ${column}`} hint="If groups are far apart, whoever uses the model treats them differently.">
          <Whiskers
            label={`Favourable decisions by ${column}`}
            lines={utility.models.flatMap((model) => model.fairness.filter((fairness) => fairness.column === column).flatMap((fairness) =>
              fairness.groups.map((group) => ({
                name: `${String(group.group)}: ${model.classifier}, ${name(model)}`,
                estimate: { value: group.positive, low: group.low, high: group.high },
                kind: kind(model),
              }))))}
          />
        </Section>
      ))}
    </div>
  );
}

function kind(model: Model): number {
  return Object.keys(TRIED).indexOf(`${model.trained} ${model.tested}`);
}

function interval(estimate: Estimate | undefined): string {
  if (!estimate) return "–";
  return `${percent(estimate.value)} (${percent(estimate.low)} to ${percent(estimate.high)})`;
}
