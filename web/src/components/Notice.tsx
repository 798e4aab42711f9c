import type { ReactNode } from "react";
import { sentence } from "../words";
import { Icon, type IconName } from "./Icon";

export type Tone = "info" | "good" | "warn" | "bad";

const ICONS: Record<Tone, IconName> = { info: "info", good: "check", warn: "warning", bad: "warning" };

/** A message in its place, with what can be done about it. */
export function Notice({ tone = "info", children, action }: { tone?: Tone; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`}>
      <Icon name={ICONS[tone]} />
      <div className="grow">{typeof children === "string" ? sentence(children) : children}</div>
      {action}
    </div>
  );
}

/** Messages: each as a notice, or as a quiet line where they have no tone. */
export function Messages({ texts, tone }: { texts: readonly (string | null | undefined)[]; tone?: Tone }) {
  return texts
    .filter((text): text is string => Boolean(text))
    .map((text) =>
      tone ? (
        <Notice key={text} tone={tone}>
          {text}
        </Notice>
      ) : (
        <p key={text} className="quiet small">
          {sentence(text)}
        </p>
      ),
    );
}

export function Badge({ tone = "info", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
