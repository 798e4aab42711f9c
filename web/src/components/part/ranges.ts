import type { FieldFacts } from "../../api/types";

/** The useful range of a slider and its initial value; the number field accepts values beyond it. */
interface Range {
  least: number;
  most: number;
  start: number;
  step: number;
}

const USUAL: Record<string, Range> = {
  k: { least: 2, most: 100, start: 5, step: 1 },
  l: { least: 2, most: 10, start: 2, step: 1 },
  c: { least: 0.5, most: 10, start: 3, step: 0.5 },
  t: { least: 0, most: 1, start: 0.2, step: 0.01 },
  alpha: { least: 1, most: 3, start: 1.2, step: 0.05 },
  suppression: { least: 0, most: 0.3, start: 0, step: 0.01 },
  min_support: { least: 0, most: 0.3, start: 0.05, step: 0.01 },
};

/** The range of a setting's slider, null where it has none. */
export function rangeOf(field: FieldFacts): Range | null {
  const usual = USUAL[field.name];
  if (usual) return usual;
  const { minimum: least, maximum: most } = field;
  if (least === null || most === null) return null;
  return { least, most, start: least, step: field.type === "integer" ? 1 : (most - least) / 100 };
}

/** The initial value of a setting. */
export function startOf(field: FieldFacts): unknown {
  if (field.default !== null && field.default !== undefined) return field.default;
  if (field.type === "integer" || field.type === "number") return rangeOf(field)?.start ?? field.minimum ?? 1;
  if (field.type === "names" || field.type === "numbers") return [];
  return field.options?.[0];
}
