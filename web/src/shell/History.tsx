import { Button } from "react-aria-components";
import { Dialog, Icon, Pending } from "../components";
import { useAnswer, useStudio } from "../studio";
import { clock } from "../words";

/** Every change as a sentence, newest first. A click goes to that point; later changes can be redone. */
export function History({ onClose }: { onClose: () => void }) {
  const { session, change } = useStudio();
  const history = useAnswer("GET /api/sessions/{session}/history", {}, String(session.version));
  const changes = history.data ?? [];
  const now = changes.filter((entry) => entry.done).length;
  const entries = [{ sentence: "Started the session", at: "", done: true, by: "" }, ...changes].map((entry, steps) => ({ entry, steps }));
  return (
    <Dialog title="History" position="side" isOpen onClose={onClose}>
      <p className="quiet small">Choose a step to return to it. Later steps are kept until you make another change.</p>
      <Pending of={history} label="Loading the history" />
      <ol className="history" aria-label="Steps, newest first">
        {entries.toReversed().map(({ entry, steps }) => (
          <li key={steps}>
            <Button
              className={`history-step${entry.done ? "" : " history-undone"}`}
              onPress={() => void change("POST /api/sessions/{session}/history", { body: { steps } })}
              {...(steps === now ? { "aria-current": "step" as const } : {})}>
              <span className="history-mark" aria-hidden="true">
                {steps === now && <Icon name="check" size={14} />}
              </span>
              <span className="grow">
                {entry.sentence}
                {entry.by && <span className="quiet small block">{entry.by}</span>}
                {!entry.done && <span className="unseen"> (undone)</span>}
              </span>
              {entry.at && (
                <time className="quiet small numeric" dateTime={entry.at}>
                  {clock(entry.at)}
                </time>
              )}
            </Button>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
