import { useEffect, useState } from "react";
import { More } from "../../components/More";
import { TextField } from "../../components/TextField";
import { useStudio } from "../../studio/context";

const FIELDS = [
  { name: "title", label: "Title", placeholder: "Patients of 2026" },
  { name: "dataset", label: "Name of the data set", placeholder: "Hospital stays" },
  { name: "publisher", label: "Published by", placeholder: "Office of Statistics" },
  { name: "date", label: "Date", placeholder: "2026-11-16" },
];

/** What the report begins with; taken over when a field is left. */
export function Head() {
  const { session, change } = useStudio();
  const saved = session.document.report;
  const [given, setGiven] = useState(saved);
  useEffect(() => setGiven(saved), [saved]);
  const save = (name: string): void => {
    if ((given[name] ?? "") !== (saved[name] ?? "")) void change("PUT /api/sessions/{session}/settings", { body: { report: given } });
  };
  return (
    <More label="What the report begins with">
      {FIELDS.map(({ name, label, placeholder }) => (
        <TextField
          key={name}
          label={label}
          placeholder={placeholder}
          value={given[name] ?? ""}
          onChange={(text) => setGiven({ ...given, [name]: text })}
          onBlur={() => save(name)}
        />
      ))}
    </More>
  );
}
