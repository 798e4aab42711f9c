import { useState } from "react";
import { NumberField } from "../../../../components";
import type { FormProps } from "../Builder";
import { edges, extremes } from "./numbers";
import { useSpec } from "./useSpec";

/** Very small and very large values are merged first; the values between them follow at the next level. */
export function TopBottom({ facts, onSpec }: FormProps) {
  const [min, max] = extremes(facts);
  const tenth = Math.max(1, Math.round((max - min) / 10));
  const [bottom, setBottom] = useState(min + tenth);
  const [top, setTop] = useState(max - tenth);
  const [step, setStep] = useState(1);
  const cuts = edges(bottom, top, step);
  const levels = cuts && cuts.length > 2 ? [[cuts[0], cuts.at(-1)]] : [];
  useSpec(onSpec, cuts && { kind: "intervals", edges: cuts, levels, open_ended: true });

  return (
    <div className="fields">
      <NumberField label="Merge all values below" value={bottom} onChange={setBottom} />
      <NumberField
        label="Merge all values from"
        value={top}
        onChange={setTop}
        error={top > bottom ? null : "Must be greater than the bottom."}
      />
      <NumberField
        label="Interval width between them"
        hint="1 keeps integers as they are."
        value={step}
        minValue={0}
        onChange={setStep}
        error={cuts || top <= bottom ? null : "Too narrow for this range."}
      />
    </div>
  );
}
