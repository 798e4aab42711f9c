/** Key sets as the form has them; a plan spells them as lists of columns, or with a bound of their own. */
export interface KeySet {
  columns: string[];
  bound: number | null;
}

export function keySetsOf(value: unknown, bound: string): KeySet[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) => {
    if (Array.isArray(entry)) return { columns: entry.map(String), bound: null };
    const section = entry as Record<string, unknown>;
    const own = section[bound];
    return { columns: Array.isArray(section.columns) ? section.columns.map(String) : [], bound: typeof own === "number" ? own : null };
  });
}

export function storedKeySet({ columns, bound: own }: KeySet, bound: string): unknown {
  return own === null ? columns : { columns, [bound]: own };
}

/** "2", or "2:40, 3:20". */
export function boundsText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  return Object.entries(value as Record<string, number>)
    .map(([size, bound]) => `${size}:${bound}`)
    .join(", ");
}

export function boundsIn(text: string): string[] | null {
  const parts = text
    .split(",")
    .map((part) => part.replaceAll(/\s/g, ""))
    .filter(Boolean);
  return parts.length ? parts : null;
}
