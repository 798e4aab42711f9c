import { useState } from "react";
import { TextField } from "../../../../components";
import { numbersIn } from "../../../../words";
import type { FormProps } from "../Builder";
import { isDecreasing, prefixLengths } from "./numbers";
import { useSpec } from "./useSpec";

/** Codes that become more specific with every character, such as ICD codes: only their prefixes are published. */
export function Prefixes({ facts, onSpec }: FormProps) {
  const [text, setText] = useState(prefixLengths(facts.longest ?? 4).join(", "));
  const lengths = numbersIn(text);
  const isValid = lengths !== null && isDecreasing(lengths, Infinity);
  useSpec(onSpec, isValid ? { kind: "prefixes", lengths } : null);
  return (
    <div className="fields">
      <TextField
        label="Characters kept at each level"
        hint="Fewer at each level, such as 3, 1: E11.9 becomes E11…, then E…"
        value={text}
        onChange={setText}
        error={isValid ? null : "Enter decreasing integers separated by commas."}
      />
    </div>
  );
}
