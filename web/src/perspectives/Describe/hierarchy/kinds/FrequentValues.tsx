import { useState } from "react";
import { Notice, TextField } from "../../../../components";
import { count, numbersIn } from "../../../../words";
import type { FormProps } from "../Builder";
import { mostFrequent } from "./numbers";
import { useSpec } from "./useSpec";

/** The most frequent values stay as they are; all others are published as one value. */
export function FrequentValues({ facts, values, onSpec }: FormProps) {
  const present = values.filter((node) => !node.missing);
  const half = Math.max(1, Math.ceil(present.length / 2));
  const [text, setText] = useState(half > 4 ? `${half}, 4` : `${half}`);
  const [other, setOther] = useState("other");
  const numbers = numbersIn(text);
  const levels = numbers && mostFrequent(present, numbers);
  const isTaken = present.some((node) => node.label === other.trim());
  useSpec(onSpec, levels && other.trim() && !isTaken ? { kind: "frequent", levels, other: other.trim() } : null);

  if (facts.distinct > present.length)
    return (
      <Notice tone="warn">{`${count(facts.distinct)} values are too many to list here. The suggested hierarchy covers all of them.`}</Notice>
    );
  return (
    <div className="fields">
      <TextField
        label="Values kept at each level"
        hint={`The most frequent of ${count(present.length)} values; fewer at each level, such as 10, 4.`}
        value={text}
        onChange={setText}
        error={levels ? null : `Enter decreasing integers from ${present.length} to 1 separated by commas.`}
      />
      <TextField
        label="All others are published as"
        value={other}
        onChange={setOther}
        error={isTaken ? "The column has this value: choose another one." : other.trim() ? null : "Enter a value."}
      />
    </div>
  );
}
