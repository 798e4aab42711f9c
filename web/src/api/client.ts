import type { Endpoints, Fault } from "./types";

export type Endpoint = keyof Endpoints;
export type Answer<E extends Endpoint> = Endpoints[E]["answer"];
export type Body<E extends Endpoint> = Endpoints[E] extends { body: infer Own } ? Own : never;

/** The names in braces of a path. */
export type PathPart<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathPart<Rest> : never;

/** What an endpoint takes besides the parts of its path. */
export type Input<E extends Endpoint> = ([Body<E>] extends [never] ? unknown : { body: Body<E> }) &
  (Endpoints[E] extends { query: infer Query } ? { query?: Query } : unknown);

export type Request<E extends Endpoint> = Input<E> & ([PathPart<E>] extends [never] ? unknown : { path: Record<PathPart<E>, string> });

/** A failed request. The message is a sentence that can be shown. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code = "",
  ) {
    super(message);
  }
}

/** This window, so that the studio knows which changes it has not made itself. */
const WINDOW = crypto.getRandomValues(new Uint32Array(2)).join("-");
const UNREACHABLE = "The studio does not respond. Check that it is still running in its terminal.";

interface AnyRequest {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The URL of an endpoint. */
export function address<E extends Endpoint>(endpoint: E, request: Request<E>): string {
  const { path = {}, query = {} } = request as AnyRequest;
  const [, pattern = ""] = endpoint.split(" ", 2);
  const url = pattern.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
  const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, text(value)]]));
  return given.length ? `${url}?${new URLSearchParams(given).toString()}` : url;
}

/** Send one request to the studio's server: `call("GET /api/welcome", {})`. Rejects with an ApiError, or when aborted. */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: Request<E>,
  signal?: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Answer<E>> {
  const { body } = request as AnyRequest;
  const sent = { "X-Fairveil-Window": WINDOW, ...headers };
  const init: RequestInit = { method: endpoint.split(" ", 1)[0]!, credentials: "same-origin", signal: signal ?? null, headers: sent };
  if (body !== undefined) {
    const file = body instanceof Blob;
    init.body = file ? body : JSON.stringify(body);
    init.headers = { ...sent, "Content-Type": file ? "application/octet-stream" : "application/json" };
  }
  let response: Response;
  try {
    response = await fetch(address(endpoint, request), init);
  } catch (error) {
    throw signal?.aborted ? error : new ApiError(UNREACHABLE);
  }
  if (!response.ok) throw await refusal(response);
  const json = response.headers.get("Content-Type")?.includes("json");
  return (await (json ? response.json() : response.blob())) as Answer<E>;
}

/** Upload a file and report the share sent, from 0 to 1, which fetch cannot do. */
export function upload<E extends Endpoint>(
  endpoint: E,
  request: Request<E>,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<Answer<E>> {
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest();
    sender.open(endpoint.split(" ", 1)[0]!, address(endpoint, request));
    sender.setRequestHeader("Content-Type", "application/octet-stream");
    sender.upload.addEventListener("progress", ({ loaded, total }) => onShare(total ? loaded / total : 0));
    sender.addEventListener("error", () => reject(new ApiError(UNREACHABLE)));
    const cancel = (): void => sender.abort();
    signal.addEventListener("abort", cancel);
    sender.addEventListener("abort", () => reject(new DOMException("cancelled", "AbortError")));
    sender.addEventListener("loadend", () => signal.removeEventListener("abort", cancel));
    sender.addEventListener("load", () => {
      const response = new Response(sender.responseText, { status: sender.status });
      if (response.ok) response.json().then(resolve, reject);
      else void refusal(response).then(reject);
    });
    sender.send((request as AnyRequest).body as Blob);
  });
}

async function refusal(response: Response): Promise<ApiError> {
  const fault = (await response.json().catch(() => null)) as Fault | null;
  return new ApiError(fault?.sentence ?? `The studio returned an error (${response.status}).`, fault?.code);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
