import { Meter as AriaMeter } from "react-aria-components";

/** A share as a short bar. */
export function Meter({ share, label, text, tone = "plain" }: { share: number; label: string; text: string; tone?: "plain" | "bad" }) {
  return (
    <AriaMeter className="meter" value={share * 100} valueLabel={text} aria-label={label}>
      <span className="meter-track">
        <span className={`meter-fill meter-${tone}`} style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span className="meter-text numeric">{text}</span>
    </AriaMeter>
  );
}
