import type { FieldFacts, PartFacts, Spec } from "../../api/types";
import { More } from "../More";
import { PartField } from "./PartField";

interface Props {
  part: PartFacts;
  spec: Spec;
  onChange: (spec: Spec, settled: boolean) => void;
  /** Which settings are visible at first; the others are collapsed. */
  shown?: (field: FieldFacts) => boolean;
}

/** The settings of a guard or method: the important ones, and the others collapsed. */
export function PartFields({ part, spec, onChange, shown = important }: Props) {
  const set = (name: string, value: unknown, settled: boolean): void => {
    const { [name]: _, ...rest } = spec;
    onChange(value === null || value === "" ? rest : { ...rest, [name]: value }, settled);
  };
  const first = part.fields.filter(shown);
  const others = part.fields.filter((field) => !shown(field));
  const required = part.fields.filter((field) => field.required);
  const bound = required.length === 1 ? required[0] : null;
  const render = (field: FieldFacts) => (
    <PartField
      key={field.name}
      field={field}
      value={spec[field.name]}
      bound={bound ?? null}
      onChange={(value, settled) => set(field.name, value, settled)}
    />
  );
  return (
    <div className="stack">
      {first.length > 0 && <div className="fields fields-wide">{first.map(render)}</div>}
      {others.length > 0 && (
        <More label="More settings">
          <div className="fields fields-wide">{others.map(render)}</div>
        </More>
      )}
    </div>
  );
}

function important(field: FieldFacts): boolean {
  return field.required || field.name === "suppression";
}
