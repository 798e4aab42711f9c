import { useMemo } from "react";
import type { ClassSizes } from "../api/types";
import { count } from "../words";
import { Chart } from "./Chart";
import { usePalette } from "./palette";

/** How many records are in groups of which size. */
export function ClassSizeChart({ sizes }: { sizes: readonly ClassSizes[] }) {
  const palette = usePalette();
  const option = useMemo(
    () => ({
      animation: false,
      textStyle: { fontFamily: palette.font, color: palette.text },
      grid: { left: 8, right: 16, top: 16, bottom: 28, containLabel: true },
      tooltip: {
        trigger: "axis",
        renderMode: "richText",
        confine: true,
        formatter: ([item]: { dataIndex: number }[]) => {
          const own = sizes[item?.dataIndex ?? 0];
          return own ? `groups of ${range(own)}\n${count(own.classes)} groups\n${count(own.records)} records` : "";
        },
      },
      xAxis: {
        type: "category",
        data: sizes.map(range),
        name: "records in the group",
        nameLocation: "middle",
        nameGap: 26,
        nameTextStyle: { color: palette.text },
        axisLabel: { color: palette.muted, hideOverlap: true },
        axisLine: { lineStyle: { color: palette.muted } },
      },
      yAxis: { type: "value", axisLabel: { color: palette.muted }, splitLine: { lineStyle: { color: palette.line } } },
      series: [{ type: "bar", data: sizes.map((own) => own.records), itemStyle: { color: palette.after }, barCategoryGap: "20%" }],
    }),
    [sizes, palette],
  );
  const said = sizes.map((own) => `${count(own.records)} records in groups of ${range(own)}`).join("; ");
  return <Chart option={option} label={`Records by the size of their group: ${said}`} />;
}

export function range({ least, most }: ClassSizes): string {
  return least === most ? count(least) : `${count(least)}–${count(most)}`;
}
