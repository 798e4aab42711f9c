import { type FormEvent, useState } from "react";
import { Button, Section, TextField } from "../../components";
import { useStudio } from "../../studio";
import { plural } from "../../words";

/** A research subset: only the rows that meet conditions are worked on. */
export function Subset({ rows }: { rows: number }) {
  const { session, change } = useStudio();
  const where = (session.document.source?.engine?.where ?? []) as string[];
  const [draft, setDraft] = useState("");
  const set = (next: string[]): Promise<boolean> => change("PUT /api/sessions/{session}/subset", { body: { where: next } });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (draft.trim() && (await set([...where, draft]))) setDraft("");
  };
  return (
    <Section
      title="Rows"
      hint={
        where.length
          ? `Only rows that meet all of these conditions are read: ${plural(rows, "row")}.`
          : "All rows are read. Conditions leave some out, before anything is counted."
      }>
      {where.length > 0 && (
        <ul className="chips" aria-label="Conditions">
          {where.map((text, i) => (
            <li key={text}>
              <Button
                size="s"
                icon="cross"
                label={text}
                aria-label={`Remove the condition ${text}`}
                onPress={() => void set(where.toSpliced(i, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <form className="path-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Only rows with"
          placeholder="age >= 18"
          hint="A column, one of < <= = != >= > in, and a value. Also: town in Rome, Bari · born < 2001-12-31 · income is not missing"
          value={draft}
          onChange={setDraft}
          autoComplete="off"
          spellCheck="false"
        />
        <Button type="submit" isDisabled={!draft.trim()} label="Add" />
      </form>
    </Section>
  );
}
