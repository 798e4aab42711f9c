import { useState } from "react";
import type { Estimate, Model, ReportAnswer, UtilityFacts } from "../../api/types";
import { RocCurves } from "../../charts/RocCurves";
import { Whiskers } from "../../charts/Whiskers";
import { Button, FigureTable, Messages, Notice, Progress, Section, Segments } from "../../components";
import { useJob, useStudio } from "../../studio";
import { count, percent, sentence } from "../../words";

const TRAINING: Record<string, string> = {
  "original original": "trained on the source",
  "release recoded": "trained on the release, tested on recoded records",
  "release original": "trained on the release, tested on original records",
};

/** Models trained on the release against models trained on the source, and how both treat groups. */
export function Usefulness({ candidate }: { candidate: string }) {
  const { ask, session } = useStudio();
  const job = useJob<ReportAnswer>();
  const hasDecision = Object.values(session.document.roles).some((roles) => roles.includes("decision"));
  const utility = job.answer?.report.utility;
  const start = (): void => job.start(() => ask("POST /api/sessions/{session}/inspect/report", { body: { candidate, utility: true } }));
  if (utility) return <Results utility={utility} />;
  return (
    <Section
      title="What can models still learn?"
      hint="Models are trained on a part of the records and tested on the rest, with 95 % confidence intervals.">
      {!hasDecision && <Notice>Models predict a decision. Give one column that role under Describe.</Notice>}
      <Messages tone="bad" texts={[job.error]} />
      {job.running && job.view && <Progress label={job.view.doing || "Training models"} share={job.view.share} />}
      <div className="row">
        <Button variant="secondary" icon="play" isDisabled={!hasDecision || job.running} onPress={start} label="Train models" />
        {job.running && <Button onPress={job.cancel} label="Stop" />}
        {!job.running && <span className="quiet small">This takes from a few seconds to several minutes.</span>}
      </div>
    </Section>
  );
}

function Results({ utility }: { utility: UtilityFacts }) {
  const { titleOf } = useStudio();
  const name = trainingOf;
  const scores = [...new Set(utility.models.flatMap((model) => Object.keys(model.scores)))];
  const columns = [...new Set(utility.models.flatMap((model) => model.fairness.map((fairness) => fairness.column)))];
  return (
    <div className="stack">
      <Section
        title="Accuracy of the models"
        hint={`Tested on ${count(utility.test_rows)} records. Always predicting the most frequent decision: ${percent(utility.guess)}.`}>
        <Whiskers
          label="Accuracy of each model"
          mark={utility.guess}
          lines={utility.models.flatMap((model) =>
            model.scores.accuracy
              ? [{ name: `${model.classifier}, ${name(model)}`, estimate: model.scores.accuracy, kind: kind(model) }]
              : [],
          )}
        />
        <FigureTable
          label="All scores"
          heads={["Model", ...[...scores.map(titleOf), "accuracy lost"].map((label) => ({ label, numeric: true }))]}
          rows={utility.models.map((model) => [
            <>
              {model.classifier}
              <div className="quiet small">{name(model)}</div>
            </>,
            ...scores.map((score) => interval(model.scores[score])),
            model.trained === "original" ? "–" : interval(model.lost.accuracy),
          ])}
        />
      </Section>
      <RocCurves models={utility.models} />
      {columns.map((column) => (
        <ByGroup key={column} column={column} utility={utility} />
      ))}
    </div>
  );
}

function trainingOf(model: Model): string {
  return TRAINING[`${model.trained} ${model.tested}`] ?? `${model.trained}, ${model.tested}`;
}

/** How models treat the groups of a column: one block per group of people, in it a line per kind of training. */
function ByGroup({ column, utility }: { column: string; utility: UtilityFacts }) {
  const classifiers = [...new Set(utility.models.map((model) => model.classifier))];
  const [classifier, setClassifier] = useState(classifiers[0] ?? "");
  const models = utility.models.filter((model) => model.classifier === classifier);
  const fairness = models.flatMap((model) =>
    model.fairness.filter((own) => own.column === column).flatMap((own) => own.groups.map((group) => ({ model, group }))),
  );
  const groups = [...new Set(fairness.map(({ group }) => String(group.group)))];
  return (
    <Section title={`Favourable decisions by ${column}`} hint="If the groups differ widely, the model treats them differently.">
      {classifiers.length > 1 && (
        <Segments
          label="Model"
          value={classifier}
          onChange={setClassifier}
          options={classifiers.map((id) => ({ id, label: sentence(id) }))}
        />
      )}
      <Whiskers
        label={`Favourable decisions by ${column}`}
        lines={groups.flatMap((name) =>
          fairness
            .filter(({ group }) => String(group.group) === name)
            .map(({ model, group }, i) => ({
              name: trainingOf(model),
              heading: i === 0 ? `${name} (${count(Number(group.rows))})` : "",
              estimate: { value: Number(group.positive), low: Number(group.low), high: Number(group.high) },
              kind: kind(model),
            })),
        )}
      />
    </Section>
  );
}

function kind(model: Model): number {
  return Object.keys(TRAINING).indexOf(`${model.trained} ${model.tested}`);
}

function interval(estimate: Estimate | undefined): string {
  if (!estimate) return "–";
  return `${percent(estimate.value)} (${percent(estimate.low)} to ${percent(estimate.high)})`;
}
