import type { FieldFacts, ReadingOptions } from "../../api/types";
import { type Option, Select, optionsOf } from "../../components";
import { ListField } from "../../components/part/ListField";

export const DELIMITERS: readonly Option[] = optionsOf({ ",": "Comma ,", ";": "Semicolon ;", "\t": "Tab", "|": "Pipe |", " ": "Space" });
const ENCODINGS = "utf-8 utf-16 cp1252 iso-8859-1 iso-8859-15 cp1250 cp1251 mac-roman shift_jis gb18030".split(" ");
/** Usual values of options that take any text. */
const USUAL: Partial<Record<string, readonly Option[]>> = {
  separator: DELIMITERS,
  encoding: ENCODINGS.map((id) => ({ id, label: id.toUpperCase() })),
  decimal: optionsOf({ ".": "Point 1.5", ",": "Comma 1,5" }),
};
const DETECT: Option = { id: "detect", label: "Detect automatically" };

interface Props {
  /** All reading options; those of text files are displayed. */
  fields: readonly FieldFacts[];
  value: ReadingOptions;
  onChange: (options: ReadingOptions) => void;
  /** Every option has a value already, and only the changed one is returned. */
  isDetected?: boolean;
}

/** How a text file is read. */
export function ReadingFields({ fields, value, onChange, isDetected = false }: Props) {
  const given: Record<string, unknown> = value;
  const set = (name: string, next: unknown): void => {
    const { [name]: _, ...others } = given;
    if (isDetected) onChange({ [name]: next });
    else onChange(next === null || next === DETECT.id ? others : { ...others, [name]: next });
  };
  const ofText = fields.filter(({ says }) => says.includes(" of a CSV file"));
  return ofText.map((field) => {
    const { name, label } = field;
    const options = USUAL[name] ?? (field.options ? optionsOf(field.options) : undefined);
    if (!options) return <ListField key={name} field={field} label={label} value={given[name]} onChange={(next) => set(name, next)} />;
    const chosen = typeof given[name] === "string" ? given[name] : undefined;
    const unlisted = chosen !== undefined && !options.some(({ id }) => id === chosen) ? [{ id: chosen, label: chosen }] : [];
    return (
      <Select
        key={name}
        label={label}
        options={[...(isDetected ? [] : [DETECT]), ...unlisted, ...options]}
        value={chosen ?? (isDetected ? null : DETECT.id)}
        placeholder={DETECT.label}
        onChange={(id) => set(name, id)}
      />
    );
  });
}
