import type { ReactNode } from "react";
import { Link } from "react-aria-components";
import { Icon, type IconName } from "./Icon";

interface Props {
  href: string;
  variant?: "primary" | "secondary" | "quiet";
  size?: "m" | "s";
  icon?: IconName;
  children: ReactNode;
  /** Saves what the address holds instead of going there. */
  download?: boolean | string;
  target?: "_blank";
}

/** Goes somewhere, looks like a button. */
export function LinkButton({ href, variant = "secondary", size = "m", icon, children, download, target }: Props) {
  return (
    <Link
      href={href}
      className={`button button-${variant} button-${size} link-button`}
      {...(download === undefined ? {} : { download })}
      {...(target ? { target, rel: "noreferrer" } : {})}
    >
      {icon && <Icon name={icon} size={size === "s" ? 16 : 18} />}
      <span>{children}</span>
    </Link>
  );
}
