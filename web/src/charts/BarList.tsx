import type { Histogram } from "../api/types";
import { count, percent } from "../words";

/** A share as a bar. */
export function Bar({ share, tone = "after" }: { share: number; tone?: "before" | "after" }) {
  return (
    <span className="bar-track" aria-hidden="true">
      <span className={`bar-fill bar-${tone}`} style={{ width: `${share * 100}%` }} />
    </span>
  );
}

/** A distribution as a list of values with bars. */
export function BarList({ label, histogram, tone }: { label: string; histogram: Histogram; tone: "before" | "after" }) {
  const { labels, counts, rest } = histogram;
  const total = counts.reduce((sum, n) => sum + n, rest);
  const max = Math.max(1, ...counts);
  return (
    <ul className="bars" aria-label={label}>
      {labels.map((name, i) => (
        <li key={i} className="bar-line">
          <bdi className="wrap">{name === "" ? "(empty)" : name}</bdi>
          <Bar share={(counts[i] ?? 0) / max} tone={tone} />
          <span className="numeric" title={count(counts[i] ?? 0)}>
            {percent(total ? (counts[i] ?? 0) / total : 0)}
          </span>
        </li>
      ))}
      {rest > 0 && <li className="quiet small">{count(rest)} more records with other values</li>}
    </ul>
  );
}
