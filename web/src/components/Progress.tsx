import { Label, ProgressBar } from "react-aria-components";

/** How far something is, and what it does now. `share` is null while nobody can tell. */
export function Progress({ label, share, text }: { label: string; share: number | null; text?: string | undefined }) {
  const known = share !== null;
  return (
    <ProgressBar {...(known ? { value: share * 100 } : { isIndeterminate: true })} className="progress">
      {({ valueText }) => (
        <>
          <div className="row spread small">
            <Label className="cut grow">{label}</Label>
            <span className="quiet numeric">{text ?? valueText}</span>
          </div>
          <div className="progress-track">
            <div className="progress-fill" style={{ width: known ? `${share * 100}%` : "30%" }} />
          </div>
        </>
      )}
    </ProgressBar>
  );
}
