// An ECharts instance in a box: it follows the size of the box and the given options.
import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { DataZoomInsideComponent, GridComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import { type ECharts, type EChartsCoreOption, init, use as register } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import { useLatest } from "../api/useLatest";

register([BarChart, LineChart, ScatterChart, DataZoomInsideComponent, GridComponent, MarkLineComponent, TooltipComponent, CanvasRenderer]);

interface Props {
  option: EChartsCoreOption;
  /** What a screen reader announces; none where the surrounding element has a label. */
  label?: string;
  height?: number;
  /** Called once, with the instance. */
  onReady?: (chart: ECharts) => void;
}

export function Chart({ option, label, height = 240, onReady }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  const ready = useLatest(onReady);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const instance = init(element, null, { renderer: "canvas" });
    chart.current = instance;
    const observer = new ResizeObserver(() => instance.resize());
    observer.observe(element);
    ready.current?.(instance);
    return () => {
      observer.disconnect();
      instance.dispose();
      chart.current = null;
    };
  }, [ready]);

  useEffect(() => {
    chart.current?.setOption(option, { replaceMerge: ["series"] });
  }, [option]);

  return (
    <div ref={box} {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })} className="chart" style={{ height }} />
  );
}
