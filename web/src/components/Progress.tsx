import { Label, ProgressBar } from "react-aria-components";

/** The share done, and what is being done. `share` is null while it is unknown. */
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
