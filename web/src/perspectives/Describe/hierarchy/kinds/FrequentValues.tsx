import { useEffect, useState } from "react";
import { Notice } from "../../../../components/Notice";
import { TextField } from "../../../../components/TextField";
import { count } from "../../../../words";
import type { FormProps } from "../Builder";
import { commonest, listed } from "./numbers";

/** The most frequent values stay as they are; all others are published as one. */
export function FrequentValues({ facts, values, onSpec }: FormProps) {
  const held = values.filter((node) => !node.missing);
  const half = Math.max(1, Math.ceil(held.length / 2));
  const [kept, setKept] = useState(half > 4 ? `${half}, 4` : `${half}`);
  const [other, setOther] = useState("other");
  const chosen = listed(kept);
  const levels = chosen && commonest(held, chosen);
  const taken = held.some((node) => node.label === other.trim());

  useEffect(() => {
    onSpec(levels && other.trim() && !taken ? { kind: "frequent", levels, other: other.trim() } : null);
  }, [kept, other]);

  if (facts.distinct > held.length)
    return <Notice tone="warn">{`${count(facts.distinct)} values are too many to list here. The suggested hierarchy counts all of them.`}</Notice>;
  return (
    <div className="fields">
      <TextField
        label="Values that stay at each level"
        hint={`The most frequent ones of ${count(held.length)}; fewer at each level, such as 10, 4.`}
        value={kept}
        onChange={setKept}
        error={levels ? null : `Whole numbers from ${held.length} down to 1 that fall, with commas between them, please.`}
      />
      <TextField
        label="All others are published as"
        value={other}
        onChange={setOther}
        error={taken ? "This is a value of the column: choose another word." : other.trim() ? null : "Say a word, please."}
      />
    </div>
  );
}
