import { useState } from "react";
import type { ReadingOptions } from "../../api/types";
import { Button, type Option, Section, Select, TextField, optionsOf } from "../../components";
import { useStudio } from "../../studio";
import { ReadingFields } from "./ReadingFields";

const TEXT = /\.(csv|tsv|txt)(\.gz)?$/i;
const WORKBOOK = /\.(xlsx?|xlsm|xlsb|ods)$/i;
const MISSING: Option[] = optionsOf({ category: "Keep as a category", drop: "Drop the row" });

/** How the file is read; what was detected can be corrected. */
export function Reading({ options, file }: { options: ReadingOptions; file: string }) {
  const { session, catalog, change } = useStudio();
  const set = (more: ReadingOptions): void =>
    void change("PUT /api/sessions/{session}/options", { body: { options: { ...session.document.source?.options, ...more } } });
  return (
    <Section title="Reading options" hint="Detected in the file. Correct what looks wrong in the preview.">
      <div className="fields">
        {TEXT.test(file) && <ReadingFields fields={catalog.reading} value={options} onChange={set} isDetected />}
        {WORKBOOK.test(file) && (
          <TextOption label="Sheet" placeholder="First sheet" text={options.sheet ?? ""} onApply={(sheet) => set({ sheet })} />
        )}
        <Select
          label="Missing values"
          options={MISSING}
          value={options.missing ?? "category"}
          onChange={(missing) => set({ missing: missing === "drop" ? "drop" : "category" })}
        />
        <TextOption
          label="Treat as missing"
          placeholder="? NA -9"
          text={(options.missing_values ?? []).join(" ")}
          onApply={(values) => set({ missing_values: values.split(/\s+/).filter(Boolean) })}
        />
      </div>
    </Section>
  );
}

interface TextOptionProps {
  label: string;
  placeholder: string;
  text: string;
  onApply: (text: string) => void;
}

function TextOption({ label, placeholder, text, onApply }: TextOptionProps) {
  const [draft, setDraft] = useState(text);
  return (
    <form
      className="field-with-button"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(draft);
      }}>
      <TextField label={label} placeholder={placeholder} value={draft} onChange={setDraft} />
      <Button type="submit" size="s" label="Apply" />
    </form>
  );
}
