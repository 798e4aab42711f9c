import { useMemo } from "react";
import type { ClassSizes } from "../api/types";
import { count } from "../words";
import { Chart } from "./Chart";
import { usePalette } from "./palette";
import { axisStyle, chartStyle } from "./style";

/** The number of records by the size of their class. */
export function ClassSizeChart({ sizes }: { sizes: readonly ClassSizes[] }) {
  const palette = usePalette();
  const unit = sizes[0]?.unit === "persons" ? " persons" : "";
  const option = useMemo(() => {
    const tooltip = ([item]: { dataIndex: number }[]): string => {
      const own = sizes[item?.dataIndex ?? 0];
      return own ? `classes of ${range(own)}${unit}\n${count(own.classes)} classes\n${count(own.records)} records` : "";
    };
    return {
      ...chartStyle(palette, "axis", tooltip),
      xAxis: {
        ...axisStyle(palette, sizes[0]?.unit === "persons" ? "class size, in persons" : "class size", 26),
        type: "category",
        data: sizes.map(range),
        splitLine: { show: false },
      },
      yAxis: { ...axisStyle(palette, "", 0), type: "value" },
      series: [{ type: "bar", data: sizes.map((own) => own.records), itemStyle: { color: palette.after }, barCategoryGap: "20%" }],
    };
  }, [sizes, unit, palette]);
  const summary = sizes.map((own) => `${count(own.records)} records in classes of ${range(own)}${unit}`).join("; ");
  return <Chart option={option} label={`Records by class size: ${summary}`} />;
}

function range({ minimum, maximum }: ClassSizes): string {
  return minimum === maximum ? count(minimum) : `${count(minimum)}–${count(maximum)}`;
}
