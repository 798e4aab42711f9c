import { useState } from "react";
import type { ReadingOptions } from "../../api/types";
import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { type Option, Select } from "../../components/Select";
import { TextField } from "../../components/TextField";
import { useStudio } from "../../studio/context";
import { DECIMALS, ENCODINGS, including, SEPARATORS } from "./readings";

const TEXT = /\.(csv|tsv|txt)(\.gz)?$/i;
const WORKBOOK = /\.(xlsx?|xlsm|xlsb|ods)$/i;
const MISSING: Option[] = [
  { id: "category", label: "Keep, as a value of its own" },
  { id: "drop", label: "Leave rows with one out" },
];

/** How the file is read; what was found in it can be corrected. */
export function Reading({ options, file }: { options: ReadingOptions; file: string }) {
  const { session, change } = useStudio();
  const chosen = session.document.source?.options ?? {};
  const isText = TEXT.test(file);
  const [sheet, setSheet] = useState(options.sheet ?? "");
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
        {WORKBOOK.test(file) && (
          <form
            className="field-with-button"
            onSubmit={(event) => {
              event.preventDefault();
              set({ sheet });
            }}
          >
            <TextField label="Sheet" placeholder="The first one" value={sheet} onChange={setSheet} />
            <Button type="submit" size="s">
              Use
            </Button>
          </form>
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
