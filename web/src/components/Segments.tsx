import { type Key, ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { Option } from "./Select";

interface Props {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (id: string) => void;
  /** Shows the label above, as fields do. */
  isField?: boolean;
}

/** A short choice where every option is in view. */
export function Segments({ label, options, value, onChange, isField = false }: Props) {
  const group = (
    <ToggleButtonGroup
      aria-label={label}
      className="segments"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys: Set<Key>) => {
        const [key] = keys;
        if (key !== undefined) onChange(String(key));
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.id} id={option.id} className="segment">
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
  if (!isField) return group;
  return (
    <div className="field segments-field">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      {group}
    </div>
  );
}
