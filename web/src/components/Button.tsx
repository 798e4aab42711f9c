import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import { Icon, type IconName } from "./Icon";

export interface ButtonProps extends Omit<AriaButtonProps, "children" | "className"> {
  /** One primary button per screen: what to do next. */
  variant?: "primary" | "secondary" | "quiet" | "danger";
  size?: "m" | "s";
  icon?: IconName;
  children: ReactNode;
}

export function Button({ variant = "secondary", size = "m", icon, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={`button button-${variant} button-${size}`}>
      {icon && <Icon name={icon} size={size === "s" ? 16 : 18} />}
      <span>{children}</span>
    </AriaButton>
  );
}
