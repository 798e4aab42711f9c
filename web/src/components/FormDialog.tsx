import type { ReactNode } from "react";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

interface Props {
  title: string;
  /** The label of the button that submits. */
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onSubmit: () => void;
  isDisabled?: boolean;
  wide?: boolean;
  /** The action deletes something for good. */
  isDangerous?: boolean;
  /** Replaces Cancel. */
  cancel?: ReactNode;
  children: ReactNode;
}

/** A dialog with a form, submitted by its button or by Enter. */
export function FormDialog({
  title,
  action,
  isOpen,
  onClose,
  onSubmit,
  isDisabled = false,
  wide = false,
  isDangerous = false,
  cancel,
  children,
}: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} wide={wide}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDisabled) onSubmit();
        }}>
        {children}
        <div className="row dialog-actions">
          {cancel || <Button onPress={onClose} label="Cancel" />}
          <Button variant={isDangerous ? "danger" : "primary"} type="submit" isDisabled={isDisabled} label={action} />
        </div>
      </form>
    </Dialog>
  );
}
