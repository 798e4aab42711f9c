import { Checkboxes } from "../../components";
import { sourceKey, useAnswer, useStudio } from "../../studio";
import { count } from "../../words";

/** The unfavourable outcomes of the decision, by which fairness is judged. */
export function Denied({ column }: { column: string }) {
  const { session, change } = useStudio();
  const values = useAnswer(
    "POST /api/sessions/{session}/hierarchy/preview",
    { query: { column }, body: { spec: { kind: "suppress" } } },
    sourceKey(session),
  );
  const leaves = values.data?.nodes.filter((node) => node.level === 0) ?? [];
  const option = (label: string, rows: number) => (
    <>
      <bdi>{label}</bdi> <span className="quiet small numeric">{count(rows)}</span>
    </>
  );
  if (!leaves.length) return null;
  return (
    <Checkboxes
      label="Denied: which outcomes are unfavourable?"
      value={session.document.denied.map(String)}
      onChange={(denied) => void change("PUT /api/sessions/{session}/denied", { body: { denied } })}
      options={leaves.map(({ label, rows }) => ({ id: label, label: option(label, rows) }))}
    />
  );
}
