import type { Endpoints, Fault } from "./types";

export type Endpoint = keyof Endpoints;
export type Answer<E extends Endpoint> = Endpoints[E]["answer"];

/** What an endpoint takes, without the parts it does not have. */
export type Given<E extends Endpoint> = (keyof Endpoints[E]["path"] extends never ? unknown : { path: Endpoints[E]["path"] }) &
  (Endpoints[E]["body"] extends undefined ? unknown : { body: Endpoints[E]["body"] }) & { query?: Endpoints[E]["query"] };

/** What the server refused, as one sentence that can be shown. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
  ) {
    super(message);
  }
}

const LOST = "The studio does not answer. Is it still running in its terminal?";

interface Loose {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The address of an endpoint, with its parts filled in. */
export function address<E extends Endpoint>(endpoint: E, given: Given<E>): string {
  const { path = {}, query = {} } = given as Loose;
  const [, pattern = ""] = endpoint.split(" ", 2);
  const filled = pattern.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return asked.length ? `${filled}?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}` : filled;
}

/** One request to the studio's own server: `call("GET /api/welcome", {})`. Every failure is an ApiError. */
export async function call<E extends Endpoint>(endpoint: E, given: Given<E>, signal?: AbortSignal): Promise<Answer<E>> {
  const { body } = given as Loose;
  const init: RequestInit = { method: endpoint.split(" ", 1)[0]!, credentials: "same-origin" };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    const file = body instanceof Blob;
    init.body = file ? body : JSON.stringify(body);
    init.headers = { "Content-Type": file ? "application/octet-stream" : "application/json" };
  }
  let answer: Response;
  try {
    answer = await fetch(address(endpoint, given), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(LOST, 0, "lost");
  }
  if (!answer.ok) throw await refusal(answer);
  const json = answer.headers.get("Content-Type")?.includes("json");
  return (await (json ? answer.json() : answer.blob())) as Answer<E>;
}

/** Hands a file over and tells how much of it has arrived, from 0 to 1: fetch cannot. */
export function send<E extends Endpoint>(endpoint: E, given: Given<E>, onShare: (share: number) => void): Promise<Answer<E>> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.split(" ", 1)[0]!, address(endpoint, given));
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onShare(total ? loaded / total : 0);
    request.onerror = () => fail(new ApiError(LOST, 0, "lost"));
    request.onload = () => {
      const answer = new Response(request.responseText, { status: request.status });
      if (answer.ok) answer.json().then(done, fail);
      else void refusal(answer).then(fail);
    };
    request.send((given as Loose).body as Blob);
  });
}

async function refusal(answer: Response): Promise<ApiError> {
  const fault = (await answer.json().catch(() => null)) as Fault | null;
  return new ApiError(fault?.sentence ?? `The studio answered with an error (${answer.status}).`, answer.status, fault?.code ?? "");
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
