// Parallel coordinates: a line per candidate, an axis per measure. Each axis is a slider with two thumbs, so a brush is
// drawn by mouse, finger or keyboard alike.
import { useCallback, useLayoutEffect, useMemo, useRef } from "react";
import type { PointerEvent } from "react";
import { Label, Slider, SliderThumb, SliderTrack } from "react-aria-components";
import { figure } from "../words";
import { extent } from "./extent";
import { usePalette } from "./palette";
import { useBox } from "./useBox";

export interface ParallelAxis {
  name: string;
  title: string;
  values: ArrayLike<number | null>;
}

export type Ranges = Readonly<Record<string, readonly [number, number]>>;

interface Props {
  axes: readonly ParallelAxis[];
  /** All candidates, and those that the filters (these brushes too) let through. */
  all: readonly number[];
  positions: readonly number[];
  group: ArrayLike<number>;
  selected: ReadonlySet<number>;
  ranges: Ranges;
  onRange: (name: string, range: readonly [number, number] | null) => void;
  onPick: (position: number, extend: boolean) => void;
  height?: number;
}

const [TOP, BOTTOM, SIDE] = [12, 12, 56];

export function Parallel({ axes, all, positions, group, selected, ranges, onRange, onPick, height = 260 }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const { box, width } = useBox();
  const palette = usePalette();
  const ends = useMemo(() => axes.map((axis) => extent(axis.values, all) ?? ([0, 1] as const)), [axes, all]);
  const across = (i: number): number => (axes.length < 2 ? width / 2 : SIDE + (i * (width - 2 * SIDE)) / (axes.length - 1));
  const down = (i: number, value: number): number => {
    const [low, high] = ends[i] ?? [0, 1];
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return TOP + (1 - share) * (height - TOP - BOTTOM);
  };

  const pen = useCallback(
    (element: HTMLCanvasElement | null) => {
      const context = element?.getContext("2d");
      if (!element || !context || !width) return null;
      const ratio = devicePixelRatio || 1;
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      return (which: Iterable<number>, colour: string, alpha: number, thick: number): void => {
        context.beginPath();
        for (const position of which) trace(context, axes, position, across, down);
        Object.assign(context, { strokeStyle: colour, globalAlpha: alpha, lineWidth: thick });
        context.stroke();
      };
    },
    [axes, ends, width, height],
  );
  useLayoutEffect(() => {
    const lines = pen(canvas.current);
    if (!lines) return;
    const within = new Set(positions);
    if (within.size < all.length) lines(all.filter((position) => !within.has(position)), palette.line, 0.5, 1);
    const groups = new Map<number, number[]>();
    for (const position of positions) {
      const own = group[position] ?? 0;
      if (!groups.has(own)) groups.set(own, []);
      groups.get(own)?.push(position);
    }
    const alpha = Math.max(0.12, Math.min(0.8, 60 / positions.length));
    for (const [own, members] of groups) lines(members, palette.groups[own % palette.groups.length] ?? palette.text, alpha, 1);
  }, [pen, all, positions, group, palette]);
  // What is selected lies on a canvas above, so that a click does not draw thousands of lines anew.
  useLayoutEffect(() => pen(marks.current)?.(selected, palette.text, 1, 2.5), [pen, selected, palette]);

  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>): void => {
    const edge = event.currentTarget.getBoundingClientRect();
    const hit = lineAt(event.clientX - edge.left, event.clientY - edge.top, axes, positions, across, down);
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
              style={{ left: across(i), top: TOP, height: height - TOP - BOTTOM }}
            >
              <SliderTrack className="parallel-track">
                <SliderThumb index={0} className="parallel-thumb" aria-label={`${axis.title}, at least`} />
                <SliderThumb index={1} className="parallel-thumb" aria-label={`${axis.title}, at most`} />
              </SliderTrack>
              <Label className="parallel-label">
                {axis.title}
                <span className="quiet">{figure(range[0])} – {figure(range[1])}</span>
              </Label>
            </Slider>
          );
        })}
    </div>
  );
}

type Across = (i: number) => number;
type Down = (i: number, value: number) => number;

function trace(context: CanvasRenderingContext2D, axes: readonly ParallelAxis[], position: number, across: Across, down: Down): void {
  let open = false;
  axes.forEach((axis, i) => {
    const value = axis.values[position];
    if (value == null || !Number.isFinite(value)) return void (open = false);
    if (open) context.lineTo(across(i), down(i, value));
    else context.moveTo(across(i), down(i, value));
    open = true;
  });
}

/** The line nearest to a place, if one is near. */
function lineAt(x: number, y: number, axes: readonly ParallelAxis[], positions: readonly number[], across: Across, down: Down): number | null {
  const right = axes.findIndex((_, i) => across(i) >= x);
  if (right < 1) return null;
  const share = (x - across(right - 1)) / (across(right) - across(right - 1));
  let [best, found] = [8, null as number | null];
  for (const position of positions) {
    const [a, b] = [axes[right - 1]?.values[position], axes[right]?.values[position]];
    if (a == null || b == null) continue;
    const far = Math.abs(down(right - 1, a) * (1 - share) + down(right, b) * share - y);
    if (far < best) [best, found] = [far, position];
  }
  return found;
}
