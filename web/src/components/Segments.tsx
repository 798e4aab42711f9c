import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { Option } from "./Select";

interface Props {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (id: string) => void;
}

/** A choice whose options are all visible. */
export function Segments({ label, options, value, onChange }: Props) {
  return (
    <div className="field segments-field">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <ToggleButtonGroup
        aria-label={label}
        className="segments"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[value]}
        onSelectionChange={([key]) => key !== undefined && onChange(String(key))}>
        {options.map((option) => (
          <ToggleButton key={option.id} id={option.id} className="segment">
            {option.label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
