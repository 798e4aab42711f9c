import type { FieldFacts } from "../../api/types";
import { spaced } from "../../words";
import { Checkbox } from "../Checkbox";
import { NumberField } from "../NumberField";
import { Select } from "../Select";
import { Slider } from "../Slider";
import { ListField } from "./ListField";
import { NamesField } from "./NamesField";
import { rangeOf } from "./ranges";

interface Props {
  field: FieldFacts;
  value: unknown;
  /** `settled` is false while a thumb still moves. */
  onChange: (value: unknown, settled: boolean) => void;
}

function title(name: string): string {
  return name.length <= 2 ? name : spaced(name).replace(/^./, (sign) => sign.toUpperCase());
}

/** One setting of a guard or method, by the kind of value it takes. */
export function PartField({ field, value, onChange }: Props) {
  const label = title(field.name);
  const shown = value ?? field.default;
  switch (field.type) {
    case "boolean":
      return (
        <Checkbox isSelected={Boolean(shown)} onChange={(on) => onChange(on, true)}>
          {label}
          <span className="hint block">{field.says}</span>
        </Checkbox>
      );
    case "choice":
      return (
        <Select
          label={label}
          hint={field.says}
          options={(field.options ?? []).map((id) => ({ id, label: spaced(id) }))}
          value={shown === null || shown === undefined ? null : String(shown)}
          onChange={(id) => onChange(id, true)}
        />
      );
    case "names":
      return <NamesField label={label} hint={field.says} value={Array.isArray(shown) ? shown.map(String) : []} onChange={(names) => onChange(names, true)} />;
    case "integer":
    case "number":
      return <NumberSetting field={field} label={label} value={typeof shown === "number" ? shown : null} onChange={onChange} />;
    default:
      return <ListField field={field} label={label} value={shown} onChange={(next) => onChange(next, true)} />;
  }
}

interface NumberProps {
  field: FieldFacts;
  label: string;
  value: number | null;
  onChange: (value: unknown, settled: boolean) => void;
}

/** A slider where there are two ends, with a field beside it for the exact number. */
function NumberSetting({ field, label, value, onChange }: NumberProps) {
  const range = rangeOf(field);
  const exact = (
    <NumberField
      label={range ? `${label}, exactly` : label}
      hideLabel={range !== null}
      hint={range ? undefined : field.says}
      value={value ?? NaN}
      {...(field.least === null ? {} : { minValue: field.least })}
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
        min={range.least}
        max={Math.max(range.most, value ?? range.most)}
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
