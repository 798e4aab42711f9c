import { useState } from "react";
import { call } from "../../api/client";
import type { SessionHead } from "../../api/types";
import { FormDialog, IconButton, notify, showError } from "../../components";
import { href } from "../../router";
import { day, plural } from "../../words";

/** Earlier sessions, newest first. Deleting one removes its folder with all its files. */
export function Sessions({ sessions, onChanged }: { sessions: SessionHead[]; onChanged: () => void }) {
  const [deleting, setDeleting] = useState<SessionHead | null>(null);
  const remove = async (session: SessionHead): Promise<void> => {
    try {
      await call("DELETE /api/sessions/{session}", { path: { session: session.id } });
      notify(`Deleted “${session.name}” and its files.`);
    } catch (error) {
      showError(error);
    }
    setDeleting(null);
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
            <IconButton icon="trash" label={`Delete ${session.name || session.source || "session"}`} onPress={() => setDeleting(session)} />
          </li>
        ))}
      </ul>
      {deleting && (
        <FormDialog
          title="Delete this session?"
          action="Delete"
          isDangerous
          isOpen
          onClose={() => setDeleting(null)}
          onSubmit={() => void remove(deleting)}>
          <p>{`This deletes “${deleting.name}” with its uploaded files, runs and notes. It cannot be undone.`}</p>
        </FormDialog>
      )}
    </>
  );
}
