import { useState } from "react";
import type { ReadingOptions } from "../../api/types";
import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { type Option, Select } from "../../components/Select";
import { TextField } from "../../components/TextField";
import { useStudio } from "../../studio/context";

const SEPARATORS: Option[] = [
  { id: ",", label: "Comma ,", },
  { id: ";", label: "Semicolon ;" },
  { id: "\t", label: "Tab" },
  { id: "|", label: "Bar |" },
  { id: " ", label: "Space" },
];
const ENCODINGS: Option[] = ["utf-8", "utf-16", "cp1252", "latin-1", "iso-8859-15", "cp1250", "cp1251", "mac-roman", "shift_jis", "gb18030"].map(
  (id) => ({ id, label: id === "utf-8" ? "UTF-8" : id }),
);
const DECIMALS: Option[] = [
  { id: ".", label: "Point 1.5" },
  { id: ",", label: "Comma 1,5" },
];
const MISSING: Option[] = [
  { id: "category", label: "Keep, as a value of its own" },
  { id: "drop", label: "Leave rows with one out" },
];

function including(options: Option[], id: string | undefined): Option[] {
  return id === undefined || options.some((option) => option.id === id) ? options : [{ id, label: id }, ...options];
}

/** How the file is read; what was found in it can be corrected. */
export function Reading({ options, isText }: { options: ReadingOptions; isText: boolean }) {
  const { session, change } = useStudio();
  const chosen = session.document.source?.options ?? {};
  const [signs, setSigns] = useState((options.missing_values ?? []).join(" "));
  const set = (more: ReadingOptions): void =>
    void change("PUT /api/sessions/{session}/options", { body: { options: { ...chosen, ...more } } });
  return (
    <Section title="How it is read" hint="Found in the file. Correct what looks wrong in the preview.">
      <div className="fields">
        {isText && (
          <>
            <Select label="Separator" options={including(SEPARATORS, options.separator)} value={options.separator ?? null} onChange={(separator) => set({ separator })} />
            <Select label="Encoding" options={including(ENCODINGS, options.encoding)} value={options.encoding ?? null} onChange={(encoding) => set({ encoding })} />
            <Select label="Decimal sign" options={DECIMALS} value={options.decimal ?? null} onChange={(decimal) => set({ decimal })} />
          </>
        )}
        <Select
          label="Missing values"
          options={MISSING}
          value={options.missing ?? "category"}
          onChange={(missing) => set({ missing: missing === "drop" ? "drop" : "category" })}
        />
        <form
          className="field-with-button"
          onSubmit={(event) => {
            event.preventDefault();
            set({ missing_values: signs.split(/\s+/).filter(Boolean) });
          }}
        >
          <TextField label="Also missing" placeholder="? NA -9" value={signs} onChange={setSigns} />
          <Button type="submit" size="s">
            Use
          </Button>
        </form>
      </div>
    </Section>
  );
}
