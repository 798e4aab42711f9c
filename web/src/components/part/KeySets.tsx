import { useState } from "react";
import type { FieldFacts } from "../../api/types";
import { useStudio } from "../../studio/context";
import { Button } from "../Button";
import { Checkboxes } from "../Checkboxes";
import { Hint } from "../Hint";
import { NumberField } from "../NumberField";
import { TextField } from "../TextField";
import { boundsIn, boundsText, type KeySet, keySetsOf, storedKeySet } from "./keys";

interface Props {
  field: FieldFacts;
  value: unknown;
  onChange: (value: unknown) => void;
  /** The setting that a key set may have a value of its own for, such as k. */
  bound: FieldFacts | null;
}

const HINT = "Instead of all quasi-identifiers together. A set with a bound of its own counts besides all of them.";

/** Sets of quasi-identifiers that attackers know. One without columns goes away. */
export function KeySets({ field, value, onChange, bound }: Props) {
  const { session } = useStudio();
  const [isAdding, setAdding] = useState(false);
  const name = bound?.name ?? "";
  const sets = keySetsOf(value, name);
  const quasi = Object.entries(session.document.roles).flatMap(([column, roles]) => (roles.includes("quasi") ? [column] : []));
  const set = (at: number, next: KeySet): void => {
    const all = at < sets.length ? sets.with(at, next) : [...sets, next];
    const left = all.filter(({ columns }) => columns.length > 0);
    setAdding(false);
    onChange(left.length ? left.map((one) => storedKeySet(one, name)) : null);
  };
  const shown: KeySet[] = isAdding ? [...sets, { columns: [], bound: null }] : sets;
  return (
    <div className="field stack-s" role="group" aria-label={field.label}>
      <p className="label">{field.label}</p>
      <Hint>{HINT}</Hint>
      {shown.map((one, at) => (
        <div key={at} className="row">
          <Checkboxes
            label={`Set ${at + 1}`}
            value={one.columns}
            onChange={(columns) => set(at, { ...one, columns })}
            options={[...new Set([...quasi, ...one.columns])].map((column) => ({ id: column, label: <bdi>{column}</bdi> }))}
          />
          {bound && one.columns.length > 0 && (
            <NumberField
              label={`${bound.label} of set ${at + 1}`}
              hint="Empty: as above."
              value={one.bound ?? NaN}
              {...(bound.minimum === null ? {} : { minValue: bound.minimum })}
              onChange={(next) => set(at, { ...one, bound: Number.isFinite(next) ? next : null })}
            />
          )}
        </div>
      ))}
      <div>
        <Button size="s" icon="plus" isDisabled={isAdding} onPress={() => setAdding(true)} label="Add a set of columns" />
      </div>
    </div>
  );
}

/** All sets of this many columns: "2", or a bound for each number, "2:40, 3:20". Saved when the field loses the focus. */
export function Subsets({ field, value, onChange }: Omit<Props, "bound">) {
  const now = boundsText(value);
  const [text, setText] = useState(now);
  const [known, setKnown] = useState(now);
  if (known !== now) {
    setKnown(now);
    setText(now);
  }
  return (
    <TextField
      label={field.label}
      hint="2 means every pair of quasi-identifiers. With a bound for each number of columns: 2:40, 3:20."
      placeholder="2"
      value={text}
      onChange={setText}
      onBlur={() => text !== now && onChange(boundsIn(text))}
    />
  );
}
