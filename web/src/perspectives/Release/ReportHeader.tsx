import { useEffect, useState } from "react";
import { More, TextField } from "../../components";
import { useStudio } from "../../studio";

const FIELDS = [
  { name: "title", label: "Title", placeholder: "Patients of 2026" },
  { name: "dataset", label: "Dataset name", placeholder: "Hospital stays" },
  { name: "publisher", label: "Publisher", placeholder: "Office of Statistics" },
  { name: "date", label: "Date", placeholder: "2026-11-16" },
];

/** The header of the report; a field is saved when it loses the focus. */
export function ReportHeader() {
  const { session, change } = useStudio();
  const saved = session.document.report;
  const [draft, setDraft] = useState(saved);
  useEffect(() => setDraft(saved), [saved]);
  const save = (name: string): void => {
    if ((draft[name] ?? "") !== (saved[name] ?? "")) void change("PUT /api/sessions/{session}/settings", { body: { report: draft } });
  };
  return (
    <More label="Report header">
      {FIELDS.map(({ name, label, placeholder }) => (
        <TextField
          key={name}
          label={label}
          placeholder={placeholder}
          value={draft[name] ?? ""}
          onChange={(text) => setDraft({ ...draft, [name]: text })}
          onBlur={() => save(name)}
        />
      ))}
    </More>
  );
}
