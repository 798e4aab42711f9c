import type { CostFacts } from "../api/types";
import { Badge, Button, notify } from "../components";
import { go, href } from "../router";
import { useStudio } from "../studio";
import { sentence } from "../words";

/** Changes of the session with what each costs. One click makes the change and searches again; undo takes it back. */
export function CostList({ label, costs, repairs = false }: { label: string; costs: readonly CostFacts[]; repairs?: boolean }) {
  const { session, change } = useStudio();
  const take = async ({ amendment }: CostFacts): Promise<void> => {
    if (!(await change("POST /api/sessions/{session}/amend", { body: { ...amendment } }))) return;
    if (await change("POST /api/sessions/{session}/runs", { body: {} })) {
      notify(`${amendment.sentence}: searching again. Undo takes it back.`);
      go(href(session.id, "search"));
    }
  };
  if (!costs.length) return <p className="quiet small">Nothing that could be tried.</p>;
  return (
    <ul className="costs" aria-label={label}>
      {costs.map((cost) => (
        <li key={cost.amendment.sentence} className="cost">
          <span className="grow">
            <strong>{cost.amendment.sentence}</strong>
            {repairs && cost.after !== null && (
              <>
                {" "}
                <Badge tone={cost.mends ? "good" : "warn"}>{cost.mends ? "repairs it" : "not enough"}</Badge>
              </>
            )}
            <span className="quiet small block">{sentence(cost.cost)}</span>
          </span>
          <Button
            size="s"
            isDisabled={cost.after === null}
            aria-label={`Do this: ${cost.amendment.sentence}`}
            onPress={() => void take(cost)}
            label="Do this"
          />
        </li>
      ))}
    </ul>
  );
}
