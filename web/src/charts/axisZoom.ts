import type { ECharts } from "echarts/core";
import { extent, zoomed } from "./range";
import type { Axis } from "./Scatter";

/** Zoom both axes of a chart around a value of each, or around the middle where there is none; factor 0 shows everything. */
export function zoomAxes(
  chart: ECharts,
  axes: readonly Axis[],
  positions: readonly number[],
  factor: number,
  around: readonly (number | null | undefined)[],
): void {
  const zooms = chart.getOption().dataZoom as { startValue: number; endValue: number }[] | undefined;
  const batch = axes.map((axis, i) => {
    const ends = extent(axis.values, positions);
    const zoom = zooms?.[i];
    if (!factor || !ends || !zoom) return { dataZoomIndex: i, start: 0, end: 100 };
    // equal distances on the screen are equal ratios on a logarithmic axis
    const [scale, unscale] = axis.log ? [Math.log, Math.exp] : [(n: number) => n, (n: number) => n];
    const shown = [scale(zoom.startValue), scale(zoom.endValue)] as const;
    const value = around[i];
    const centre = value == null ? (shown[0] + shown[1]) / 2 : scale(value);
    const [low, high] = zoomed(shown, 1 / factor, centre, [scale(ends[0]), scale(ends[1])]);
    return { dataZoomIndex: i, startValue: unscale(low), endValue: unscale(high) };
  });
  chart.dispatchAction({ type: "dataZoom", batch });
}
