import { useEffect, useState } from "react";
import { Checkbox } from "../../../../components/Checkbox";
import { NumberField } from "../../../../components/NumberField";
import { TextField } from "../../../../components/TextField";
import type { FormProps } from "../Builder";
import { edges, listed, roundStep, span } from "./numbers";

/** Ranges of numbers of one width, then wider ones. */
export function Intervals({ facts, onSpec }: FormProps) {
  const [least, most] = span(facts);
  const step = roundStep(Math.max(most - least, 1), 15);
  const [from, setFrom] = useState(Math.floor(least / step) * step);
  const [to, setTo] = useState(Math.floor(most / step + 1) * step);
  const [width, setWidth] = useState(step);
  const [wider, setWider] = useState(`${step * 2}, ${step * 4}`);
  const [open, setOpen] = useState(true);
  const cuts = edges(from, to, width);
  const widths = listed(wider);

  useEffect(() => {
    onSpec(cuts && widths ? { kind: "intervals", edges: cuts, widths: [width, ...widths], open_ended: open } : null);
  }, [from, to, width, wider, open]);

  return (
    <div className="fields">
      <NumberField label="From" value={from} onChange={setFrom} />
      <NumberField label="To" value={to} onChange={setTo} error={to > from ? null : "Must be more than “From”."} />
      <NumberField label="Width at level 1" value={width} minValue={0} onChange={setWidth} error={cuts || to <= from ? null : "Too narrow for this span."} />
      <TextField
        label="Widths of the next levels"
        hint="Multiples of the width before, such as 10, 20."
        value={wider}
        onChange={setWider}
        error={widths ? null : "Numbers with commas between them, please."}
      />
      <Checkbox isSelected={open} onChange={setOpen}>
        Open the first and last one (“&lt;20”, “≥80”)
      </Checkbox>
    </div>
  );
}
