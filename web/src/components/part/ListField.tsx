import { useEffect, useState } from "react";
import type { FieldFacts } from "../../api/types";
import { numbersIn } from "../../words";
import { TextField } from "../TextField";

interface Props {
  field: FieldFacts;
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

function format(field: FieldFacts, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  return field.type === "numbers" && Array.isArray(value) ? value.join(", ") : JSON.stringify(value);
}

function parse(field: FieldFacts, text: string): unknown {
  if (!text.trim()) return null;
  if (field.type === "text") return text;
  if (field.type === "numbers") {
    const numbers = numbersIn(text);
    if (!numbers) throw new Error("not a list of numbers");
    return numbers;
  }
  return JSON.parse(text);
}

/** A text, a list of numbers, or a setting in JSON; saved when the field loses the focus. */
export function ListField({ field, label, value, onChange }: Props) {
  const now = format(field, value);
  const [text, setText] = useState(now);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => setText(now), [now]);
  const save = (): void => {
    try {
      if (text !== now) onChange(parse(field, text));
      setError(null);
    } catch {
      setError(field.type === "numbers" ? "Enter numbers separated by commas." : "Enter valid JSON.");
    }
  };
  return <TextField label={label} hint={field.says} value={text} onChange={setText} onBlur={save} error={error} />;
}
