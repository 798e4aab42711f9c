import { useEffect, useState } from "react";
import { IconButton } from "../components";
import { useStudio } from "../studio";
import { Brand } from "./Brand";
import { History } from "./History";
import { SessionName } from "./SessionName";
import { ThemeButton } from "./ThemeButton";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && Boolean(target.closest("input:not([type=range]), textarea, [contenteditable]"));
}

/** The session's name, and undo for everything: Ctrl+Z and Ctrl+Shift+Z outside of text fields. */
export function Header() {
  const { session, change } = useStudio();
  const [isOpen, setOpen] = useState(false);
  const { undo, redo } = session;

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey && undo !== null) void change("POST /api/sessions/{session}/undo", {});
      else if ((key === "y" || (key === "z" && event.shiftKey)) && redo !== null) void change("POST /api/sessions/{session}/redo", {});
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [undo, redo, change]);

  const tools = [
    { icon: "undo", label: "Undo", about: undo, endpoint: "POST /api/sessions/{session}/undo" },
    { icon: "redo", label: "Redo", about: redo, endpoint: "POST /api/sessions/{session}/redo" },
  ] as const;
  return (
    <header className="top">
      <Brand />
      <SessionName />
      <div className="top-tools" role="group" aria-label="Undo and history">
        {tools.map(({ icon, label, about, endpoint }) => (
          <IconButton
            key={icon}
            icon={icon}
            label={label}
            hint={about === null ? `Nothing to ${icon}` : `${label}: ${about}`}
            isDisabled={about === null}
            onPress={() => void change(endpoint, {})}
          />
        ))}
        <IconButton icon="history" label="History" onPress={() => setOpen(true)} />
        <ThemeButton />
      </div>
      {isOpen && <History onClose={() => setOpen(false)} />}
    </header>
  );
}
