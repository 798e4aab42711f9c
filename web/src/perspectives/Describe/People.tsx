import { useState } from "react";
import { NumberField, Section, Select, optionsOf } from "../../components";
import { useStudio } from "../../studio";
import { percent } from "../../words";

const KNOWN = optionsOf({ nothing: "Unknown", size: "Its number of people", fraction: "The share of it in the data" });
const KEPT = optionsOf({
  all: "All records",
  latest: "The latest of each person",
  first: "The first of each person",
  random: "A random one of each person",
});

/** The population that the data is a sample of, and which records of a person count. */
export function People() {
  const { session } = useStudio();
  const hasPerson = Object.values(session.document.roles).some((roles) => roles.includes("person"));
  return (
    <Section title="People" hint="Whom the data is about. Promises and risks that compare with a population need to know it.">
      <div className="fields">
        <PopulationFields />
        {hasPerson && <OneRow />}
      </div>
    </Section>
  );
}

function PopulationFields() {
  const { session, change } = useStudio();
  const { population } = session.document;
  const stored = population?.size === undefined ? (population?.fraction === undefined ? "nothing" : "fraction") : "size";
  const [asked, setAsked] = useState<string | null>(null);
  const known = asked ?? stored;
  const value = known === "nothing" ? undefined : population?.[known];
  const set = (body: { size?: number; fraction?: number }): void => {
    setAsked(null);
    void change("PUT /api/sessions/{session}/population", { body });
  };
  if (population && "register" in population) return <p className="quiet small">The population is known from a register.</p>;
  return (
    <>
      <Select
        label="What is known of the population"
        options={KNOWN}
        value={known}
        onChange={(id) => (id === "nothing" ? set({}) : setAsked(id))}
        hint="The data is often a sample of more people."
      />
      {known === "size" && (
        <NumberField
          label="People in the population"
          value={typeof value === "number" ? value : NaN}
          minValue={session.rows ?? 1}
          step={1}
          onChange={(size) => Number.isFinite(size) && set({ size })}
        />
      )}
      {known === "fraction" && (
        <NumberField
          label="Share of the population"
          hint={typeof value === "number" ? `The data holds ${percent(value)} of the population.` : "From 0 to 1, such as 0.05."}
          value={typeof value === "number" ? value : NaN}
          minValue={0}
          maxValue={1}
          formatOptions={{ maximumFractionDigits: 6 }}
          onChange={(fraction) => Number.isFinite(fraction) && set({ fraction })}
        />
      )}
    </>
  );
}

function OneRow() {
  const { session, change } = useStudio();
  const { one_row_per_person: stored, by } = session.document;
  const [asked, setAsked] = useState<"latest" | "first" | null>(null);
  const keep = asked ?? stored;
  const set = (kept: typeof stored, column: string | null): void => {
    setAsked(null);
    void change("PUT /api/sessions/{session}/one-row-per-person", { body: { keep: kept, by: column } });
  };
  const choose = (id: string): void => {
    if (id === "random") set("random", null);
    else if (id !== "latest" && id !== "first") set(null, null);
    else if (by === null) setAsked(id);
    else set(id, by);
  };
  return (
    <>
      <Select
        label="Records of a person"
        options={KEPT}
        value={keep ?? "all"}
        onChange={choose}
        hint="With all records, promises count persons. With one record each, the others are left out before anything is counted."
      />
      {(keep === "latest" || keep === "first") && (
        <Select
          label="By date or number in"
          placeholder="Choose a column"
          options={session.columns.map((name) => ({ id: name, label: name }))}
          value={by}
          onChange={(column) => set(keep, column)}
        />
      )}
    </>
  );
}
