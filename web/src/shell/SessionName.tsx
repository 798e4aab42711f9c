import { useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { Button } from "../components/Button";
import { Dialog } from "../components/Dialog";
import { Icon } from "../components/Icon";
import { TextField } from "../components/TextField";
import { useStudio } from "../studio/context";
import { plural } from "../words";

/** What is open; a click opens its name and notes. */
export function SessionName() {
  const { session, change } = useStudio();
  const [name, setName] = useState<string | null>(null);
  const [notes, setNotes] = useState("");
  const save = async (): Promise<void> => {
    const { name: before, notes: noted } = session.document;
    const body = { ...(name?.trim() && name.trim() !== before ? { name: name.trim() } : {}), ...(notes !== noted ? { notes } : {}) };
    if (!Object.keys(body).length || (await change("PUT /api/sessions/{session}/settings", { body }))) setName(null);
  };
  const open = (): void => {
    setName(shown);
    setNotes(session.document.notes);
  };
  const shown = session.document.name || session.document.source?.title || "New session";
  return (
    <>
      <AriaButton className="session-name" onPress={open}>
        <span className="cut">{shown}</span>
        {session.rows !== null && <span className="quiet small session-rows numeric">{plural(session.rows, "row")}</span>}
        <span className="unseen">: name and notes</span>
        <Icon name="edit" size={14} />
      </AriaButton>
      <Dialog title="Name and notes of this session" isOpen={name !== null} onClose={() => setName(null)}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <TextField label="Name" value={name ?? ""} onChange={setName} autoFocus />
          <TextField label="Notes" rows={5} value={notes} onChange={setNotes} hint="For you only: they are in no release." />
          <div className="row dialog-actions">
            <Button onPress={() => setName(null)}>Cancel</Button>
            <Button variant="primary" type="submit">
              Save
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
