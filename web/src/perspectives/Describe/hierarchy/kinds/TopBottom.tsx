import { useState } from "react";
import { TextField } from "../../../../components";
import type { FormProps } from "../Builder";
import { boundsIn, extremes } from "./numbers";
import { useSpec } from "./useSpec";

/** Very large and very small values are merged; all others stay as they are. */
export function TopBottom({ facts, onSpec }: FormProps) {
  const [min, max] = extremes(facts);
  const tenth = Math.max(1, Math.round((max - min) / 10));
  const isNumeric = typeof facts.maximum === "number";
  const [top, setTop] = useState(isNumeric ? `${max - tenth}, ${max - 2 * tenth}` : "");
  const [bottom, setBottom] = useState("");
  const [above, below] = [boundsIn(top), boundsIn(bottom)];
  const isValid = above !== null && below !== null && above.length + below.length > 0;
  useSpec(onSpec, isValid ? { kind: "top-code", above, below } : null);
  const error = "Enter numbers, or dates such as 1935-01-01, separated by commas.";
  return (
    <div className="fields">
      <TextField
        label="The top begins at"
        hint="Lower at each level, such as 85, 80: 85 and above become 85+, then 80 and above 80+."
        value={top}
        onChange={setTop}
        error={above ? null : error}
      />
      <TextField
        label="The bottom ends at"
        hint="Higher at each level, such as 16, 18: all below 16 becomes <16, then all below 18 <18."
        value={bottom}
        onChange={setBottom}
        error={below ? null : error}
      />
    </div>
  );
}
