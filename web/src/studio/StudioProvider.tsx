import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { address, call, sentence, type Answer } from "../api/client";
import type { Catalog, Session } from "../api/types";
import { Button } from "../components/Button";
import { EmptyState } from "../components/EmptyState";
import { LoadingPage } from "../components/LoadingPage";
import { complain } from "../components/toasts";
import { go } from "../router";
import { type Own, type OwnGiven, type Studio, StudioContext } from "./context";

const WHILE_RUNNING = 700;
const OTHERWISE = 10_000; // another tab may have changed something

let catalogOnce: Promise<Catalog> | null = null;

function loadCatalog(): Promise<Catalog> {
  catalogOnce ??= call("GET /api/catalog", {}).catch((error: unknown) => {
    catalogOnce = null;
    throw error;
  });
  return catalogOnce;
}

function isSession(answer: unknown): answer is Session {
  return typeof answer === "object" && answer !== null && "document" in answer && "history" in answer;
}

/** Holds one session and keeps it true: to this tab's changes at once, to others' soon. */
export function StudioProvider({ id, children }: { id: string; children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null);
  const [catalog, setCatalog] = useState<Catalog | null>(null);
  const [error, setError] = useState<string | null>(null);

  // an answer that was on its way while a newer one arrived must not take us back
  const take = useCallback((next: Session) => {
    setSession((now) => (now && now.id === next.id && now.version > next.version ? now : next));
    setError(null);
  }, []);

  const refresh = useCallback(async () => {
    try {
      take(await call("GET /api/sessions/{session}", { path: { session: id } }));
    } catch (failure) {
      setError(sentence(failure));
    }
  }, [id, take]);

  useEffect(() => {
    setSession(null);
    setError(null);
    void refresh();
    loadCatalog().then(setCatalog, (failure: unknown) => setError(sentence(failure)));
  }, [refresh]);

  const running = session?.runs.some((run) => run.state === "running") ?? false;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void refresh(), running ? WHILE_RUNNING : OTHERWISE);
    const seen = (): void => void (document.hidden || refresh());
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [refresh, running]);

  const studio = useMemo((): Studio | null => {
    if (!session || !catalog) return null;
    const given = (more: object): never => ({ ...more, path: { ...(more as { path?: object }).path, session: id } }) as never;
    const ask = <E extends Own>(endpoint: E, more: OwnGiven<E>, signal?: AbortSignal): Promise<Answer<E>> =>
      call(endpoint, given(more as object), signal);
    return {
      session,
      catalog,
      ask,
      refresh,
      link: (endpoint, more) => address(endpoint, given(more as object)),
      change: async (endpoint, more) => {
        try {
          const answer: unknown = await ask(endpoint, more);
          if (isSession(answer)) take(answer);
          else await refresh();
          return true;
        } catch (failure) {
          complain(failure);
          return false;
        }
      },
    };
  }, [session, catalog, id, refresh, take]);

  if (studio) return <StudioContext value={studio}>{children}</StudioContext>;
  if (!error) return <LoadingPage label="Opening the session" />;
  return (
    <main className="page" id="main" tabIndex={-1}>
      <h1 className="unseen">Session</h1>
      <EmptyState
        icon="warning"
        title="This session cannot be shown"
        text={error}
        action={
          <Button variant="primary" onPress={() => go("#/")}>
            Back to the start
          </Button>
        }
      />
    </main>
  );
}
