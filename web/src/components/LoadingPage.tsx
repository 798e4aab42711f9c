import { Loading } from "./Loading";

/** A page of which nothing is there yet. */
export function LoadingPage({ label }: { label: string }) {
  return (
    <main className="page" id="main" tabIndex={-1} aria-busy="true">
      <h1 className="unseen">{label}</h1>
      <Loading label={label} />
    </main>
  );
}
