import type { ReactNode } from "react";
import { CheckboxGroup, Label } from "react-aria-components";
import { Checkbox } from "./Checkbox";
import { Hint } from "./Hint";

interface Props {
  label: string;
  hint?: string;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  options: readonly { id: string; label: ReactNode; hint?: string }[];
  /** In a column instead of a row. */
  isList?: boolean;
}

/** A choice of several. */
export function Checkboxes({ label, hint, value, onChange, options, isList = false }: Props) {
  return (
    <CheckboxGroup className="field" value={[...value]} onChange={onChange}>
      <Label className="label">{label}</Label>
      <Hint>{hint}</Hint>
      <div className={isList ? "stack-s" : "checkboxes"}>
        {options.map((option) => (
          <Checkbox key={option.id} value={option.id} hint={option.hint}>
            {option.label}
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}
