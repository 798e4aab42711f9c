import type { Body } from "../../api/client";
import type { ColumnFacts, Role } from "../../api/types";
import { Checkbox, NumberField, Select } from "../../components";
import { useStudio } from "../../studio";

type SetColumn = Body<"PUT /api/sessions/{session}/column">;

type Weights = Body<"PUT /api/sessions/{session}/weights">;

const INTEGERS = /^integers$/;

/** Weight, fixed level, pseudonym and the meaning of integers: each only where it applies. */
export function ColumnSettings({ facts, roles }: { facts: ColumnFacts; roles: readonly Role[] }) {
  const { session, change } = useStudio();
  const { weights, levels, pseudonyms, hierarchies, whole_numbers } = session.document;
  const column = facts.name;
  const set = (body: Partial<SetColumn>): void => void change("PUT /api/sessions/{session}/column", { body: { column, ...body } });
  const hasFixedLevel =
    hierarchies[column] !== undefined && roles.length > 0 && roles.every((role) => ["sensitive", "protected", "plain"].includes(role));
  return (
    <div className="fields">
      {roles.includes("quasi") && (
        <NumberField
          label="Weight"
          hint="How much the detail of this column matters; the default is 1."
          value={weights[column] ?? 1}
          minValue={0.1}
          step={0.1}
          onChange={(weight) => Number.isFinite(weight) && set({ weight: weight === 1 ? 0 : weight })}
        />
      )}
      {roles.includes("quasi") && (INTEGERS.test(facts.type) || facts.code !== "") && (
        <Select
          label="Its integers are"
          hint={facts.code === "" ? "Methods that average treat them as quantities." : `They look like codes: ${facts.code}.`}
          options={[
            { id: "unsaid", label: "Detected automatically" },
            { id: "code", label: "Codes", hint: "Methods that average publish the most frequent code." },
            { id: "quantity", label: "Quantities", hint: "Methods that average publish a mean." },
          ]}
          value={whole_numbers[column] ?? "unsaid"}
          onChange={(id) => set({ whole_numbers: id as NonNullable<SetColumn["whole_numbers"]> })}
        />
      )}
      {roles.includes("weight") && (
        <Select
          label="Weights are published"
          options={[
            { id: "unchanged", label: "Unchanged", hint: "Exact weights can tell people apart." },
            { id: "rounded", label: "Rounded", hint: "To integers." },
            { id: "recalibrated", label: "Recalibrated", hint: "So that they add up to the same total after rows were left out." },
          ]}
          value={session.document.publish_weight}
          onChange={(id) => void change("PUT /api/sessions/{session}/weights", { body: { publish: id as Weights["publish"] } })}
        />
      )}
      {hasFixedLevel && (
        <NumberField
          label="Published at level"
          hint="0 publishes the values as they are; higher levels are coarser. It applies to every method."
          value={levels[column] ?? 0}
          minValue={0}
          step={1}
          onChange={(level) => Number.isFinite(level) && set({ level })}
        />
      )}
      {(roles.includes("identifier") || roles.includes("person")) && (
        <Checkbox isSelected={pseudonyms.includes(column)} onChange={(pseudonym) => set({ pseudonym })}>
          Publish a pseudonym instead
        </Checkbox>
      )}
    </div>
  );
}
