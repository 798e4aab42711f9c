// The scatter as ECharts wants it.
import type { EChartsCoreOption } from "echarts/core";
import { figure } from "../words";
import { extent } from "./extent";
import { SYMBOLS } from "./palette";
import type { Palette } from "./palette";
import type { Axis, ScatterProps } from "./Scatter";

const POINT = 9;

export type Drawn = Omit<ScatterProps, "selected" | "onPick" | "onBrush" | "height">;

export function scatterOption(props: Drawn, palette: Palette): EChartsCoreOption {
  const { x, y, groups, positions } = props;
  const point = (position: number): [number | null, number | null, number] => [
    x.values[position] ?? null, y.values[position] ?? null, position,
  ];
  const size = sizes(props);
  const colour = colours(props, palette);
  const byGroup = groups.map(() => [] as number[]);
  for (const position of positions) byGroup[props.group[position] ?? 0]?.push(position);
  return {
    animation: false,
    textStyle: { fontFamily: palette.font, color: palette.text },
    grid: { left: 26, right: 24, top: 16, bottom: 34, containLabel: true },
    tooltip: { trigger: "item", renderMode: "richText", confine: true, formatter: tooltip(props) },
    dataZoom: [
      { type: "inside", xAxisIndex: 0, zoomOnMouseWheel: "ctrl", moveOnMouseMove: false, moveOnMouseWheel: false, filterMode: "none" },
      { type: "inside", yAxisIndex: 0, zoomOnMouseWheel: "ctrl", moveOnMouseMove: false, moveOnMouseWheel: false, filterMode: "none" },
    ],
    xAxis: axisOption(x, palette, "across"),
    yAxis: axisOption(y, palette, "up"),
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
        symbol: SYMBOLS[group % SYMBOLS.length],
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

export function axisOption(axis: Axis, palette: Palette, side: "across" | "up") {
  const arrow = axis.better === null ? "" : axis.better === "lower" ? " ↓" : " ↑";
  return {
    type: axis.log ? "log" : "value",
    scale: true,
    name: axis.title + arrow,
    nameLocation: "middle",
    nameGap: side === "up" ? 58 : 26,
    nameTextStyle: { color: palette.text, fontSize: 12 },
    axisLine: { lineStyle: { color: palette.muted } },
    axisLabel: { color: palette.muted, hideOverlap: true, formatter: (value: number) => figure(value) },
    splitLine: { lineStyle: { color: palette.line } },
  };
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
