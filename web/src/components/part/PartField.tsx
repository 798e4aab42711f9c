import type { FieldFacts } from "../../api/types";
import { useStudio } from "../../studio/context";
import { Checkbox } from "../Checkbox";
import { Checkboxes } from "../Checkboxes";
import { NumberField } from "../NumberField";
import { Select, optionsOf } from "../Select";
import { Slider } from "../Slider";
import { KeySets, Subsets } from "./KeySets";
import { ListField } from "./ListField";
import { rangeOf } from "./ranges";

interface Props {
  field: FieldFacts;
  value: unknown;
  /** `settled` is false while a thumb is being dragged. */
  onChange: (value: unknown, settled: boolean) => void;
  /** The one setting that the part requires, if it is one. */
  bound?: FieldFacts | null;
}

/** One setting of a guard or method, as its type requires. */
export function PartField({ field, value, onChange, bound = null }: Props) {
  const { label } = field;
  const shown = value ?? field.default;
  if (field.name === "keys") return <KeySets field={field} value={shown} bound={bound} onChange={(sets) => onChange(sets, true)} />;
  if (field.name === "subsets") return <Subsets field={field} value={shown} onChange={(sizes) => onChange(sizes, true)} />;
  switch (field.type) {
    case "boolean":
      return (
        <Checkbox isSelected={Boolean(shown)} onChange={(on) => onChange(on, true)} hint={field.says}>
          {label}
        </Checkbox>
      );
    case "choice":
      return (
        <Select
          label={label}
          hint={field.says}
          options={optionsOf(field.options ?? {})}
          value={typeof shown === "string" ? shown : null}
          onChange={(id) => onChange(id, true)}
        />
      );
    case "names":
      return <ColumnNames label={label} hint={field.says} value={shown} onChange={(names) => onChange(names, true)} />;
    case "integer":
    case "number":
      return <NumberSetting field={field} label={label} value={typeof shown === "number" ? shown : null} onChange={onChange} />;
    default:
      return <ListField field={field} label={label} value={shown} onChange={(next) => onChange(next, true)} />;
  }
}

function ColumnNames({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  value: unknown;
  onChange: (names: string[]) => void;
}) {
  const { session } = useStudio();
  const names = Array.isArray(value) ? value.map(String) : [];
  const options = [...new Set([...session.columns, ...names])].map((name) => ({ id: name, label: <bdi>{name}</bdi> }));
  return <Checkboxes label={label} hint={hint} value={names} onChange={onChange} options={options} />;
}

interface NumberProps {
  field: FieldFacts;
  label: string;
  value: number | null;
  onChange: (value: unknown, settled: boolean) => void;
}

/** A number field, with a slider beside it where the setting has a range. */
function NumberSetting({ field, label, value, onChange }: NumberProps) {
  const range = rangeOf(field);
  const exact = (
    <NumberField
      label={range ? `${label}, exactly` : label}
      hideLabel={range !== null}
      hint={range ? undefined : field.says}
      value={value ?? NaN}
      {...(field.minimum === null ? {} : { minValue: field.minimum })}
      {...(field.type === "integer" ? { step: 1 } : {})}
      formatOptions={{ maximumFractionDigits: 6 }}
      onChange={(next) => onChange(Number.isFinite(next) ? next : null, true)}
    />
  );
  if (!range) return exact;
  return (
    <div className="slider-field">
      <Slider
        label={label}
        hint={field.says}
        min={range.minimum}
        max={Math.max(range.maximum, value ?? range.maximum)}
        step={range.step}
        value={value ?? range.start}
        format={{ maximumFractionDigits: 4 }}
        onChange={(next) => onChange(next, false)}
        onChangeEnd={(next) => onChange(next, true)}
      />
      {exact}
    </div>
  );
}
