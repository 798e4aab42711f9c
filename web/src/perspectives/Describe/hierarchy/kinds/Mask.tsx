import { useState } from "react";
import { NumberField, Segments, TextField, optionsOf } from "../../../../components";
import type { FormProps } from "../Builder";
import { numbersIn } from "../../../../words";
import { useSpec } from "./useSpec";

/** Postcodes and the like lose one character after another. */
export function Mask({ facts, onSpec }: FormProps) {
  const [length, setLength] = useState(facts.longest ?? 5);
  const [side, setSide] = useState("right");
  const [steps, setSteps] = useState("");
  const hidden = numbersIn(steps);
  useSpec(onSpec, hidden && length >= 1 ? { kind: "mask", length, side, ...(hidden.length ? { steps: hidden } : {}) } : null);

  return (
    <div className="fields">
      <NumberField label="Length of the values" value={length} minValue={1} maxValue={1000} step={1} onChange={setLength} />
      <Segments label="Mask from the" value={side} onChange={setSide} options={optionsOf({ right: "Right", left: "Left" })} />
      <TextField
        label="Characters masked at each level"
        hint="Such as 1, 3, 5. If empty, one more at each level."
        value={steps}
        onChange={setSteps}
        error={hidden ? null : "Enter numbers separated by commas."}
      />
    </div>
  );
}
