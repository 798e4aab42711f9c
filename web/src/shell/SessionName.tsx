import { useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { Button } from "../components/Button";
import { Dialog } from "../components/Dialog";
import { Icon } from "../components/Icon";
import { TextField } from "../components/TextField";
import { useStudio } from "../studio/context";
import { plural } from "../words";

/** What is open; a click renames the session. */
export function SessionName() {
  const { session, change } = useStudio();
  const [name, setName] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    if (name?.trim() && (await change("PUT /api/sessions/{session}/settings", { body: { name: name.trim() } }))) setName(null);
  };
  const shown = session.document.name || session.document.source?.title || "New session";
  return (
    <>
      <AriaButton className="session-name" onPress={() => setName(shown)}>
        <span className="cut">{shown}</span>
        {session.rows !== null && <span className="quiet small session-rows numeric">{plural(session.rows, "row")}</span>}
        <span className="unseen">: rename this session</span>
        <Icon name="edit" size={14} />
      </AriaButton>
      <Dialog title="Rename this session" isOpen={name !== null} onClose={() => setName(null)}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <TextField label="Name" value={name ?? ""} onChange={setName} autoFocus />
          <div className="row dialog-actions">
            <Button onPress={() => setName(null)}>Cancel</Button>
            <Button variant="primary" type="submit">
              Rename
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
