import { type Key, ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { Option } from "./Select";

interface Props {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (id: string) => void;
}

/** A short choice where every option is in view. */
export function Segments({ label, options, value, onChange }: Props) {
  return (
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
}
