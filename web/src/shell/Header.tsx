import { useEffect, useState } from "react";
import { IconButton } from "../components/IconButton";
import { useStudio } from "../studio/context";
import { Brand } from "./Brand";
import { History } from "./History";
import { SessionName } from "./SessionName";
import { ThemeButton } from "./ThemeButton";

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && Boolean(target.closest("input:not([type=range]), textarea, [contenteditable]"));
}

/** What is open, and undo for everything: Ctrl+Z and Ctrl+Shift+Z outside of text fields. */
export function Header() {
  const { session, change } = useStudio();
  const [showing, setShowing] = useState(false);
  const { can_undo: canUndo, can_redo: canRedo, history } = session;
  const done = history.filter((entry) => entry.done);
  const next = history[done.length];

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || typing(event.target)) return;
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey && canUndo) void change("POST /api/sessions/{session}/undo", {});
      else if ((key === "y" || (key === "z" && event.shiftKey)) && canRedo) void change("POST /api/sessions/{session}/redo", {});
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [canUndo, canRedo, change]);

  return (
    <header className="top">
      <Brand />
      <SessionName />
      <div className="top-tools" role="group" aria-label="Undo and history">
        <IconButton
          icon="undo"
          label="Undo"
          hint={canUndo ? `Undo: ${done.at(-1)?.sentence ?? ""}` : "Nothing to undo"}
          isDisabled={!canUndo}
          onPress={() => void change("POST /api/sessions/{session}/undo", {})}
        />
        <IconButton
          icon="redo"
          label="Redo"
          hint={canRedo ? `Redo: ${next?.sentence ?? ""}` : "Nothing to redo"}
          isDisabled={!canRedo}
          onPress={() => void change("POST /api/sessions/{session}/redo", {})}
        />
        <IconButton icon="history" label="History" onPress={() => setShowing(true)} />
        <ThemeButton />
      </div>
      <History isOpen={showing} onClose={() => setShowing(false)} />
    </header>
  );
}
