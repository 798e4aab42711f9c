// What is selected: one store for every chart and table, so what is selected in one is selected in all. It stands in the
// address too, so that a reload keeps it.
import { useSyncExternalStore } from "react";

export interface Selection {
  /** Candidates, the last one picked at the end. */
  ids: readonly string[];
  /** A node of a lattice that is no candidate. */
  node: { run: string; node: number } | null;
}

const EMPTY: Selection = { ids: [], node: null };
const listeners = new Set<() => void>();
let owner: string | null = null;
let state = EMPTY;

function change(next: Selection): void {
  state = next;
  remember();
  listeners.forEach((listener) => listener());
}

/** Writes the selection behind the question mark of the address, without a new entry in the browser's history. */
function remember(): void {
  const [path = "", query = ""] = location.hash.split("?", 2);
  const words = new URLSearchParams(query);
  words.delete("selected");
  if (state.ids.length && state.ids.length <= 20) words.set("selected", state.ids.join(","));
  const address = words.size ? `${path}?${words}` : path;
  if (address !== location.hash) history.replaceState(null, "", address);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Another session starts with what its address says. */
function of(session: string): Selection {
  if (owner !== session) {
    owner = session;
    const said = new URLSearchParams(location.hash.split("?", 2)[1] ?? "").get("selected");
    state = said ? { ids: said.split(","), node: null } : EMPTY;
  }
  return state;
}

export function useSelection(session: string): Selection {
  return useSyncExternalStore(subscribe, () => of(session));
}

/** Selects one candidate; with `extend` adds it, or takes it away if it was there. */
export function pick(id: string, extend = false): void {
  const rest = state.ids.filter((other) => other !== id);
  if (!extend) change({ ids: [id], node: null });
  else change({ ids: rest.length < state.ids.length ? rest : [...rest, id], node: null });
}

export function pickAll(ids: readonly string[]): void {
  change({ ids, node: null });
}

export function pickNode(run: string, node: number): void {
  change({ ids: [], node: { run, node } });
}
