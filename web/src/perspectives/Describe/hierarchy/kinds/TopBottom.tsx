import { useEffect, useState } from "react";
import { NumberField } from "../../../../components/NumberField";
import type { FormProps } from "../Builder";
import { edges, span } from "./numbers";

/** Rare small and large values are cut off first; what lies between stays, then becomes one range. */
export function TopBottom({ facts, onSpec }: FormProps) {
  const [least, most] = span(facts);
  const fifth = Math.max(1, Math.round((most - least) / 10));
  const [bottom, setBottom] = useState(least + fifth);
  const [top, setTop] = useState(most - fifth);
  const [step, setStep] = useState(1);
  const cuts = edges(bottom, top, step);

  useEffect(() => {
    const ends = cuts && [cuts[0], cuts.at(-1)];
    onSpec(cuts && ends ? { kind: "intervals", edges: cuts, levels: cuts.length > 2 ? [ends] : [], open_ended: true } : null);
  }, [bottom, top, step]);

  return (
    <div className="fields">
      <NumberField label="Everything below this is one value" value={bottom} onChange={setBottom} />
      <NumberField label="Everything from this on is one value" value={top} onChange={setTop} error={top > bottom ? null : "Must be more than the bottom."} />
      <NumberField label="Width between them" hint="1 keeps whole numbers as they are." value={step} minValue={0} onChange={setStep} error={cuts || top <= bottom ? null : "Too narrow for this span."} />
    </div>
  );
}
