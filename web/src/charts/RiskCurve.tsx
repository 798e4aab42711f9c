import { useMemo } from "react";
import type { ClassSizes } from "../api/types";
import { percent } from "../words";
import { Chart } from "./Chart";
import { usePalette } from "./palette";
import { axisStyle, chartStyle } from "./style";

/** The share of records at or above each re-identification risk. Within a range of class sizes the smallest counts. */
export function RiskCurve({ sizes }: { sizes: readonly ClassSizes[] }) {
  const palette = usePalette();
  const points = useMemo(() => {
    const total = sizes.reduce((sum, own) => sum + own.records, 0) || 1;
    let sum = 0;
    return sizes
      .toSorted((a, b) => a.minimum - b.minimum)
      .map(({ minimum, records }) => [1 / Math.max(1, minimum), (sum += records) / total] as const);
  }, [sizes]);
  const option = useMemo(() => {
    const tooltip = ({ data: [risk = 0, share = 0] }: { data: number[] }): string =>
      `${percent(share)} of the records\nat a risk of at least ${percent(risk)}`;
    const axis = (name: string, gap: number) => ({ ...axisStyle(palette, name, gap, percent), type: "value", min: 0 });
    const [itemStyle, lineStyle] = [{ color: palette.after }, { color: palette.after, width: 2 }];
    return {
      ...chartStyle(palette, "item", tooltip),
      xAxis: axis("risk of re-identification", 26),
      yAxis: { ...axis("records", 44), max: 1 },
      series: [{ type: "line", step: "end", data: points, symbolSize: 7, itemStyle, lineStyle }],
    };
  }, [points, palette]);
  const summary = points.map(([risk, share]) => `${percent(share)} at ${percent(risk)} or more`).join("; ");
  return <Chart option={option} label={`Share of records by risk: ${summary}`} />;
}
