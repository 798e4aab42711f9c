// The ECharts options of the scatter plot.
import type { EChartsCoreOption } from "echarts/core";
import { figure } from "../words";
import { extent } from "./range";
import { type Palette, symbolOf } from "./palette";
import type { Axis, ScatterProps } from "./Scatter";
import { axisStyle, chartStyle } from "./style";

const POINT = 9;
/** Zoomed by axisZoom only: pointer and wheel are the canvas hook's. */
const ZOOM_BY_ACTION = { type: "inside", zoomOnMouseWheel: false, moveOnMouseMove: false, moveOnMouseWheel: false, filterMode: "none" };

type Drawn = Omit<ScatterProps, "selected" | "onPick" | "onBrush" | "height">;

export function scatterOption(props: Drawn, palette: Palette): EChartsCoreOption {
  const { x, y, groups, positions } = props;
  const point = (position: number) => [x.values[position] ?? null, y.values[position] ?? null, position];
  const size = sizes(props);
  const colour = colours(props, palette);
  const byGroup = groups.map(() => [] as number[]);
  for (const position of positions) byGroup[props.group[position] ?? 0]?.push(position);
  return {
    ...chartStyle(palette, "item", tooltip(props)),
    dataZoom: [
      { ...ZOOM_BY_ACTION, xAxisIndex: 0 },
      { ...ZOOM_BY_ACTION, yAxisIndex: 0 },
    ],
    xAxis: axisOption(x, palette, 26),
    yAxis: axisOption(y, palette, 58),
    series: [
      {
        type: "line",
        id: "frontier",
        data: props.frontier.map(point),
        step: false,
        symbol: "none",
        silent: true,
        lineStyle: { color: palette.muted, width: 1.5, type: "dashed" },
        z: 1,
      },
      ...byGroup.map((own, group) => ({
        type: "scatter",
        id: `group-${group}`,
        name: groups[group],
        symbol: symbolOf(group),
        data: own.map(point),
        symbolSize: size,
        progressive: 3000,
        progressiveThreshold: 12_000,
        itemStyle: { color: colour(group), opacity: positions.length > 400 ? 0.55 : 0.85 },
        emphasis: { scale: 1.3 },
        z: 2,
      })),
    ],
  };
}

function axisOption(axis: Axis, palette: Palette, gap: number) {
  const arrow = axis.better === null ? "" : axis.better === "lower" ? " ↓" : " ↑";
  return { ...axisStyle(palette, axis.title + arrow, gap, figure), type: axis.log ? "log" : "value", scale: true };
}

function sizes({ size, positions }: Drawn): (value: number[]) => number {
  const ends = size && extent(size.values, positions);
  if (!size || !ends || ends[0] === ends[1]) return () => (positions.length > 2000 ? POINT - 3 : POINT);
  return (value) => {
    const own = size.values[value[2] ?? 0];
    return own == null ? 4 : 5 + 17 * Math.sqrt((own - ends[0]) / (ends[1] - ends[0]));
  };
}

type Coloured = { data: [unknown, unknown, number] };

function colours({ colour, positions }: Drawn, palette: Palette): (group: number) => string | ((item: Coloured) => string) {
  const ends = colour && extent(colour.values, positions);
  if (!colour || !ends) return (group) => palette.groups[group % palette.groups.length] ?? palette.text;
  const step = (ends[1] - ends[0]) / palette.scale.length || 1;
  return () => (item) => {
    const own = colour.values[item.data[2]];
    if (own == null) return palette.faint;
    return palette.scale[Math.min(palette.scale.length - 1, Math.floor((own - ends[0]) / step))] ?? palette.faint;
  };
}

function tooltip(props: Drawn): (item: { data: number[] }) => string {
  return ({ data }) => {
    const position = data[2] ?? 0;
    const axes = [props.x, props.y, props.size, props.colour].filter((axis) => axis !== null);
    const lines = axes.map((axis) => `${axis.title}: ${figure(axis.values[position])}`);
    return [props.name(position), ...new Set(lines)].join("\n");
  };
}
