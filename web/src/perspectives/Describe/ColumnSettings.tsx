import type { Role } from "../../api/types";
import { Checkbox } from "../../components/Checkbox";
import { NumberField } from "../../components/NumberField";
import { useStudio } from "../../studio/context";

/** Weight, fixed level, pseudonym: each only where it means something. */
export function ColumnSettings({ column, roles }: { column: string; roles: readonly Role[] }) {
  const { session, change } = useStudio();
  const { weights, levels, pseudonyms, hierarchies } = session.document;
  const set = (body: { weight?: number; level?: number; pseudonym?: boolean }): void =>
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
