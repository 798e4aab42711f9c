import { ProgressBar } from "react-aria-components";
import { Notice } from "./Notice";

export function Loading({ label = "Loading" }: { label?: string }) {
  return (
    <ProgressBar isIndeterminate aria-label={label} className="loading">
      <span className="loading-dots" aria-hidden="true" />
      <span className="quiet">{label}…</span>
    </ProgressBar>
  );
}

/** Stands for a page until it has loaded. */
export function LoadingPage({ label }: { label: string }) {
  return (
    <main className="page" id="main" tabIndex={-1} aria-busy="true">
      <h1 className="unseen">{label}</h1>
      <Loading label={label} />
    </main>
  );
}

/** What is shown until something has arrived: that it is loading, or why it failed. */
export function Pending({ of, label }: { of: { data: unknown; error: string | null }; label: string }) {
  if (of.error) return <Notice tone="bad">{of.error}</Notice>;
  return of.data ? null : <Loading label={label} />;
}
