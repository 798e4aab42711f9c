import { Select } from "../components";
import { useStudio } from "../studio";
import { nameOf } from "./columns";
import { useSelection } from "./selection";
import { useCandidates } from "./useCandidates";

interface Props {
  label: string;
  value: string;
  /** Further candidates to offer, besides those that are selected, chosen or on the clipboard. */
  others?: readonly string[] | undefined;
  onChange: (id: string) => void;
}

export function CandidateSelect({ label, value, others, onChange }: Props) {
  const { session } = useStudio();
  const { columns, positionOf } = useCandidates();
  const { ids } = useSelection(session.id);
  const { chosen, clipboard } = session.document;
  const known = new Set([
    value,
    ...(others ?? []),
    ...ids,
    ...(chosen === null ? [] : [chosen]),
    ...clipboard.map((clip) => clip.candidate),
  ]);
  const options = [...known].map((id) => {
    const position = positionOf.get(id);
    return { id, label: columns && position !== undefined ? nameOf(columns, position) : id };
  });
  return <Select label={label} options={options} value={value} onChange={onChange} />;
}
