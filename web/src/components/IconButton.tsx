import { Button, type ButtonProps, Tooltip, TooltipTrigger } from "react-aria-components";
import { Icon, type IconName } from "./Icon";

interface Props extends Omit<ButtonProps, "children" | "className" | "aria-label"> {
  icon: IconName;
  label: string;
  /** More than the label, shown while the pointer rests on it. */
  hint?: string;
  size?: number;
}

/** A button that shows only an icon; its label is read aloud and shown as a tooltip. */
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
