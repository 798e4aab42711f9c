import { useSyncExternalStore } from "react";

/** The address: `#/SESSION/PERSPECTIVE/…?key=value`. What follows the hash is never sent to the server. */
export interface Route {
  session: string | null;
  perspective: string;
  rest: string[];
  query: URLSearchParams;
}

export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [session, perspective, ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  return { session: session ?? null, perspective: perspective ?? "open", rest, query: new URLSearchParams(query) };
}

export function href(session: string | null, perspective = "open", ...rest: string[]): string {
  if (session === null) return "#/";
  return "#/" + [session, perspective, ...rest].map(encodeURIComponent).join("/");
}

export function go(address: string): void {
  location.hash = address;
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

let last = { hash: "", route: parse("") };

function current(): Route {
  if (last.hash !== location.hash) last = { hash: location.hash, route: parse(location.hash) };
  return last.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, current);
}
