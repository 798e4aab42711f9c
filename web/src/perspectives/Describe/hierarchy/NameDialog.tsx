import { useEffect, useState } from "react";
import { Button } from "../../../components/Button";
import { Dialog } from "../../../components/Dialog";
import { TextField } from "../../../components/TextField";

interface Props {
  title: string;
  action: string;
  start: string;
  isOpen: boolean;
  onClose: () => void;
  onName: (name: string) => void;
}

export function NameDialog({ title, action, start, isOpen, onClose, onName }: Props) {
  const [name, setName] = useState(start);
  useEffect(() => {
    if (isOpen) setName(start);
  }, [isOpen]);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) onName(name.trim());
        }}
      >
        <TextField label="Name" value={name} onChange={setName} autoFocus />
        <div className="row dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" isDisabled={!name.trim()}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
