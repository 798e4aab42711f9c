import { useState } from "react";
import { useDebounced } from "../../api/useDebounced";
import { FigureTable, Pending, Section, Slider } from "../../components";
import { useAnswer } from "../../studio";
import { count, percent, sentence } from "../../words";

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5];

/** The risk as a prosecutor, a journalist and a marketer see it, and how many records are above a threshold. */
export function Attackers({ candidate, published, suppressed }: { candidate: string; published: number; suppressed: number }) {
  const [step, setStep] = useState(4);
  const threshold = useDebounced(STEPS[step] ?? 0.2);
  const risks = useAnswer("GET /api/sessions/{session}/inspect/attackers", { query: { candidate, threshold } });
  const share = (value: number | null): string => (value === null ? "–" : percent(value));
  const pair = (before: number | null, after: number | null): string =>
    before === null ? share(after) : `${share(before)} → ${share(after)}`;
  const people = (n: number | null, total: number): string => (n === null ? "–" : `${count(n)} (${percent(total ? n / total : 0)})`);
  return (
    <Section title="Risk by attacker" hint="In the source → in the release. A journalist's risk needs a population: set it under Describe.">
      <Slider
        label="Highest acceptable risk"
        min={0}
        max={STEPS.length - 1}
        step={1}
        value={step}
        output={percent(STEPS[step] ?? 0)}
        onChange={setStep}
        hint="Records with a higher risk are counted below, and are the first in the list at the end of this page."
      />
      <Pending of={risks} label="Computing the risks" />
      {risks.data && (
        <FigureTable
          label="Table of risks by attacker"
          heads={[
            "Attacker",
            { label: "Highest", numeric: true },
            { label: "Average", numeric: true },
            { label: "Above, in the source", numeric: true },
            { label: "Above, in the release", numeric: true },
          ]}
          rows={risks.data.map((risk) => [
            <>
              {sentence(risk.attacker)}
              <div className="quiet small">{sentence(risk.assumes)}</div>
            </>,
            pair(risk.highest_before, risk.highest),
            pair(risk.average_before, risk.average),
            people(risk.above_before, published + suppressed),
            people(risk.above, published),
          ])}
        />
      )}
    </Section>
  );
}
