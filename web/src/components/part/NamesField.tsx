import { CheckboxGroup, Label, Text } from "react-aria-components";
import { useStudio } from "../../studio/context";
import { Checkbox } from "../Checkbox";

/** Columns, ticked. */
export function NamesField({ label, hint, value, onChange }: { label: string; hint: string; value: string[]; onChange: (names: string[]) => void }) {
  const { session } = useStudio();
  const names = [...new Set([...session.columns, ...value])];
  return (
    <CheckboxGroup className="field" value={value} onChange={onChange}>
      <Label className="label">{label}</Label>
      <Text slot="description" className="hint">
        {hint}
      </Text>
      <div className="names">
        {names.map((name) => (
          <Checkbox key={name} value={name}>
            <bdi>{name}</bdi>
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}
