import { FieldError, Input, Label, TextArea, TextField as AriaTextField, type TextFieldProps } from "react-aria-components";
import { Hint } from "./Hint";

interface Props extends Omit<TextFieldProps, "className" | "children"> {
  label: string;
  hint?: string | undefined;
  error?: string | null | undefined;
  placeholder?: string;
  rows?: number;
  hideLabel?: boolean;
}

export function TextField({ label, hint, error, placeholder, rows, hideLabel, ...rest }: Props) {
  return (
    <AriaTextField {...rest} isInvalid={Boolean(error)} className="field">
      <Label className={hideLabel ? "unseen" : "label"}>{label}</Label>
      {rows ? <TextArea className="input" rows={rows} placeholder={placeholder} /> : <Input className="input" placeholder={placeholder} />}
      <Hint>{hint}</Hint>
      <FieldError className="field-error">{error}</FieldError>
    </AriaTextField>
  );
}
