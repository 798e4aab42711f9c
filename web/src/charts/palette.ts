// The charts' colours, read from the CSS tokens, so that a canvas follows the theme.
import { useSyncExternalStore } from "react";

/** The token of each colour. Colours of groups and statuses are paired with symbols for readers who cannot tell them apart. */
const TOKENS = {
  text: "--ink",
  muted: "--ink-3",
  line: "--chart-grid",
  surface: "--surface",
  satisfies: "--series-1",
  partly: "--series-5",
  fair: "--series-4",
  faint: "--line-strong",
  after: "--chart-after",
} as const;
const GROUPS = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `--series-${number}`);
const SCALE = [1, 2, 3, 4, 5].map((number) => `--scale-${number}`);

export type Palette = Record<keyof typeof TOKENS, string> & {
  /** One colour per method or run. */
  groups: string[];
  /** From low to high. */
  scale: string[];
  font: string;
};

/** One symbol per method or run, paired with its colour. */
export const SYMBOLS = ["circle", "triangle", "diamond", "rect", "pin", "arrow", "roundRect", "emptyCircle"] as const;

/** The symbol of a method or run: different from that of others with the same colour. */
export function symbolOf(group: number): (typeof SYMBOLS)[number] {
  return SYMBOLS[(group + Math.floor(group / SYMBOLS.length)) % SYMBOLS.length] ?? "circle";
}

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const named = Object.fromEntries(Object.entries(TOKENS).map(([name, from]) => [name, token(from)]));
  return {
    ...(named as Record<keyof typeof TOKENS, string>),
    groups: GROUPS.map(token),
    scale: SCALE.map(token),
    font: getComputedStyle(document.body).fontFamily,
  };
}

let current: Palette | null = null;

/** The theme is an attribute of the root element (theme.ts). */
function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(() => {
    current = null;
    onChange();
  });
  observer.observe(document.documentElement, { attributes: true });
  return () => observer.disconnect();
}

export function usePalette(): Palette {
  return useSyncExternalStore(subscribe, () => (current ??= read()));
}
