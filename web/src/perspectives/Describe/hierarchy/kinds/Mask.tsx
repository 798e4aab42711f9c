import { useEffect, useState } from "react";
import { NumberField } from "../../../../components/NumberField";
import { Segments } from "../../../../components/Segments";
import { TextField } from "../../../../components/TextField";
import type { FormProps } from "../Builder";
import { listed } from "./numbers";

/** Zip codes and the like lose one character after the other. */
export function Mask({ facts, onSpec }: FormProps) {
  const [length, setLength] = useState(facts.longest ?? 5);
  const [side, setSide] = useState("right");
  const [steps, setSteps] = useState("");
  const chosen = listed(steps);

  useEffect(() => {
    onSpec(chosen && length >= 1 ? { kind: "mask", length, side, ...(chosen.length ? { steps: chosen } : {}) } : null);
  }, [length, side, steps]);

  return (
    <div className="fields">
      <NumberField label="Characters of a value" value={length} minValue={1} maxValue={1000} step={1} onChange={setLength} />
      <Segments
        isField
        label="Hide from the"
        value={side}
        onChange={setSide}
        options={[
          { id: "right", label: "Right" },
          { id: "left", label: "Left" },
        ]}
      />
      <TextField
        label="Hidden at each level"
        hint="Such as 1, 3, 5. Empty: one more at each level."
        value={steps}
        onChange={setSteps}
        error={chosen ? null : "Numbers with commas between them, please."}
      />
    </div>
  );
}
