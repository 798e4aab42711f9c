import { percent } from "../words";
import { usePalette } from "./palette";

export interface Line {
  name: string;
  /** A heading above the line: the group that it and the next ones are about. */
  heading?: string;
  estimate: { value: number; low: number; high: number };
  /** Selects the colour and the shape. */
  kind: number;
}

const [NAME, ROW, WIDTH] = [330, 24, 760];

/** Estimates with their intervals, one below the other. `mark` is a reference value. */
export function Whiskers({ label, lines, mark }: { label: string; lines: readonly Line[]; mark?: number }) {
  const palette = usePalette();
  const ends = lines.flatMap(({ estimate }) => [estimate.low, estimate.high]).concat(mark ?? []);
  const low = Math.max(0, Math.floor(Math.min(...ends) * 20) / 20);
  const high = Math.max(low + 0.05, Math.ceil(Math.max(...ends) * 20) / 20);
  const x = (value: number): number => NAME + 10 + ((value - low) / (high - low)) * (WIDTH - NAME - 30);
  let top = 0;
  const tops = lines.map(({ heading }) => (top += (heading ? 2 : 1) * ROW));
  const height = top + 24;
  return (
    <svg
      className="whiskers"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`${label}: ${lines.map(({ name, heading, estimate }) => `${heading ? `${heading}: ` : ""}${name} ${percent(estimate.value)}`).join("; ")}`}>
      {[low, (low + high) / 2, high].map((value) => (
        <g key={value}>
          <line x1={x(value)} x2={x(value)} y1={0} y2={height - 20} stroke={palette.line} />
          <text x={x(value)} y={height - 6} textAnchor="middle" fontSize={11} fill={palette.muted}>
            {percent(value)}
          </text>
        </g>
      ))}
      {mark !== undefined && <line x1={x(mark)} x2={x(mark)} y1={0} y2={height - 20} stroke={palette.text} strokeDasharray="4 3" />}
      {lines.map(({ name, heading, estimate, kind }, i) => {
        const y = (tops[i] ?? 0) - ROW / 2;
        const colour = palette.groups[Math.max(0, kind)] ?? palette.text;
        return (
          <g key={i}>
            {heading && (
              <text x={0} y={y - ROW + 6} fontSize={12} fontWeight={600} fill={palette.text}>
                {heading}
              </text>
            )}
            <text x={NAME} y={y + 4} textAnchor="end" fontSize={11} fill={palette.text}>
              {name}
            </text>
            <line x1={x(estimate.low)} x2={x(estimate.high)} y1={y} y2={y} stroke={colour} strokeWidth={2} />
            {kind === 1 ? (
              <rect x={x(estimate.value) - 4} y={y - 4} width={8} height={8} fill={colour} />
            ) : kind === 2 ? (
              <path d={`M${x(estimate.value)} ${y - 5}l5 9h-10z`} fill={colour} />
            ) : (
              <circle cx={x(estimate.value)} cy={y} r={4.5} fill={colour} />
            )}
          </g>
        );
      })}
    </svg>
  );
}
