import { Button, type ButtonProps, Tooltip, TooltipTrigger } from "react-aria-components";
import { Icon, type IconName } from "./Icon";

interface Props extends Omit<ButtonProps, "children" | "className" | "aria-label"> {
  icon: IconName;
  label: string;
  /** The tooltip, where it says more than the label. */
  hint?: string;
  size?: number;
}

/** A button with only an icon; its label is read by screen readers and shown as a tooltip. */
export function IconButton({ icon, label, hint, size = 18, ...rest }: Props) {
  return (
    <TooltipTrigger delay={500}>
      <Button {...rest} aria-label={label} className="icon-button">
        <Icon name={icon} size={size} />
      </Button>
      <Tooltip className="tooltip" offset={6}>
        {hint ?? label}
      </Tooltip>
    </TooltipTrigger>
  );
}
