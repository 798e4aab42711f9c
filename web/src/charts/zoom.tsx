// Zoom by button and key: the axes of a chart show a part of themselves, around what is looked at.
import type { ECharts } from "echarts/core";
import { type RefObject, useCallback } from "react";
import { Button } from "../components/Button";
import { narrowed, type Part } from "./parts";

export type Way = "in" | "out" | "whole";

/** Zooms both axes, around a pixel if one is given. */
export function useZoom(chart: RefObject<ECharts | null>): (way: Way, around: readonly [number, number] | null) => void {
  return useCallback(
    (way, around) => {
      const made = chart.current;
      if (!made) return;
      const parts = (made.getOption().dataZoom as { start: number; end: number }[]).map(({ start, end }): Part => [start, end]);
      const centres = around && made.containPixel({ gridIndex: 0 }, [...around]) ? shares(made, around) : [0.5, 0.5];
      const batch = parts.map((part, i) => {
        const [start, end] = narrowed(part, way === "in" ? 0.6 : way === "out" ? 1 / 0.6 : Infinity, centres[i] ?? 0.5);
        return { dataZoomIndex: i, start, end };
      });
      made.dispatchAction({ type: "dataZoom", batch });
    },
    [chart],
  );
}

/** Where a pixel lies in the plot, from 0 to 1, across and up. */
function shares(chart: ECharts, [x, y]: readonly [number, number]): [number, number] {
  const inside = (px: number, py: number): boolean => chart.containPixel({ gridIndex: 0 }, [px, py]);
  const edge = (from: number, step: number, test: (at: number) => boolean): number => {
    let at = from;
    while (test(at + step)) at += step;
    return at;
  };
  const [left, right] = [edge(x, -1, (at) => inside(at, y)), edge(x, 1, (at) => inside(at, y))];
  const [top, bottom] = [edge(y, -1, (at) => inside(x, at)), edge(y, 1, (at) => inside(x, at))];
  return [(x - left) / (right - left || 1), (bottom - y) / (bottom - top || 1)];
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
