import type { ReadingOptions } from "../../api/types";
import { More } from "../../components/More";
import { type Option, Select } from "../../components/Select";
import { DECIMALS, ENCODINGS, SEPARATORS } from "../Open/readings";

export type FirstReading = Pick<ReadingOptions, "separator" | "encoding" | "decimal">;

const FOUND: Option = { id: "found", label: "As found in the file" };
const FIELDS: readonly { name: keyof FirstReading; label: string; options: readonly Option[] }[] = [
  { name: "separator", label: "Separator", options: SEPARATORS },
  { name: "encoding", label: "Encoding", options: ENCODINGS },
  { name: "decimal", label: "Decimal sign", options: DECIMALS },
];

/** For a text file that cannot be read at first sight. */
export function HowToRead({ value, onChange }: { value: FirstReading; onChange: (value: FirstReading) => void }) {
  return (
    <More label="How to read it">
      <div className="fields">
        {FIELDS.map(({ name, label, options }) => (
          <Select
            key={name}
            label={label}
            options={[FOUND, ...options]}
            value={value[name] ?? FOUND.id}
            onChange={(id) => {
              const { [name]: _, ...rest } = value;
              onChange(id === FOUND.id ? rest : { ...rest, [name]: id });
            }}
          />
        ))}
      </div>
    </More>
  );
}
