import {
  Button,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { messageOf } from "../api/client";
import { Icon } from "./Icon";

interface Message {
  text: string;
  tone: "info" | "bad";
}

const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 });

/** Show a short message. */
export function notify(text: string): void {
  queue.add({ text, tone: "info" }, { timeout: 5000 });
}

/** Show why something failed, long enough to be read. */
export function showError(error: unknown): void {
  queue.add({ text: messageOf(error), tone: "bad" }, { timeout: 12000 });
}

export function Toasts() {
  return (
    <ToastRegion queue={queue} className="toasts" aria-label="Messages">
      {({ toast }) => (
        <Toast toast={toast} className={`toast toast-${toast.content.tone}`}>
          <Icon name={toast.content.tone === "bad" ? "warning" : "check"} />
          <ToastContent className="grow">
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          <Button slot="close" aria-label="Dismiss" className="icon-button">
            <Icon name="cross" size={16} />
          </Button>
        </Toast>
      )}
    </ToastRegion>
  );
}
