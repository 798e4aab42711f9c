import type { Option } from "../../components/Select";

/** Ways to read a text file that people meet; others that were found or set are added to them. */
export const SEPARATORS: readonly Option[] = [
  { id: ",", label: "Comma ," },
  { id: ";", label: "Semicolon ;" },
  { id: "\t", label: "Tab" },
  { id: "|", label: "Bar |" },
  { id: " ", label: "Space" },
];

export const ENCODINGS: readonly Option[] = [
  "utf-8", "utf-16", "cp1252", "iso-8859-1", "iso-8859-15", "cp1250", "cp1251", "mac-roman", "shift_jis", "gb18030",
].map((id) => ({ id, label: id.toUpperCase() }));

export const DECIMALS: readonly Option[] = [
  { id: ".", label: "Point 1.5" },
  { id: ",", label: "Comma 1,5" },
];

export function including(options: readonly Option[], id: string | undefined): readonly Option[] {
  return id === undefined || options.some((option) => option.id === id) ? options : [{ id, label: id }, ...options];
}
