import type { ReactNode } from "react";
import { Checkbox as AriaCheckbox, type CheckboxProps } from "react-aria-components";
import { Icon } from "./Icon";

export function Checkbox({
  children,
  hint,
  ...rest
}: Omit<CheckboxProps, "children" | "className"> & { children: ReactNode; hint?: string | undefined }) {
  return (
    <AriaCheckbox {...rest} className="checkbox">
      <span className="checkbox-box" aria-hidden="true">
        <Icon name="check" size={14} />
      </span>
      <span>
        {children}
        {hint && <span className="quiet small block">{hint}</span>}
      </span>
    </AriaCheckbox>
  );
}
