import { useState } from "react";
import { Checkbox, NumberField, TextField } from "../../../../components";
import type { FormProps } from "../Builder";
import { numbersIn } from "../../../../words";
import { edges, extremes, roundStep } from "./numbers";
import { useSpec } from "./useSpec";

/** Intervals of one width, then wider ones. */
export function Intervals({ facts, onSpec }: FormProps) {
  const [min, max] = extremes(facts);
  const step = roundStep(Math.max(max - min, 1), 15);
  const [from, setFrom] = useState(Math.floor(min / step) * step);
  const [to, setTo] = useState(Math.floor(max / step + 1) * step);
  const [width, setWidth] = useState(step);
  const [wider, setWider] = useState(`${step * 2}, ${step * 4}`);
  const [open, setOpen] = useState(true);
  const cuts = edges(from, to, width);
  const widths = numbersIn(wider);
  useSpec(onSpec, cuts && widths ? { kind: "intervals", edges: cuts, widths: [width, ...widths], open_ended: open } : null);

  return (
    <div className="fields">
      <NumberField label="From" value={from} onChange={setFrom} />
      <NumberField label="To" value={to} onChange={setTo} error={to > from ? null : "Must be greater than “From”."} />
      <NumberField
        label="Width at level 1"
        value={width}
        minValue={0}
        onChange={setWidth}
        error={cuts || to <= from ? null : "Too narrow for this range."}
      />
      <TextField
        label="Widths of the next levels"
        hint="Multiples of the previous width, such as 10, 20."
        value={wider}
        onChange={setWider}
        error={widths ? null : "Enter numbers separated by commas."}
      />
      <Checkbox isSelected={open} onChange={setOpen}>
        Open-ended first and last interval (“&lt;20”, “≥80”)
      </Checkbox>
    </div>
  );
}
