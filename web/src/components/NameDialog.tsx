import { useState } from "react";
import { FormDialog } from "./FormDialog";
import { TextField } from "./TextField";

interface Props {
  title: string;
  action?: string;
  name: string;
  /** A second field below the name; null where there is none. */
  note?: { label: string; text: string; hint?: string } | null;
  onClose: () => void;
  onSave: (name: string, note: string) => void;
}

/** Asks for a name, and for a note where there is one. Render it only while it is open. */
export function NameDialog({ title, action = "Save", name: first, note = null, onClose, onSave }: Props) {
  const [name, setName] = useState(first);
  const [text, setText] = useState(note?.text ?? "");
  return (
    <FormDialog title={title} action={action} isOpen onClose={onClose} onSubmit={() => onSave(name.trim(), text)} isDisabled={!name.trim()}>
      <TextField label="Name" value={name} onChange={setName} autoFocus />
      {note && <TextField label={note.label} rows={5} value={text} onChange={setText} hint={note.hint} />}
    </FormDialog>
  );
}
