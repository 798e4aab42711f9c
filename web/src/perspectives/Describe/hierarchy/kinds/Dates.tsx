import { useState } from "react";
import { Checkboxes } from "../../../../components";
import type { FormProps } from "../Builder";
import { useSpec } from "./useSpec";

const STEPS = ["day", "month", "quarter", "year", "decade"];

/** Dates become months, quarters, years, decades. */
export function Dates({ onSpec }: FormProps) {
  const [steps, setSteps] = useState(["month", "quarter", "year", "decade"]);
  useSpec(onSpec, steps.length ? { kind: "dates", steps: STEPS.filter((step) => steps.includes(step)) } : null);
  return <Checkboxes label="Levels" value={steps} onChange={setSteps} options={STEPS.map((id) => ({ id, label: id }))} />;
}
