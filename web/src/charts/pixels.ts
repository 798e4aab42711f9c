// The pixels of candidates. An axis is linear in the value or in its logarithm, so two of its points determine it.
import type { ECharts } from "echarts/core";
import { extent } from "./range";
import type { Pixel } from "./picking";
import type { Axis } from "./Scatter";

export function pixelsOf(chart: ECharts, x: Axis, y: Axis, positions: readonly number[]): Pixel {
  const [xs, ys] = [extent(x.values, positions), extent(y.values, positions)];
  if (!xs || !ys) return () => null;
  const ends = (low: number, high: number): [number, number] => (high > low ? [low, high] : [low, low + 1]);
  const [[x0, x1], [y0, y1]] = [ends(...xs), ends(...ys)];
  const [low, high] = [at(chart, x0, y0), at(chart, x1, y1)];
  if (!low || !high) return () => null;
  const across = line(x, x0, x1, low[0], high[0]);
  const up = line(y, y0, y1, low[1], high[1]);
  return (position) => {
    const [a, b] = [x.values[position], y.values[position]];
    return a == null || b == null ? null : [across(a), up(b)];
  };
}

function at(chart: ECharts, x: number, y: number): [number, number] | null {
  return (chart.convertToPixel({ gridIndex: 0 }, [x, y]) as [number, number] | undefined) ?? null;
}

function line(axis: Axis, low: number, high: number, from: number, to: number): (value: number) => number {
  const scaled = axis.log ? Math.log : (value: number) => value;
  const slope = (to - from) / (scaled(high) - scaled(low));
  return (value) => from + slope * (scaled(value) - scaled(low));
}
