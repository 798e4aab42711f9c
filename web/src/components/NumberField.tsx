import { Button, FieldError, Group, Input, Label, NumberField as AriaNumberField, type NumberFieldProps } from "react-aria-components";
import { Hint } from "./Hint";
import { Icon } from "./Icon";

interface Props extends Omit<NumberFieldProps, "className" | "children"> {
  label: string;
  hint?: string | undefined;
  error?: string | null | undefined;
  hideLabel?: boolean;
}

export function NumberField({ label, hint, error, hideLabel, ...rest }: Props) {
  return (
    <AriaNumberField {...rest} isInvalid={Boolean(error)} className="field">
      <Label className={hideLabel ? "unseen" : "label"}>{label}</Label>
      <Group className="number">
        <Input className="input numeric" />
        <Button slot="decrement" className="number-step">
          <Icon name="minus" size={14} />
        </Button>
        <Button slot="increment" className="number-step">
          <Icon name="plus" size={14} />
        </Button>
      </Group>
      <Hint>{hint}</Hint>
      <FieldError className="field-error">{error}</FieldError>
    </AriaNumberField>
  );
}
