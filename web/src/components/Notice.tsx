import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

export type Tone = "info" | "good" | "warn" | "bad";

const ICONS: Record<Tone, IconName> = { info: "info", good: "check", warn: "warning", bad: "warning" };

/** A sentence that stands where it belongs, with what can be done about it. */
export function Notice({ tone = "info", children, action }: { tone?: Tone; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`}>
      <Icon name={ICONS[tone]} />
      <div className="grow">{children}</div>
      {action}
    </div>
  );
}
