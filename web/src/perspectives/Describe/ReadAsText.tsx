import type { ColumnFacts } from "../../api/types";
import { Checkbox } from "../../components/Checkbox";
import { useStudio } from "../../studio/context";

/** Numbers that only look like numbers, such as codes, can stay text; the file is read again. */
export function ReadAsText({ facts }: { facts: ColumnFacts }) {
  const { session, change } = useStudio();
  const source = session.document.source;
  const kept = source?.options.text ?? [];
  const isText = kept.includes(facts.name);
  if (!source || source.dataset || (facts.type === "text" && !isText)) return null;
  const set = (on: boolean): void => {
    const text = on ? [...kept, facts.name] : kept.filter((name) => name !== facts.name);
    void change("PUT /api/sessions/{session}/options", { body: { options: { ...source.options, text } } });
  };
  return (
    <Checkbox isSelected={isText} onChange={set}>
      Read it as text
      <span className="quiet small block">For codes that only look like numbers or dates.</span>
    </Checkbox>
  );
}
