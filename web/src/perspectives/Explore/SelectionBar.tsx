import type { CandidateColumns } from "../../api/types";
import { mainMeasures, nameOf } from "../../candidates/columns";
import { pickAll, useSelection } from "../../candidates/selection";
import { useCandidateActions } from "../../candidates/useCandidateActions";
import { Badge, Button } from "../../components";
import { go, href } from "../../router";
import { useAnswer, useStudio } from "../../studio";
import { figure, plural } from "../../words";

/** The selection and what can be done with it, at the foot of the page. */
export function SelectionBar({ columns, positionOf }: { columns: CandidateColumns; positionOf: ReadonlyMap<string, number> }) {
  const { session, titleOf } = useStudio();
  const { unclipped, addToClipboard, release } = useCandidateActions();
  const { ids, node } = useSelection(session.id);
  const known = ids.filter((id) => positionOf.has(id));
  const last = known.at(-1);
  if (node) return <NodeBar run={node.run} node={node.node} />;
  if (!last) return null;
  const position = positionOf.get(last) ?? 0;
  const falseValues = columns.false_values[columns.method[position] ?? 0];
  const fresh = unclipped(known);
  const levels = Object.entries(columns.levels).flatMap(([name, own]) => (own[position] == null ? [] : [`${name} ${own[position]}`]));
  return (
    <section className="selection-bar" aria-label="Selected candidate">
      <div className="grow stack-s" aria-live="polite">
        <div className="row-s">
          <strong>{known.length > 1 ? plural(known.length, "candidate") : nameOf(columns, position)}</strong>
          {known.length === 1 && falseValues && <Badge tone="warn">{`${falseValues}: individual values may be false`}</Badge>}
          {session.document.chosen === last && <Badge tone="good">chosen</Badge>}
          {known.length === 1 &&
            mainMeasures(columns, position).map(([name, value]) => (
              <span key={name} className="small numeric">
                <span className="quiet">{titleOf(name)}</span> {figure(value)}
              </span>
            ))}
        </div>
        {known.length === 1 && levels.length > 0 && <p className="quiet small wrap selection-levels">{levels.join(" · ")}</p>}
      </div>
      <div className="row-s">
        <Button size="s" variant="quiet" onPress={() => pickAll([])} label="Clear" />
        <Button size="s" onPress={() => void addToClipboard(fresh)} isDisabled={!fresh.length} label="Keep on clipboard" />
        {known.length === 2 && <Button size="s" onPress={() => go(href(session.id, "compare", ...known))} label="Compare" />}
        <Button size="s" onPress={() => go(href(session.id, "inspect", last))} label="Inspect" />
        <Button size="s" variant="primary" onPress={() => void release(last)} label="Release this" />
      </div>
    </section>
  );
}

/** A node that is not a candidate: its levels, and the promises that it violates. */
function NodeBar({ run, node }: { run: string; node: number }) {
  const { data, error } = useAnswer("GET /api/sessions/{session}/node", { query: { run, node } });
  const levels = data?.columns.flatMap((column) => (column.level === null ? [] : [`${column.name} ${column.level}`]));
  const broken = data?.verdicts.filter((verdict) => !verdict.holds) ?? [];
  return (
    <section className="selection-bar" aria-label="Selected generalization">
      <div className="grow stack-s" aria-live="polite">
        <strong>{data ? (data.holds ? "Keeps the promises" : "Violates a promise") : "Generalization"}</strong>
        <p className="small">{error ?? (broken.map((verdict) => verdict.sentence).join(" ") || "")}</p>
        <p className="quiet small wrap selection-levels">{levels?.join(" · ")}</p>
      </div>
      <Button size="s" variant="quiet" onPress={() => pickAll([])} label="Clear" />
    </section>
  );
}
