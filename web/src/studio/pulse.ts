import type { Pulse, Session } from "../api/types";

/** Whether the session has changed on the server: its document, or the list or the state of its runs. */
export function isStale(session: Session, pulse: Pulse): boolean {
  const states = (runs: Pulse["runs"]): string => runs.map(({ id, state }) => `${id} ${state}`).join();
  return session.version !== pulse.version || states(session.runs) !== states(pulse.runs);
}

/** The session with the progress of its runs; itself where nothing has moved. */
export function withProgress(session: Session, pulse: Pulse): Session {
  const progress = new Map(pulse.runs.map((run) => [run.id, run]));
  const runs = session.runs.map((run) => (run.state === "running" ? { ...run, ...progress.get(run.id) } : run));
  return runs.some((run, i) => run !== session.runs[i]) ? { ...session, runs } : session;
}
