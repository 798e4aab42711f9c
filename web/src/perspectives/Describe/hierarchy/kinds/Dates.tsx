import { useEffect, useState } from "react";
import { CheckboxGroup, Label } from "react-aria-components";
import { Checkbox } from "../../../../components/Checkbox";
import type { FormProps } from "../Builder";

const STEPS = ["day", "month", "quarter", "year", "decade"];

/** Dates become months, quarters, years, decades. */
export function Dates({ onSpec }: FormProps) {
  const [steps, setSteps] = useState(["month", "quarter", "year", "decade"]);
  useEffect(() => {
    const inOrder = STEPS.filter((step) => steps.includes(step));
    onSpec(inOrder.length ? { kind: "dates", steps: inOrder } : null);
  }, [steps]);
  return (
    <CheckboxGroup className="stack-s" value={steps} onChange={setSteps}>
      <Label className="label">Levels</Label>
      <div className="row">
        {STEPS.map((step) => (
          <Checkbox key={step} value={step}>
            {step}
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}
