// The selected candidates: one store for every chart and table. The address holds the selection too, so that a reload
// keeps it.
import { useSyncExternalStore } from "react";

export interface Selection {
  /** Candidates in the order of selection. */
  ids: readonly string[];
  /** A node of a lattice that is not a candidate. */
  node: { run: string; node: number } | null;
}

const EMPTY: Selection = { ids: [], node: null };
const listeners = new Set<() => void>();
let owner: string | null = null;
let state = EMPTY;

function change(next: Selection): void {
  state = next;
  writeAddress();
  listeners.forEach((listener) => listener());
}

/** Write the selection into the query of the address, without a new entry in the browser's history. */
function writeAddress(): void {
  const [path = "", text = ""] = location.hash.split("?", 2);
  const query = new URLSearchParams(text);
  query.delete("selected");
  if (state.ids.length && state.ids.length <= 20) query.set("selected", state.ids.join(","));
  const address = query.size ? `${path}?${query.toString()}` : path;
  if (address !== location.hash) history.replaceState(null, "", address);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The selection of a session; at first that of its address. */
function selectionOf(session: string): Selection {
  if (owner !== session) {
    owner = session;
    const ids = new URLSearchParams(location.hash.split("?", 2)[1] ?? "").get("selected");
    state = ids ? { ids: ids.split(","), node: null } : EMPTY;
  }
  return state;
}

export function useSelection(session: string): Selection {
  return useSyncExternalStore(subscribe, () => selectionOf(session));
}

/** Select one candidate; with `extend` add it, or remove it if it was selected. */
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
