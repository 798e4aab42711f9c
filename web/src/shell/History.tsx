import { Button } from "react-aria-components";
import { Dialog } from "../components/Dialog";
import { Icon } from "../components/Icon";
import { clock } from "../words";
import { useStudio } from "../studio/context";

/** Everything that was decided, as sentences, newest first. A click goes to that point; nothing is lost by it. */
export function History({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { session, change } = useStudio();
  const steps = session.history.map((entry, i) => ({ ...entry, steps: i + 1 })).reverse();
  const now = session.history.filter((entry) => entry.done).length;
  const goTo = (count: number): void => void change("POST /api/sessions/{session}/history", { body: { steps: count } });
  return (
    <Dialog title="History" place="side" isOpen={isOpen} onClose={onClose}>
      <p className="quiet small">Choose a step to go back to it. Later steps stay until you change something else.</p>
      <ol className="history" aria-label="Steps, newest first">
        {steps.map((entry) => (
          <li key={entry.steps}>
            <Button
              className={`history-step${entry.done ? "" : " history-undone"}`}
              onPress={() => goTo(entry.steps)}
              {...(entry.steps === now ? { "aria-current": "step" as const } : {})}
            >
              <span className="history-mark" aria-hidden="true">
                {entry.steps === now && <Icon name="check" size={14} />}
              </span>
              <span className="grow">
                {entry.sentence}
                {!entry.done && <span className="unseen"> (undone)</span>}
              </span>
              <time className="quiet small numeric" dateTime={entry.at}>
                {clock(entry.at)}
              </time>
            </Button>
          </li>
        ))}
        <li>
          <Button className="history-step" onPress={() => goTo(0)} {...(now === 0 ? { "aria-current": "step" as const } : {})}>
            <span className="history-mark" aria-hidden="true">
              {now === 0 && <Icon name="check" size={14} />}
            </span>
            <span className="grow">Started the session</span>
          </Button>
        </li>
      </ol>
    </Dialog>
  );
}
