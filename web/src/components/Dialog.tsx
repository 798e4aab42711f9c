import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { IconButton } from "./IconButton";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** In the centre, or along the right edge. */
  position?: "centre" | "side";
  wide?: boolean;
}

export function Dialog({ title, isOpen, onClose, children, position = "centre", wide = false }: Props) {
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable className={`veil veil-${position}`}>
      <Modal className={`modal modal-${position}${wide ? " modal-wide" : ""}`}>
        <AriaDialog className="dialog">
          <div className="row spread dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton icon="cross" label="Close" onPress={onClose} />
          </div>
          <div className="dialog-body stack">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
