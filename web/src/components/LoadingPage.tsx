import { Loading } from "./Loading";

/** A page of which nothing is there yet. */
export function LoadingPage({ label }: { label: string }) {
  return (
    <main className="page">
      <h1 className="unseen">{label}</h1>
      <Loading label={label} />
    </main>
  );
}
