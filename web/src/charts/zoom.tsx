// Zoom by button and key: the axes of a chart show a part of themselves, around what is looked at.
import type { ECharts } from "echarts/core";
import { type RefObject, useCallback } from "react";
import { Button } from "../components/Button";
import { extent } from "./extent";
import { narrowed } from "./parts";
import type { Axis } from "./Scatter";

export type Way = "in" | "out" | "whole";

const TIMES = { in: 0.6, out: 1 / 0.6 };

/** Zooms both axes, around a candidate if one is given. */
export function useZoom(chart: RefObject<ECharts | null>, axes: readonly Axis[], positions: readonly number[]): (way: Way, around: number | null) => void {
  return useCallback(
    (way, around) => {
      const zooms = chart.current?.getOption().dataZoom as { startValue: number; endValue: number }[] | undefined;
      const batch = axes.map((axis, i) => {
        const ends = extent(axis.values, positions);
        const zoom = zooms?.[i];
        if (way === "whole" || !ends || !zoom) return { dataZoomIndex: i, start: 0, end: 100 };
        // equal steps on the screen are equal factors where the axis is logarithmic
        const [there, back] = axis.log ? [Math.log, Math.exp] : [(n: number) => n, (n: number) => n];
        const part = [there(zoom.startValue), there(zoom.endValue)] as const;
        const value = around === null ? null : axis.values[around];
        const centre = value == null ? (part[0] + part[1]) / 2 : there(value);
        const [low, high] = narrowed(part, TIMES[way], centre, [there(ends[0]), there(ends[1])]);
        return { dataZoomIndex: i, startValue: back(low), endValue: back(high) };
      });
      chart.current?.dispatchAction({ type: "dataZoom", batch });
    },
    [chart, axes, positions],
  );
}

export function ZoomTools({ label, onZoom }: { label: string; onZoom: (way: Way) => void }) {
  return (
    <div className="zoom" role="group" aria-label={label}>
      <Button variant="quiet" size="s" onPress={() => onZoom("out")} aria-label="Smaller">−</Button>
      <Button variant="quiet" size="s" onPress={() => onZoom("whole")}>Whole</Button>
      <Button variant="quiet" size="s" onPress={() => onZoom("in")} aria-label="Larger">+</Button>
    </div>
  );
}
