import { ProgressBar } from "react-aria-components";

export function Loading({ label = "Loading" }: { label?: string }) {
  return (
    <ProgressBar isIndeterminate aria-label={label} className="loading">
      <span className="loading-dots" aria-hidden="true" />
      <span className="quiet">{label}…</span>
    </ProgressBar>
  );
}
