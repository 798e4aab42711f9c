// Parallel coordinates: a line per candidate, an axis per measure. Each axis is a slider with two thumbs, so a range can
// be set by mouse, finger or keyboard.
import { type PointerEvent, useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { Label, Slider, SliderThumb, SliderTrack } from "react-aria-components";
import { figure } from "../words";
import { extent, type Range } from "./range";
import { usePalette } from "./palette";
import { sized } from "./useCanvas";
import { useWidth } from "./useWidth";

export interface ParallelAxis {
  name: string;
  title: string;
  values: ArrayLike<number | null>;
}

export type Ranges = Readonly<Record<string, Range>>;

interface Props {
  axes: readonly ParallelAxis[];
  /** All candidates, and those that pass the filters, these ranges included. */
  all: readonly number[];
  positions: readonly number[];
  group: ArrayLike<number>;
  selected: ReadonlySet<number>;
  ranges: Ranges;
  onRange: (name: string, range: Range | null) => void;
  onPick: (position: number, extend: boolean) => void;
  height?: number;
}

const [TOP, BOTTOM, SIDE] = [12, 12, 56];

export function Parallel({ axes, all, positions, group, selected, ranges, onRange, onPick, height = 260 }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const palette = usePalette();
  const ends = useMemo(() => axes.map((axis) => extent(axis.values, all) ?? ([0, 1] as const)), [axes, all]);
  const across = useCallback(
    (i: number): number => (axes.length < 2 ? width / 2 : SIDE + (i * (width - 2 * SIDE)) / (axes.length - 1)),
    [axes.length, width],
  );
  const down = useCallback(
    (i: number, value: number): number => {
      const [low, high] = ends[i] ?? [0, 1];
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return TOP + (1 - share) * (height - TOP - BOTTOM);
    },
    [ends, height],
  );

  const pen = useCallback(
    (element: HTMLCanvasElement | null) => {
      const context = sized(element, width, height);
      if (!context) return null;
      return (which: Iterable<number>, colour: string, alpha: number, thick: number): void => {
        context.beginPath();
        for (const position of which) trace(context, axes, position, { across, down });
        Object.assign(context, { strokeStyle: colour, globalAlpha: alpha, lineWidth: thick });
        context.stroke();
      };
    },
    [axes, across, down, width, height],
  );
  useLayoutEffect(() => {
    const lines = pen(canvas.current);
    if (!lines) return;
    const within = new Set(positions);
    const excluded = all.filter((position) => !within.has(position));
    if (excluded.length) lines(excluded, palette.line, 0.5, 1);
    const groups = Map.groupBy(positions, (position) => group[position] ?? 0);
    const alpha = Math.max(0.12, Math.min(0.8, 60 / positions.length));
    for (const [own, members] of groups) lines(members, palette.groups[own % palette.groups.length] ?? palette.text, alpha, 1);
  }, [pen, all, positions, group, palette]);
  // The selection is drawn on a second canvas, so that a click does not redraw thousands of lines.
  useLayoutEffect(() => pen(marks.current)?.(selected, palette.text, 1, 2.5), [pen, selected, palette]);

  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>): void => {
    const edge = event.currentTarget.getBoundingClientRect();
    const hit = lineAt(event.clientX - edge.left, event.clientY - edge.top, axes, positions, { across, down });
    if (hit !== null) onPick(hit, event.shiftKey || event.ctrlKey || event.metaKey);
  };

  return (
    <div ref={box} className="parallel" style={{ height: height + 56 }}>
      <canvas ref={canvas} aria-hidden="true" style={{ width: "100%", height }} onPointerUp={onPointerUp} />
      <canvas ref={marks} className="parallel-marks" aria-hidden="true" style={{ height }} />
      {width > 0 &&
        axes.map((axis, i) => {
          const [low, high] = ends[i] ?? [0, 1];
          const range = ranges[axis.name] ?? [low, high];
          const step = high > low ? (high - low) / 200 : 1;
          return (
            <Slider
              key={axis.name}
              className="parallel-axis"
              orientation="vertical"
              minValue={low}
              maxValue={high > low ? high : low + 1}
              step={step}
              value={[Math.max(low, range[0]), Math.min(high > low ? high : low + 1, high > low ? range[1] : low + 1)]}
              onChange={([from = low, to = high]) => onRange(axis.name, from <= low && to >= high ? null : [from, to])}
              isDisabled={high <= low}
              style={{ left: across(i), top: TOP, height: height - TOP - BOTTOM }}>
              <SliderTrack className="parallel-track">
                <SliderThumb index={0} className="parallel-thumb" aria-label={`${axis.title}, at least`} />
                <SliderThumb index={1} className="parallel-thumb" aria-label={`${axis.title}, at most`} />
              </SliderTrack>
              <Label className="parallel-label">
                {axis.title}
                <span className="quiet">
                  {figure(range[0])} – {figure(range[1])}
                </span>
              </Label>
            </Slider>
          );
        })}
    </div>
  );
}

/** The place of an axis, and of a value on it. */
interface Scale {
  across: (i: number) => number;
  down: (i: number, value: number) => number;
}

function trace(context: CanvasRenderingContext2D, axes: readonly ParallelAxis[], position: number, { across, down }: Scale): void {
  let open = false;
  axes.forEach((axis, i) => {
    const value = axis.values[position];
    if (value == null || !Number.isFinite(value)) return void (open = false);
    if (open) context.lineTo(across(i), down(i, value));
    else context.moveTo(across(i), down(i, value));
    open = true;
  });
}

/** The line nearest to a point within a few pixels, or null. */
function lineAt(x: number, y: number, axes: readonly ParallelAxis[], positions: readonly number[], { across, down }: Scale): number | null {
  const right = axes.findIndex((_, i) => across(i) >= x);
  if (right < 1) return null;
  const share = (x - across(right - 1)) / (across(right) - across(right - 1));
  let [best, nearest] = [8, null as number | null];
  for (const position of positions) {
    const [a, b] = [axes[right - 1]?.values[position], axes[right]?.values[position]];
    if (a == null || b == null) continue;
    const far = Math.abs(down(right - 1, a) * (1 - share) + down(right, b) * share - y);
    if (far < best) [best, nearest] = [far, position];
  }
  return nearest;
}
