import type { ColumnFacts, Role, SetColumn } from "../../api/types";
import { Checkbox } from "../../components/Checkbox";
import { NumberField } from "../../components/NumberField";
import { Select } from "../../components/Select";
import { useStudio } from "../../studio/context";

/** Weight, fixed level, pseudonym, what whole numbers mean: each only where it means something. */
export function ColumnSettings({ facts, roles }: { facts: ColumnFacts; roles: readonly Role[] }) {
  const { session, change } = useStudio();
  const { weights, levels, pseudonyms, hierarchies, whole_numbers } = session.document;
  const column = facts.name;
  const set = (body: Partial<SetColumn>): void =>
    void change("PUT /api/sessions/{session}/column", { body: { column, ...body } });
  const levelled = hierarchies[column] !== undefined && roles.length > 0 && roles.every((role) => ["sensitive", "protected", "plain"].includes(role));
  return (
    <div className="fields">
      {roles.includes("quasi") && (
        <NumberField
          label="Weight"
          hint="How much its detail matters to you; 1 is usual."
          value={weights[column] ?? 1}
          minValue={0.1}
          step={0.1}
          onChange={(weight) => Number.isFinite(weight) && set({ weight: weight === 1 ? 0 : weight })}
        />
      )}
      {roles.includes("quasi") && (facts.type === "whole numbers" || facts.code !== "") && (
        <Select
          label="Its whole numbers are"
          hint={facts.code === "" ? "Methods that average take them for quantities." : `They look like codes: ${facts.code}.`}
          options={[
            { id: "unsaid", label: "whatever they look like" },
            { id: "code", label: "codes", hint: "Methods that average publish the most frequent one." },
            { id: "quantity", label: "quantities", hint: "They have a mean." },
          ]}
          value={whole_numbers[column] ?? "unsaid"}
          onChange={(id) => set({ whole_numbers: id as NonNullable<SetColumn["whole_numbers"]> })}
        />
      )}
      {levelled && (
        <NumberField
          label="Published at level"
          hint="0: as it is. Higher: coarser, whatever the method does."
          value={levels[column] ?? 0}
          minValue={0}
          step={1}
          onChange={(level) => Number.isFinite(level) && set({ level })}
        />
      )}
      {roles.includes("identifier") && (
        <Checkbox isSelected={pseudonyms.includes(column)} onChange={(pseudonym) => set({ pseudonym })}>
          Publish a pseudonym in its place
        </Checkbox>
      )}
    </div>
  );
}
