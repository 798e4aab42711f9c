// Candidates as points: two measures as axes, others as size and colour, a symbol per method, the frontier as a line.
import type { ECharts } from "echarts/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { Chart } from "./Chart";
import type { Better } from "./frontier";
import { figure } from "../words";
import { usePalette } from "./palette";
import { inside, nearest, nextAlong } from "./picking";
import type { Box } from "./picking";
import { pixelsOf } from "./pixels";
import { useZoom, ZoomTools } from "./zoom";
import { ring } from "./rings";
import { scatterOption } from "./scatterOption";

export interface Axis {
  title: string;
  better: Better | null;
  values: ArrayLike<number | null>;
  log: boolean;
}

export interface ScatterProps {
  x: Axis;
  y: Axis;
  size: Axis | null;
  colour: Axis | null;
  /** The methods or runs, and which one each candidate belongs to. */
  groups: readonly string[];
  group: ArrayLike<number>;
  /** Positions of the candidates that the filters let through, and of those on the frontier. */
  positions: readonly number[];
  frontier: readonly number[];
  selected: ReadonlySet<number>;
  name: (position: number) => string;
  onPick: (position: number, extend: boolean) => void;
  onBrush: (positions: number[]) => void;
  height?: number;
}

export function Scatter(props: ScatterProps) {
  const { x, y, positions, selected, name, onPick, onBrush, height = 360 } = props;
  const palette = usePalette();
  const chart = useRef<ECharts | null>(null);
  const [said, setSaid] = useState("");
  const [focused, setFocused] = useState<number | null>(null);
  const [brush, setBrush] = useState<Box | null>(null);
  const axes = useMemo(() => [x, y], [x, y]);
  const zoom = useZoom(chart, axes, positions);
  const from = useRef<{ x: number; y: number } | null>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const { groups, group, size, colour, frontier } = props;
  const option = useMemo(
    () => scatterOption({ x, y, size, colour, groups, group, positions, frontier, name }, palette),
    [x, y, size, colour, groups, group, positions, frontier, name, palette],
  );
  // What is selected is drawn on a canvas above, so that a click does not draw thousands of points anew.
  const mark = useCallback(() => {
    const made = chart.current;
    if (!overlay.current || !made) return;
    const pixel = pixelsOf(made, x, y, positions);
    const inView = (position: number): ReturnType<typeof pixel> => {
      const at = pixel(position);
      return at && made.containPixel({ gridIndex: 0 }, [...at]) ? at : null;
    };
    ring(overlay.current, inView, selected, focused, palette.text);
  }, [x, y, positions, selected, focused, palette]);
  const latest = useRef(mark);
  latest.current = mark;
  useEffect(mark, [mark, option]);

  const pixels = () => (chart.current ? pixelsOf(chart.current, x, y, positions) : () => null);
  const where = (event: PointerEvent): { x: number; y: number } => {
    const edge = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - edge.left, y: event.clientY - edge.top };
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    from.current = where(event);
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const start = from.current;
    if (!start) return;
    const now = where(event);
    if (Math.hypot(now.x - start.x, now.y - start.y) > 5) setBrush(boxOf(start, now));
  };
  const onPointerUp = (event: PointerEvent): void => {
    const start = from.current;
    from.current = null;
    setBrush(null);
    if (!start) return;
    const now = where(event);
    if (brush) return onBrush(inside(positions, pixels(), boxOf(start, now)));
    const hit = nearest(positions, pixels(), now.x, now.y);
    if (hit !== null) onPick(hit, event.shiftKey || event.ctrlKey || event.metaKey);
  };
  const zoomBy = (way: "in" | "out" | "whole"): void => {
    zoom(way, focused ?? [...selected].at(-1) ?? null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const here = focused ?? [...selected].at(-1) ?? null;
    const ways: Record<string, [number, number]> = {
      ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const way = ways[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way) {
      event.preventDefault();
      // The frontier is what one walks along; off it, to whatever is next.
      const walk = props.frontier.length && (here === null || props.frontier.includes(here)) ? props.frontier : positions;
      const next = here === null ? walk[0] : nextAlong(walk, pixels(), here, way);
      if (next === undefined || next === null) return setSaid("No candidate further this way.");
      setFocused(next);
      setSaid(`${name(next)}: ${x.title} ${figure(x.values[next])}, ${y.title} ${figure(y.values[next])}`);
    } else if ("+=-0".includes(event.key)) {
      event.preventDefault();
      zoomBy(event.key === "-" ? "out" : event.key === "0" ? "whole" : "in");
    } else if ((event.key === "Enter" || event.key === " ") && here !== null) {
      event.preventDefault();
      onPick(here, event.shiftKey);
    }
  };

  return (
    <div className="stack-s">
    <div
      className="scatter"
      tabIndex={0}
      role="application"
      aria-label={`${positions.length.toLocaleString("en")} candidates by ${x.title} and ${y.title}`}
      aria-description="Arrows go from candidate to candidate along the frontier, Enter selects, Shift and Enter adds to the selection; plus and minus zoom, 0 shows all."
      onKeyDown={onKeyDown}
      onBlur={() => setFocused(null)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        from.current = null;
        setBrush(null);
      }}
    >
      <Chart
        option={option}
        height={height}
        onReady={(made) => {
          chart.current = made;
          made.on("rendered", () => latest.current());
        }}
      />
      <canvas ref={overlay} className="scatter-marks" aria-hidden="true" />
      {brush && <div className="brush" style={{ left: brush.left, top: brush.top, width: brush.right - brush.left, height: brush.bottom - brush.top }} />}
      <p className="unseen" role="status">{said}</p>
    </div>
    <ZoomTools label="Zoom of the frontier" onZoom={zoomBy} />
    </div>
  );
}

function boxOf(one: { x: number; y: number }, other: { x: number; y: number }): Box {
  return {
    left: Math.min(one.x, other.x),
    right: Math.max(one.x, other.x),
    top: Math.min(one.y, other.y),
    bottom: Math.max(one.y, other.y),
  };
}
