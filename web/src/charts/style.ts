import type { Palette } from "./palette";

/** What every ECharts chart here has in common. Tooltips are drawn on the canvas, so that data never becomes markup. */
export function chartStyle(palette: Palette, trigger: "axis" | "item", formatter: unknown) {
  return {
    animation: false,
    textStyle: { fontFamily: palette.font, color: palette.text },
    grid: { left: 24, right: 20, top: 16, bottom: 32, containLabel: true },
    tooltip: { trigger, renderMode: "richText", confine: true, formatter },
  };
}

export function axisStyle(palette: Palette, name: string, nameGap: number, format?: (value: number) => string) {
  return {
    name,
    nameLocation: "middle",
    nameGap,
    nameTextStyle: { color: palette.text, fontSize: 12 },
    axisLine: { lineStyle: { color: palette.muted } },
    axisLabel: { color: palette.muted, hideOverlap: true, ...(format ? { formatter: format } : {}) },
    splitLine: { lineStyle: { color: palette.line } },
  };
}
