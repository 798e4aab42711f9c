import type { Histogram } from "../api/types";
import { count, percent } from "../words";

/** Values with bars: a distribution that can also be read. */
export function BarList({ label, histogram, tone }: { label: string; histogram: Histogram; tone: "before" | "after" }) {
  const { labels, counts, rest } = histogram;
  const total = counts.reduce((sum, n) => sum + n, rest);
  const most = Math.max(1, ...counts);
  return (
    <ul className="bars" aria-label={label}>
      {labels.map((name, i) => (
        <li key={i} className="bar-line">
          <bdi className="cut" title={name}>{name === "" ? "(empty)" : name}</bdi>
          <span className="bar-track" aria-hidden="true">
            <span className={tone === "before" ? "bar-fill bar-before" : "bar-fill"} style={{ display: "block", width: `${((counts[i] ?? 0) / most) * 100}%` }} />
          </span>
          <span className="numeric" title={count(counts[i] ?? 0)}>{percent(total ? (counts[i] ?? 0) / total : 0)}</span>
        </li>
      ))}
      {rest > 0 && <li className="quiet small">and {count(rest)} records with other values</li>}
    </ul>
  );
}
