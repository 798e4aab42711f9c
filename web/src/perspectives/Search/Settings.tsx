import { Checkboxes, More, NumberField, Section, Select } from "../../components";
import { useStudio } from "../../studio";

/** The measure that decides, further measures, and the seed. */
export function Settings() {
  const { session, catalog, change, measure: measureOf } = useStudio();
  const { choose, measures, seed } = session.document;
  const set = (body: { choose?: string; measures?: string[]; seed?: number }): void =>
    void change("PUT /api/sessions/{session}/settings", { body });
  const further = catalog.measures.filter((measure) => !measure.cheap);
  return (
    <Section title="Criteria">
      <Select
        label="Choose the best by"
        options={catalog.measures.map((measure) => ({ id: measure.name, label: measure.title, hint: measure.meaning }))}
        value={choose}
        onChange={(name) => set({ choose: name })}
        hint={measureOf(choose)?.meaning}
      />
      {further.length > 0 && (
        <More label={measures.length ? `More measures (${measures.length})` : "More measures"}>
          <Checkboxes
            label="Measures that take longer"
            hint="They train models or compare groups."
            isList
            value={measures}
            onChange={(names) => set({ measures: names })}
            options={further.map(({ name, title, meaning }) => ({ id: name, label: title, hint: meaning }))}
          />
        </More>
      )}
      <NumberField
        label="Seed"
        hint="The same seed gives the same releases."
        value={seed}
        minValue={0}
        step={1}
        onChange={(next) => Number.isFinite(next) && set({ seed: next })}
      />
    </Section>
  );
}
