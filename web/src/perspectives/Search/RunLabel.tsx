import { useEffect, useState } from "react";
import type { RunHead } from "../../api/types";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { TextField } from "../../components/TextField";
import { useStudio } from "../../studio/context";

/** Name and note of a run. */
export function RunLabel({ run, isOpen, onClose }: { run: RunHead; isOpen: boolean; onClose: () => void }) {
  const { change } = useStudio();
  const [name, setName] = useState(run.name);
  const [note, setNote] = useState(run.note);
  useEffect(() => {
    if (!isOpen) return;
    setName(run.name);
    setNote(run.note);
  }, [isOpen]);
  const save = async (): Promise<void> => {
    if (await change("PUT /api/sessions/{session}/runs/{run}", { path: { run: run.id }, body: { name, note } })) onClose();
  };
  return (
    <Dialog title="Name and note" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label="Name" value={name} onChange={setName} autoFocus />
        <TextField label="Note" rows={4} value={note} onChange={setNote} />
        <div className="row dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
