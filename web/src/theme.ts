import { useSyncExternalStore } from "react";

/** Light, dark, or what the system says. The choice is the only thing the studio keeps in the browser. */
export type Theme = "system" | "light" | "dark";

const KEY = "fairveil-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function chosen(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

function shown(): "light" | "dark" {
  const theme = chosen();
  return theme === "system" ? (system.matches ? "dark" : "light") : theme;
}

function show(): void {
  document.documentElement.dataset.theme = shown();
  listeners.forEach((listener) => listener());
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  show();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener("change", show);
show();

export function useTheme(): { theme: Theme; shown: "light" | "dark" } {
  return { theme: useSyncExternalStore(subscribe, chosen), shown: useSyncExternalStore(subscribe, shown) };
}

/** The value of a token as a canvas needs it: `token("--series-1")`. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
