import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { address, type Answer, ApiError, call, messageOf } from "../api/client";
import type { Catalog, Session } from "../api/types";
import { EmptyState, LoadingPage, showError } from "../components";
import { type SessionEndpoint, type SessionRequest, type Studio, StudioContext } from "./context";
import { sentence } from "../words";
import { isStale, withProgress } from "./pulse";
import { Writer } from "./writer";

const WHILE_RUNNING = 700;
const OTHERWISE = 10_000; // another tab may have changed something

/** A label of a method, "mdav (k 3)", with its title instead of its kind. */
export function titled(label: string, methods: Catalog["methods"]): string {
  const [kind = "", ...settings] = label.split(" (");
  const title = methods.find((method) => method.kind === kind)?.title ?? kind;
  return sentence([title, ...settings].join(" ("));
}

let catalogRequest: Promise<Catalog> | null = null;

/** Load all choices, once. */
export function loadCatalog(): Promise<Catalog> {
  catalogRequest ??= call("GET /api/catalog", {}).catch((error: unknown) => {
    catalogRequest = null;
    throw error;
  });
  return catalogRequest;
}

/** Provides one session and keeps it current: with this tab's changes at once, with those of others after a moment. */
export function StudioProvider({ id, children }: { id: string; children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null);
  const [catalog, setCatalog] = useState<Catalog | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [writer] = useState(() => new Writer());

  const take = useCallback(
    (next: Session) => {
      // a late answer does not replace a newer one
      writer.noticed(next.version);
      setSession((now) => (now && now.version > next.version ? now : next));
      setError(null);
    },
    [writer],
  );
  const refresh = useCallback(async () => take(await call("GET /api/sessions/{session}", { path: { session: id } })), [id, take]);

  useEffect(() => {
    const fail = (problem: unknown): void => setError(messageOf(problem));
    refresh().catch(fail);
    loadCatalog().then(setCatalog, fail);
  }, [refresh]);

  // The poll is a few bytes for each run; the session itself is fetched only when it has changed.
  const running = session?.runs.some((run) => run.state === "running") ?? false;
  useEffect(() => {
    const poll = async (): Promise<void> => {
      if (document.hidden || !session) return;
      try {
        const pulse = await call("GET /api/sessions/{session}/pulse", { path: { session: id } });
        if (isStale(session, pulse)) await refresh();
        else setSession((now) => now && withProgress(now, pulse));
      } catch (problem) {
        setError(messageOf(problem));
      }
    };
    const onVisible = (): void => void poll();
    const timer = setInterval(onVisible, running ? WHILE_RUNNING : OTHERWISE);
    window.addEventListener("hashchange", onVisible); // another page begins with what others did meanwhile
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearInterval(timer);
      window.removeEventListener("hashchange", onVisible);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [id, session, running, refresh]);

  const studio = useMemo((): Studio | null => {
    if (!session || !catalog) return null;
    const inSession = (request: object): never => ({ ...request, path: { ...(request as { path?: object }).path, session: id } }) as never;
    const ask = <E extends SessionEndpoint>(endpoint: E, request: SessionRequest<E>, signal?: AbortSignal): Promise<Answer<E>> =>
      call(endpoint, inSession(request as object), signal);
    const measures = new Map(catalog.measures.map((measure) => [measure.name, measure]));
    return {
      session,
      catalog,
      ask,
      refresh,
      link: (endpoint, request) => address(endpoint, inSession(request as object)),
      measure: (name) => measures.get(name ?? ""),
      methodTitle: (label) => titled(label, catalog.methods),
      wordsOf: (name) => {
        const named = catalog.attacks.find((attack) => attack.name === name) ?? catalog.guards.find((guard) => guard.kind === name);
        return sentence(named?.title ?? name.replaceAll("-", " "));
      },
      titleOf: (name) => measures.get(name)?.title ?? name,
      change: (endpoint, request) =>
        writer.send(async (headers) => {
          try {
            const answer: object = await call(endpoint, inSession(request as object), undefined, headers);
            if ("document" in answer) take(answer as Session);
            else await refresh();
            return true;
          } catch (problem) {
            showError(problem);
            // somebody else changed the session: show what it is now
            if (problem instanceof ApiError && problem.code === "changed-meanwhile") await refresh().catch(showError);
            return false;
          }
        }),
    };
  }, [session, catalog, id, refresh, take, writer]);

  if (studio) return <StudioContext value={studio}>{children}</StudioContext>;
  if (!error) return <LoadingPage label="Opening the session" />;
  return (
    <main className="page" id="main" tabIndex={-1}>
      <h1 className="unseen">Session</h1>
      <EmptyState icon="warning" title="This session cannot be opened" text={error} action={["Back to the start", "#/"]} />
    </main>
  );
}
