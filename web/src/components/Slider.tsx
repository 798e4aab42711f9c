import { Label, Slider as AriaSlider, SliderOutput, SliderThumb, SliderTrack } from "react-aria-components";
import { Hint } from "./Hint";

interface Props {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onChange: (value: number) => void;
  /** Called when the thumb is released: the moment to save. */
  onChangeEnd?: (value: number) => void;
  hint?: string | undefined;
  format?: Intl.NumberFormatOptions;
  output?: string;
}

export function Slider({ label, hint, min, max, value, onChange, onChangeEnd, format, output, step }: Props) {
  return (
    <AriaSlider
      className="slider"
      value={value}
      minValue={min}
      maxValue={max}
      step={step}
      onChange={(next) => onChange(next)}
      onChangeEnd={(next) => onChangeEnd?.(next)}
      {...(format ? { formatOptions: format } : {})}>
      <div className="row spread">
        <Label className="label">{label}</Label>
        <SliderOutput className="slider-output numeric">{output}</SliderOutput>
      </div>
      <SliderTrack className="slider-track">
        {({ state }) => (
          <>
            <div className="slider-fill" style={{ width: `${state.getThumbPercent(0) * 100}%` }} />
            <SliderThumb className="slider-thumb" />
          </>
        )}
      </SliderTrack>
      <Hint>{hint}</Hint>
    </AriaSlider>
  );
}
