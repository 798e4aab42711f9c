import { useMemo } from "react";
import type { ClassSizes } from "../api/types";
import { percent } from "../words";
import { Chart } from "./Chart";
import { usePalette } from "./palette";

/** Which share of the records somebody picks out with at least which chance. Inside a range of sizes the least one counts. */
export function RiskCurve({ sizes }: { sizes: readonly ClassSizes[] }) {
  const palette = usePalette();
  const points = useMemo(() => {
    const total = sizes.reduce((sum, own) => sum + own.records, 0) || 1;
    let sum = 0;
    const ordered = [...sizes].sort((a, b) => a.least - b.least);
    return ordered.map((own) => {
      sum += own.records;
      return [1 / Math.max(1, own.least), sum / total] as const;
    });
  }, [sizes]);
  const option = useMemo(() => {
    const axis = (name: string, nameGap: number) => ({
      type: "value",
      min: 0,
      name,
      nameLocation: "middle",
      nameGap,
      nameTextStyle: { color: palette.text },
      axisLabel: { color: palette.muted, hideOverlap: true, formatter: (value: number) => percent(value) },
      axisLine: { lineStyle: { color: palette.muted } },
      splitLine: { lineStyle: { color: palette.line } },
    });
    return {
      animation: false,
      textStyle: { fontFamily: palette.font, color: palette.text },
      grid: { left: 24, right: 16, top: 16, bottom: 28, containLabel: true },
      tooltip: {
        trigger: "item",
        renderMode: "richText",
        confine: true,
        formatter: ({ data }: { data: number[] }) => `${percent(data[1] ?? 0)} of the records\nat a risk of at least ${percent(data[0] ?? 0)}`,
      },
      xAxis: axis("chance of being picked out", 26),
      yAxis: { ...axis("records", 44), max: 1 },
      series: [{ type: "line", step: "end", data: points, symbolSize: 7, itemStyle: { color: palette.after }, lineStyle: { color: palette.after, width: 2 } }],
    };
  }, [points, palette]);
  const said = points.map(([risk, share]) => `${percent(share)} at ${percent(risk)} or more`).join("; ");
  return <Chart option={option} label={`Share of records by risk: ${said}`} />;
}
