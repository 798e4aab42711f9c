import { CheckboxGroup, Label } from "react-aria-components";
import { Checkbox } from "../../components/Checkbox";
import { More } from "../../components/More";
import { NumberField } from "../../components/NumberField";
import { Section } from "../../components/Section";
import { Select } from "../../components/Select";
import { useStudio } from "../../studio/context";

/** By what the best is chosen, what else is measured, and the seed. */
export function Settings() {
  const { session, catalog, change } = useStudio();
  const { choose, measures, seed } = session.document;
  const set = (body: { choose?: string; measures?: string[]; seed?: number }): void =>
    void change("PUT /api/sessions/{session}/settings", { body });
  const further = catalog.measures.filter((measure) => !measure.cheap);
  return (
    <Section title="What counts">
      <Select
        label="The best is the one with the best"
        options={catalog.measures.map((measure) => ({ id: measure.name, label: measure.name, hint: measure.meaning }))}
        value={choose}
        onChange={(name) => set({ choose: name })}
        hint={catalog.measures.find((measure) => measure.name === choose)?.meaning}
      />
      {further.length > 0 && (
        <More label={measures.length ? `Further measures (${measures.length})` : "Further measures"}>
          <CheckboxGroup className="stack-s" value={measures} onChange={(names) => set({ measures: names })}>
            <Label className="hint">They take longer: models are trained, or groups compared.</Label>
            {further.map((measure) => (
              <Checkbox key={measure.name} value={measure.name}>
                {measure.name}
                <span className="quiet small block">{measure.meaning}</span>
              </Checkbox>
            ))}
          </CheckboxGroup>
        </More>
      )}
      <NumberField label="Seed" hint="The same seed gives the same releases." value={seed} minValue={0} step={1} onChange={(next) => Number.isFinite(next) && set({ seed: next })} />
    </Section>
  );
}
