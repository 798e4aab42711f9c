import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";
import { LinkButton } from "./LinkButton";

export interface EmptyStateProps {
  icon?: IconName;
  title: string;
  text: string;
  /** The next thing to do: a label and where it leads, or a button. */
  action?: readonly [label: string, href: string] | ReactNode;
}

/** Shown where there is nothing yet: what will be here, and what to do next. */
export function EmptyState({ icon = "info", title, text, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      <p className="quiet">{text}</p>
      {isLink(action) ? <LinkButton variant="primary" href={action[1]} label={action[0]} /> : action}
    </div>
  );
}

function isLink(action: EmptyStateProps["action"]): action is readonly [string, string] {
  return Array.isArray(action);
}
