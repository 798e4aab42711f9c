import { type ReactNode, useState } from "react";
import type { RunHead, State } from "../../api/types";
import { Badge, Button, IconButton, LinkButton, Messages, NameDialog, Progress, type Tone } from "../../components";
import { href } from "../../router";
import { useStudio } from "../../studio";
import { day, duration, plural } from "../../words";

const TONES: Record<State, Tone> = { running: "info", done: "good", failed: "bad", cancelled: "warn", interrupted: "warn" };

/** How many candidates a run has. */
function foundBy(run: RunHead): string {
  if (run.found > 0) return `${plural(run.found, "candidate")} ${run.state === "running" ? "so far" : "found"}`;
  return run.state === "running" ? "searching; candidates appear here as they are found" : "nothing found";
}

/** A run: its progress, its result, and what can be done with it. */
export function RunCard({ run, children }: { run: RunHead; children?: ReactNode }) {
  const { session, change, methodTitle } = useStudio();
  const [labelling, setLabelling] = useState(false);
  const path = { run: run.id };
  const running = run.state === "running";
  const save = async (name: string, note: string): Promise<void> => {
    if (await change("PUT /api/sessions/{session}/runs/{run}", { path, body: { name, note } })) setLabelling(false);
  };
  const methods = run.methods.map((spec) => methodTitle(String(spec.kind))).join(", ");
  return (
    <>
      <div className="row spread">
        <div className="grow">
          <div className="row-s">
            <h3>{run.name || methods}</h3>
            <Badge tone={TONES[run.state]}>{run.state}</Badge>
            {run.stale && <Badge tone="warn">for earlier settings</Badge>}
          </div>
          <p className="quiet small numeric" aria-live="polite">
            {[methods, foundBy(run), running ? null : duration(run.seconds), day(run.started)].filter(Boolean).join(" · ")}
          </p>
        </div>
        <div className="row-s">
          {running ? (
            <Button
              size="s"
              icon="stop"
              onPress={() => void change("POST /api/sessions/{session}/runs/{run}/cancel", { path })}
              label="Cancel"
            />
          ) : (
            run.found > 0 && <LinkButton size="s" href={href(session.id, "explore")} label="Explore" />
          )}
          {(run.state === "interrupted" || run.state === "cancelled" || run.state === "failed") && (
            <Button
              size="s"
              icon="play"
              onPress={() => void change("POST /api/sessions/{session}/runs/{run}/again", { path })}
              label="Start again"
            />
          )}
          {children}
          <IconButton icon="edit" label={`Name and note of ${run.name || run.id}`} onPress={() => setLabelling(true)} />
          <IconButton
            icon="trash"
            label={`Delete ${run.name || run.id}`}
            hint="Delete this run. Undo restores it."
            onPress={() => void change("DELETE /api/sessions/{session}/runs/{run}", { path })}
          />
        </div>
      </div>
      {running && (
        <Progress
          label={run.doing || "Starting"}
          share={run.share}
          text={run.remaining === null ? undefined : `${run.remaining < 1 ? "" : "about "}${duration(run.remaining)} left`}
        />
      )}
      {run.note && <p className="run-note small">{run.note}</p>}
      <Messages tone={run.state === "interrupted" ? "warn" : "bad"} texts={[run.error]} />
      <Messages tone="warn" texts={run.failed} />
      <Messages texts={run.notes} />
      {labelling && (
        <NameDialog
          title="Name and note"
          name={run.name}
          note={{ label: "Note", text: run.note }}
          onClose={() => setLabelling(false)}
          onSave={(name, note) => void save(name, note)}
        />
      )}
    </>
  );
}
