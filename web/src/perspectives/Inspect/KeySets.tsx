import { useEffect, useState } from "react";
import type { KeySets as Answer } from "../../api/types";
import { useLatest } from "../../api/useLatest";
import { Bar } from "../../charts/BarList";
import { Messages, Pending, Section, Segments, optionsOf } from "../../components";
import { useJob, useStudio } from "../../studio";
import { percent, plural } from "../../words";

const SHOWN = 12;

/** How many records are exposed by each set of columns, before and after, as bars. */
export function KeySets({ candidate }: { candidate: string }) {
  const { ask } = useStudio();
  const [size, setSize] = useState("2");
  const job = useJob<Answer>();
  const { start } = job;
  const latestAsk = useLatest(ask);
  useEffect(
    () => start(() => latestAsk.current("POST /api/sessions/{session}/inspect/key-sets", { body: { candidate, size: Number(size) } })),
    [candidate, size, start, latestAsk],
  );
  const sets = job.answer?.sets ?? [];
  const listed = sets.toSorted((a, b) => b.exposed_before - a.exposed_before).slice(0, SHOWN);
  const most = Math.max(0.01, ...listed.flatMap((risk) => [risk.exposed_before, risk.exposed_after ?? 0]));
  return (
    <Section
      title="Risk by set of columns"
      hint="What somebody learns who knows only these columns: the share of records that look like fewer than 4 others.">
      <Segments label="Columns in a set, at most" value={size} onChange={setSize} options={optionsOf({ "1": "1", "2": "2", "3": "3" })} />
      <Messages tone="bad" texts={[job.error]} />
      <Pending of={{ data: job.answer, error: job.error }} label="Counting" />
      <ul className="key-sets" aria-label="Risk by set of columns">
        {listed.map((risk) => (
          <li key={risk.columns.join()} className="key-set">
            <span className="wrap">{risk.columns.join(" + ")}</span>
            <span className="key-set-bars">
              <Bar share={risk.exposed_before / most} tone="before" />
              <Bar share={(risk.exposed_after ?? 0) / most} tone="after" />
            </span>
            <span className="numeric small">
              {percent(risk.exposed_before)} → {risk.exposed_after === null ? "–" : percent(risk.exposed_after)}
              <span className="quiet block">
                smallest group {risk.smallest_before} → {risk.smallest_after ?? "–"}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {sets.length > SHOWN && <p className="quiet small">{plural(sets.length - SHOWN, "set")} with fewer such records not shown.</p>}
    </Section>
  );
}
