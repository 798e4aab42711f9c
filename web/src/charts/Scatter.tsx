// Candidates as points: two measures as axes, others as size and colour, a symbol per method, the frontier as a line.
import type { ECharts } from "echarts/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLatest } from "../api/useLatest";
import { count, figure } from "../words";
import { zoomAxes } from "./axisZoom";
import { Chart } from "./Chart";
import type { Better } from "./frontier";
import { usePalette } from "./palette";
import { type Box, inside, nearest, nextAlong } from "./picking";
import { pixelsOf } from "./pixels";
import { scatterOption } from "./scatterOption";
import { type Point, sized, useCanvas } from "./useCanvas";
import { ZoomTools } from "./ZoomTools";

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
  /** The methods, and which one each candidate belongs to. */
  groups: readonly string[];
  group: ArrayLike<number>;
  /** Positions of the candidates that pass the filters, and of those on the frontier. */
  positions: readonly number[];
  frontier: readonly number[];
  selected: ReadonlySet<number>;
  name: (position: number) => string;
  onPick: (position: number, extend: boolean) => void;
  onBrush: (positions: number[]) => void;
  height?: number;
}

export function Scatter(props: ScatterProps) {
  const { x, y, positions, frontier, selected, name, onPick, onBrush, height = 360 } = props;
  const palette = usePalette();
  const chart = useRef<ECharts | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [brush, setBrush] = useState<Box | null>(null);
  const { groups, group, size, colour } = props;
  const option = useMemo(
    () => scatterOption({ x, y, size, colour, groups, group, positions, frontier, name }, palette),
    [x, y, size, colour, groups, group, positions, frontier, name, palette],
  );
  // The selection is drawn on a second canvas, so that a click does not redraw thousands of points.
  const mark = useCallback(() => {
    const [instance, canvas] = [chart.current, overlay.current];
    const context = canvas && sized(canvas, canvas.clientWidth, canvas.clientHeight);
    if (!instance || !context) return;
    const pixel = pixelsOf(instance, x, y, positions);
    context.beginPath();
    const ring = (position: number, radius: number): void => {
      const at = pixel(position);
      if (!at || !instance.containPixel({ gridIndex: 0 }, [...at])) return;
      context.moveTo(at[0] + radius, at[1]);
      context.arc(at[0], at[1], radius, 0, 2 * Math.PI);
    };
    for (const position of selected) ring(position, 7);
    if (focused !== null) ring(focused, 11);
    Object.assign(context, { strokeStyle: palette.text, lineWidth: 2.5 });
    context.stroke();
  }, [x, y, positions, selected, focused, palette]);
  const latestMark = useLatest(mark);
  useEffect(mark, [mark, option]);

  const pixels = () => (chart.current ? pixelsOf(chart.current, x, y, positions) : () => null);
  const current = focused ?? [...selected].at(-1) ?? null;
  const onZoom = (factor: number, at: Point | null): void => {
    if (!chart.current) return;
    const values = at && (chart.current.convertFromPixel({ gridIndex: 0 }, [at.x, at.y]) as number[] | null);
    zoomAxes(chart.current, [x, y], positions, factor, values ?? [x, y].map((axis) => (current === null ? null : axis.values[current])));
  };
  const step = (direction: readonly [number, number]) => () => {
    // the arrow keys follow the frontier, and all candidates where the current one is not on it
    const path = frontier.length && (current === null || frontier.includes(current)) ? frontier : positions;
    const next = current === null ? path[0] : nextAlong(path, pixels(), current, direction);
    if (next === undefined || next === null) return setStatus("There is no further candidate in this direction.");
    setFocused(next);
    setStatus(`${name(next)}: ${x.title} ${figure(x.values[next])}, ${y.title} ${figure(y.values[next])}`);
  };
  const { handlers, status, setStatus } = useCanvas(box, {
    onZoom,
    onClick: (at, extend) => {
      const hit = nearest(positions, pixels(), at.x, at.y);
      if (hit !== null) onPick(hit, extend);
    },
    onDrag: (from, to, isDone) => {
      if (isDone && to) onBrush(inside(positions, pixels(), boxOf(from, to)));
      setBrush(to && !isDone ? boxOf(from, to) : null);
    },
    onSelect: (extend) => current !== null && onPick(current, extend),
    keys: { ArrowRight: step([1, 0]), ArrowLeft: step([-1, 0]), ArrowUp: step([0, -1]), ArrowDown: step([0, 1]) },
  });

  return (
    <div className="stack-s">
      <div
        {...handlers}
        ref={box}
        className="scatter"
        aria-label={`${count(positions.length)} candidates by ${x.title} and ${y.title}`}
        aria-description="Arrow keys move along the frontier, Enter selects, Shift and Enter adds to the selection; plus and minus zoom, 0 shows all."
        onBlur={() => setFocused(null)}>
        <Chart
          option={option}
          height={height}
          onReady={(instance) => {
            chart.current = instance;
            instance.on("rendered", () => latestMark.current());
          }}
        />
        <canvas ref={overlay} className="scatter-marks" aria-hidden="true" />
        {brush && (
          <div
            className="brush"
            style={{ left: brush.left, top: brush.top, width: brush.right - brush.left, height: brush.bottom - brush.top }}
          />
        )}
        <p className="unseen" role="status">
          {status}
        </p>
      </div>
      <ZoomTools label="Zoom of the frontier" onZoom={onZoom} />
    </div>
  );
}

function boxOf(a: Point, b: Point): Box {
  return { left: Math.min(a.x, b.x), right: Math.max(a.x, b.x), top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) };
}
