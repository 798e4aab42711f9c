import { useState } from "react";
import { call } from "../../api/client";
import type { SessionHead } from "../../api/types";
import { Confirm } from "../../components/Confirm";
import { IconButton } from "../../components/IconButton";
import { complain, tell } from "../../components/toasts";
import { href } from "../../router";
import { day, plural } from "../../words";

/** Earlier sessions, newest first; deleting one removes its folder with all files in it. */
export function Sessions({ sessions, onChanged }: { sessions: SessionHead[]; onChanged: () => void }) {
  const [leaving, setLeaving] = useState<SessionHead | null>(null);
  const drop = async (session: SessionHead): Promise<void> => {
    try {
      await call("DELETE /api/sessions/{session}", { path: { session: session.id } });
      tell(`“${session.name}” and its files are gone.`);
    } catch (error) {
      complain(error);
    }
    onChanged();
  };
  return (
    <>
      <ul className="sessions">
        {sessions.map((session) => (
          <li key={session.id} className="session">
            <a className="session-link" href={href(session.id, "open")}>
              <span className="choice-title cut">{session.name || session.source || "Untitled"}</span>
              <span className="quiet small">
                {[
                  session.source,
                  session.rows === null ? null : plural(session.rows, "row"),
                  session.runs ? plural(session.runs, "run") : null,
                  day(session.changed),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </a>
            <IconButton icon="trash" label={`Delete ${session.name || session.source || "session"}`} onPress={() => setLeaving(session)} />
          </li>
        ))}
      </ul>
      <Confirm
        title="Delete this session?"
        text={`“${leaving?.name ?? ""}” goes with everything in it: uploaded files, runs and notes. This cannot be undone.`}
        action="Delete it"
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={() => leaving && void drop(leaving)}
      />
    </>
  );
}
