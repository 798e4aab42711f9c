import { useEffect, useState } from "react";
import type { FieldFacts } from "../../api/types";
import { TextField } from "../TextField";

interface Props {
  field: FieldFacts;
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

function written(field: FieldFacts, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (field.type === "text") return String(value);
  return field.type === "numbers" && Array.isArray(value) ? value.join(", ") : JSON.stringify(value);
}

function read(field: FieldFacts, text: string): unknown {
  if (!text.trim()) return null;
  if (field.type === "text") return text;
  if (field.type === "numbers") {
    const numbers = text.split(/[\s,;]+/).filter(Boolean).map(Number);
    if (!numbers.every(Number.isFinite)) throw new Error();
    return numbers;
  }
  return JSON.parse(text);
}

/** Text, a list of numbers, or a setting that is only written as a plan writes it; taken over when the field is left. */
export function ListField({ field, label, value, onChange }: Props) {
  const now = written(field, value);
  const [text, setText] = useState(now);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => setText(now), [now]);
  const take = (): void => {
    try {
      if (text !== now) onChange(read(field, text));
      setError(null);
    } catch {
      setError(field.type === "numbers" ? "Numbers with commas between them, please." : "Write it as JSON, please.");
    }
  };
  return <TextField label={label} hint={field.says} value={text} onChange={setText} onBlur={take} error={error} />;
}
