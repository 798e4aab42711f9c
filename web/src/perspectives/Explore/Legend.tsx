import { extent } from "../../charts/range";
import { type Palette, type SYMBOLS, symbolOf, usePalette } from "../../charts/palette";
import type { Axis } from "../../charts/Scatter";
import { figure } from "../../words";

interface Props {
  methods: readonly string[];
  /** The places of those that found something. */
  used: readonly number[];
  falseValues: readonly string[];
  colour: Axis | null;
  positions: readonly number[];
}

/** The symbol of each method and, where the colour is a measure, its scale. */
export function Legend({ methods, used, falseValues, colour, positions }: Props) {
  const palette = usePalette();
  const ends = colour && extent(colour.values, positions);
  return (
    <div className="row small">
      <ul className="legend" aria-label="Methods">
        {used.map((i) => (
          <li key={i}>
            <Symbol i={i} colour={colour ? palette.muted : (palette.groups[i % palette.groups.length] ?? "")} palette={palette} />
            {methods[i]}
            {falseValues[i] && <span className="quiet">{` (${falseValues[i]})`}</span>}
          </li>
        ))}
      </ul>
      {colour && ends && (
        <span className="legend-scale">
          {colour.title} {figure(ends[0])}
          {palette.scale.map((step) => (
            <i key={step} className="swatch" style={{ background: step }} />
          ))}
          {figure(ends[1])}
        </span>
      )}
    </div>
  );
}

const PATHS: Record<(typeof SYMBOLS)[number], string> = {
  circle: "M1 6a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
  triangle: "M6 1 11 11H1z",
  diamond: "M6 0 11 6 6 12 1 6z",
  rect: "M1 1h10v10H1z",
  pin: "M6 12C2 7 2 5 2 4a4 4 0 0 1 8 0c0 1 0 3-4 8z",
  arrow: "M6 0 11 12 6 9 1 12z",
  roundRect: "M3 1h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2z",
  emptyCircle: "M1 6a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
};

function Symbol({ i, colour, palette }: { i: number; colour: string; palette: Palette }) {
  const symbol = symbolOf(i);
  const empty = symbol === "emptyCircle";
  return (
    <svg width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
      <path d={PATHS[symbol]} fill={empty ? palette.surface : colour} stroke={colour} strokeWidth={empty ? 2 : 0} />
    </svg>
  );
}
