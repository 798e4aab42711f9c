import { useEffect, useState } from "react";
import { TextField } from "../../../../components/TextField";
import type { FormProps } from "../Builder";
import { falling, listed } from "./numbers";

/** Codes of any length that say more with every character, such as ICD codes: only their beginnings are left. */
export function Beginnings({ facts, onSpec }: FormProps) {
  const longest = facts.longest ?? 4;
  const [lengths, setLengths] = useState(falling(longest).join(", "));
  const chosen = listed(lengths);
  const good = chosen !== null && chosen.length > 0 && chosen.every((n, i) => Number.isInteger(n) && n >= 1 && (i === 0 || n < chosen[i - 1]!));

  useEffect(() => {
    onSpec(good ? { kind: "prefixes", lengths: chosen } : null);
  }, [lengths]);

  return (
    <div className="fields">
      <TextField
        label="Characters left at each level"
        hint="Fewer at each level, such as 3, 1: E11.9 becomes E11…, then E…"
        value={lengths}
        onChange={setLengths}
        error={good ? null : "Whole numbers that fall, with commas between them, please."}
      />
    </div>
  );
}
