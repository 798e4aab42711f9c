import { CheckboxGroup, Label } from "react-aria-components";
import { useLoaded } from "../../api/useLoaded";
import { Checkbox } from "../../components/Checkbox";
import { useStudio } from "../../studio/context";
import { sourceKey } from "../../studio/useTable";
import { count } from "../../words";

/** Which outcomes of the decision are bad for a person: fairness is judged by them. */
export function Denied({ column }: { column: string }) {
  const { session, ask, change } = useStudio();
  const values = useLoaded(`${sourceKey(session)} ${column}`, (signal) =>
    ask("POST /api/sessions/{session}/hierarchy/preview", { query: { column }, body: { spec: { kind: "suppress" } } }, signal),
  );
  const leaves = values.data?.nodes.filter((node) => node.level === 0) ?? [];
  if (!leaves.length) return null;
  return (
    <CheckboxGroup
      className="stack-s"
      value={session.document.denied.map(String)}
      onChange={(denied) => void change("PUT /api/sessions/{session}/denied", { body: { denied } })}
    >
      <Label className="label">Denied: which outcomes are bad for a person?</Label>
      <div className="row denied">
        {leaves.map((leaf) => (
          <Checkbox key={leaf.id} value={leaf.label}>
            <bdi>{leaf.label}</bdi> <span className="quiet small numeric">{count(leaf.rows)}</span>
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}
