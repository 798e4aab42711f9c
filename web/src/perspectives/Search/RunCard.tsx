import { type ReactNode, useState } from "react";
import type { RunHead, State } from "../../api/types";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/IconButton";
import { LinkButton } from "../../components/LinkButton";
import { Notice, type Tone } from "../../components/Notice";
import { Progress } from "../../components/Progress";
import { href } from "../../router";
import { useStudio } from "../../studio/context";
import { day, duration, plural } from "../../words";
import { RunLabel } from "./RunLabel";

const TONES: Record<State, Tone> = { running: "info", done: "good", failed: "bad", cancelled: "warn", interrupted: "warn" };

/** A run: how far it is, what it found, and what can be done with it. */
export function RunCard({ run, children }: { run: RunHead; children?: ReactNode }) {
  const { session, change } = useStudio();
  const [labelling, setLabelling] = useState(false);
  const path = { run: run.id };
  const running = run.state === "running";
  const methods = run.methods.map((spec) => String(spec.kind)).join(", ");
  return (
    <>
      <div className="row spread">
        <div className="grow">
          <div className="row-s">
            <h3>{run.name || methods}</h3>
            <Badge tone={TONES[run.state]}>{run.state}</Badge>
            {run.stale && <Badge tone="warn">for an earlier request</Badge>}
          </div>
          <p className="quiet small numeric" aria-live="polite">
            {[methods, `${plural(run.found, "candidate")} found`, running ? null : duration(run.seconds), day(run.started)].filter(Boolean).join(" · ")}
          </p>
        </div>
        <div className="row-s">
          {running ? (
            <Button size="s" icon="stop" onPress={() => void change("POST /api/sessions/{session}/runs/{run}/cancel", { path })}>
              Cancel
            </Button>
          ) : (
            run.found > 0 && (
              <LinkButton size="s" href={href(session.id, "explore")}>
                Explore
              </LinkButton>
            )
          )}
          {(run.state === "interrupted" || run.state === "cancelled" || run.state === "failed") && (
            <Button size="s" icon="play" onPress={() => void change("POST /api/sessions/{session}/runs/{run}/again", { path })}>
              Start again
            </Button>
          )}
          {children}
          <IconButton icon="edit" label={`Name and note of ${run.name || run.id}`} onPress={() => setLabelling(true)} />
          <IconButton icon="trash" label={`Delete ${run.name || run.id}`} hint="Delete this run; undo brings it back" onPress={() => void change("DELETE /api/sessions/{session}/runs/{run}", { path })} />
        </div>
      </div>
      {running && <Progress label={run.doing || "Starting"} share={run.share} text={run.remaining === null ? undefined : `${run.remaining < 1 ? "" : "about "}${duration(run.remaining)} left`} />}
      {run.note && <p className="run-note small">{run.note}</p>}
      {run.error && <Notice tone="bad">{run.error}</Notice>}
      {run.failed.map((sentence) => (
        <Notice key={sentence} tone="warn">
          {sentence}
        </Notice>
      ))}
      {run.notes.map((sentence) => (
        <p key={sentence} className="quiet small">
          {sentence}
        </p>
      ))}
      <RunLabel run={run} isOpen={labelling} onClose={() => setLabelling(false)} />
    </>
  );
}
