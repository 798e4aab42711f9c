import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

interface Props {
  icon?: IconName;
  title: string;
  text: string;
  action?: ReactNode;
}

/** Nothing here yet: says what would be here and what to do next. */
export function EmptyState({ icon = "info", title, text, action }: Props) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      <p className="quiet">{text}</p>
      {action}
    </div>
  );
}
