import { Link } from "react-aria-components";
import { Icon, type IconName } from "./Icon";

interface Props {
  href: string;
  variant?: "primary" | "secondary" | "quiet";
  size?: "m" | "s";
  icon?: IconName;
  label: string;
  /** Saves the target as a file instead of opening it. */
  download?: boolean | string;
  target?: "_blank";
}

/** A link that looks like a button. */
export function LinkButton({ href, variant = "secondary", size = "m", icon, label, download, target }: Props) {
  return (
    <Link
      href={href}
      className={`button button-${variant} button-${size} link-button`}
      {...(download === undefined ? {} : { download })}
      {...(target ? { target, rel: "noreferrer" } : {})}>
      {icon && <Icon name={icon} size={size === "s" ? 16 : 18} />}
      <span>{label}</span>
    </Link>
  );
}
