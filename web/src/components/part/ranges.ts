import type { FieldFacts } from "../../api/types";

/** The useful range of a slider and its initial value; the number field accepts values beyond it. */
interface Range {
  minimum: number;
  maximum: number;
  start: number;
  step: number;
}

const USUAL: Record<string, Range> = {
  k: { minimum: 2, maximum: 100, start: 5, step: 1 },
  l: { minimum: 2, maximum: 10, start: 2, step: 1 },
  c: { minimum: 0.5, maximum: 10, start: 3, step: 0.5 },
  t: { minimum: 0, maximum: 1, start: 0.2, step: 0.01 },
  alpha: { minimum: 1, maximum: 3, start: 1.2, step: 0.05 },
  suppression: { minimum: 0, maximum: 0.3, start: 0, step: 0.01 },
  min_support: { minimum: 0, maximum: 0.3, start: 0.05, step: 0.01 },
};

/** The range of a setting's slider, null where it has none. */
export function rangeOf(field: FieldFacts): Range | null {
  const usual = USUAL[field.name];
  if (usual) return usual;
  const { minimum, maximum } = field;
  if (minimum === null || maximum === null) return null;
  return { minimum, maximum, start: minimum, step: field.type === "integer" ? 1 : (maximum - minimum) / 100 };
}

/** The initial value of a setting. */
export function startOf(field: FieldFacts): unknown {
  if (field.default !== null && field.default !== undefined) return field.default;
  if (field.type === "integer" || field.type === "number") return rangeOf(field)?.start ?? field.minimum ?? 1;
  if (field.type === "names" || field.type === "numbers") return [];
  return Object.keys(field.options ?? {})[0];
}
