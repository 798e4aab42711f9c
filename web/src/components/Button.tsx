import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import { Icon, type IconName } from "./Icon";

export interface ButtonProps extends Omit<AriaButtonProps, "children" | "className"> {
  /** Primary marks the next thing to do: one per screen. */
  variant?: "primary" | "secondary" | "quiet" | "danger";
  size?: "m" | "s";
  icon?: IconName;
  label: string;
}

export function Button({ variant = "secondary", size = "m", icon, label, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={`button button-${variant} button-${size}`}>
      {icon && <Icon name={icon} size={size === "s" ? 16 : 18} />}
      <span>{label}</span>
    </AriaButton>
  );
}
