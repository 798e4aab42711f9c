// Colours of the charts, read from the tokens, so that a canvas follows the theme as the page does.
import { useSyncExternalStore } from "react";

/** Which token each colour comes from. Colours of groups and of status go with a symbol, for whoever cannot tell them apart. */
const TOKENS = {
  text: "--ink",
  muted: "--ink-3",
  line: "--chart-grid",
  surface: "--surface",
  accent: "--accent",
  keeps: "--series-1",
  partly: "--series-5",
  fair: "--series-4",
  faint: "--line-strong",
  before: "--chart-before",
  after: "--chart-after",
} as const;
const GROUPS = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `--series-${number}`);
const SCALE = [1, 2, 3, 4, 5].map((number) => `--scale-${number}`);

export type Palette = Record<keyof typeof TOKENS, string> & {
  /** One colour per method or run. */
  groups: string[];
  /** From little to much. */
  scale: string[];
  font: string;
};

/** One symbol per method or run, beside its colour. */
export const SYMBOLS = ["circle", "triangle", "diamond", "rect", "pin", "arrow", "roundRect", "emptyCircle"] as const;

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

function subscribe(tell: () => void): () => void {
  const changed = (): void => {
    current = null;
    tell();
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true });
  dark.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", changed);
  };
}

export function usePalette(): Palette {
  return useSyncExternalStore(subscribe, () => (current ??= read()));
}
