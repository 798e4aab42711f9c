import { Button } from "./Button";
import { Dialog } from "./Dialog";

interface Props {
  title: string;
  text: string;
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something is gone for good. */
export function Confirm({ title, text, action, isOpen, onClose, onConfirm }: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p>{text}</p>
      <div className="row dialog-actions">
        <Button autoFocus onPress={onClose}>
          Keep it
        </Button>
        <Button
          variant="danger"
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
