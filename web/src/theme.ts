import { useSyncExternalStore } from "react";

/** Light, dark, or as the system. The choice is all that the studio stores in the browser. */
export type Theme = "system" | "light" | "dark";

const KEY = "fairveil-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

function apply(): void {
  const theme = chosenTheme();
  document.documentElement.dataset.theme = theme === "system" ? (system.matches ? "dark" : "light") : theme;
  listeners.forEach((listener) => listener());
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener("change", apply);
apply();

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}
