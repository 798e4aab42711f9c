import type { ReadingOptions } from "../../api/types";
import { type Option, Select, optionsOf } from "../../components";

export const DELIMITERS: readonly Option[] = optionsOf({ ",": "Comma ,", ";": "Semicolon ;", "\t": "Tab", "|": "Pipe |", " ": "Space" });
const ENCODINGS = "utf-8 utf-16 cp1252 iso-8859-1 iso-8859-15 cp1250 cp1251 mac-roman shift_jis gb18030".split(" ");
const FIELDS: readonly { name: "separator" | "encoding" | "decimal"; label: string; options: readonly Option[] }[] = [
  { name: "separator", label: "Delimiter", options: DELIMITERS },
  { name: "encoding", label: "Encoding", options: ENCODINGS.map((id) => ({ id, label: id.toUpperCase() })) },
  { name: "decimal", label: "Decimal separator", options: optionsOf({ ".": "Point 1.5", ",": "Comma 1,5" }) },
];
const DETECT: Option = { id: "detect", label: "Detect automatically" };

interface Props {
  value: ReadingOptions;
  onChange: (options: ReadingOptions) => void;
  /** Every option has a value already, and only the changed one is returned. */
  isDetected?: boolean;
}

/** How a text file is read. */
export function ReadingFields({ value, onChange, isDetected = false }: Props) {
  const set = (name: (typeof FIELDS)[number]["name"], id: string): void => {
    const { [name]: _, ...others } = value;
    if (isDetected) onChange({ [name]: id });
    else onChange(id === DETECT.id ? others : { ...others, [name]: id });
  };
  return FIELDS.map(({ name, label, options }) => {
    const chosen = value[name];
    const unlisted = chosen !== undefined && !options.some(({ id }) => id === chosen) ? [{ id: chosen, label: chosen }] : [];
    return (
      <Select
        key={name}
        label={label}
        options={[...(isDetected ? [] : [DETECT]), ...unlisted, ...options]}
        value={chosen ?? (isDetected ? null : DETECT.id)}
        onChange={(id) => set(name, id)}
      />
    );
  });
}
