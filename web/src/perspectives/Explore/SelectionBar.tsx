import { useLoaded } from "../../api/useLoaded";
import type { CandidateColumns, Inspected } from "../../api/types";
import { pickAll, useSelection } from "../../candidates/selection";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { go, href } from "../../router";
import { useStudio } from "../../studio/context";
import { figure, plural } from "../../words";
import { nameOf } from "./shared";

/** What is selected, and what can be done with it: always in reach at the foot of the page. */
export function SelectionBar({ columns, positionOf }: { columns: CandidateColumns; positionOf: ReadonlyMap<string, number> }) {
  const { session, change } = useStudio();
  const { ids, node } = useSelection(session.id);
  const known = ids.filter((id) => positionOf.has(id));
  const last = known.at(-1);
  if (node) return <NodeBar run={node.run} node={node.node} />;
  if (!last) return null;
  const position = positionOf.get(last) ?? 0;
  const told = columns.false_values[columns.method[position] ?? 0];
  const clips = session.document.clipboard;
  const fresh = known.filter((id) => !clips.some((clip) => clip.candidate === id));
  const keep = (): void =>
    void change("PUT /api/sessions/{session}/clipboard", {
      body: { clipboard: [...clips, ...fresh.map((candidate) => ({ candidate, note: "" }))] },
    });
  const choose = (): void =>
    void change("PUT /api/sessions/{session}/chosen", { body: { candidate: last } }).then(
      (done) => done && go(href(session.id, "release")),
    );
  const levels = Object.entries(columns.levels).flatMap(([name, own]) => (own[position] == null ? [] : [`${name} ${own[position]}`]));
  return (
    <section className="selection-bar" aria-label="Selected candidate">
      <div className="grow stack-s" aria-live="polite">
        <div className="row-s">
          <strong>{known.length > 1 ? plural(known.length, "candidate") : nameOf(columns, position)}</strong>
          {known.length === 1 && told && <Badge tone="warn">{`${told}: single values may be false`}</Badge>}
          {session.document.chosen === last && <Badge tone="good">chosen</Badge>}
          {known.length === 1 && Object.entries(columns.measures).slice(0, 4).map(([name, values]) => (
            <span key={name} className="small numeric"><span className="quiet">{name}</span> {figure(values[position])}</span>
          ))}
        </div>
        {known.length === 1 && levels.length > 0 && <p className="quiet small cut">{levels.join(" · ")}</p>}
      </div>
      <div className="row-s">
        <Button size="s" variant="quiet" onPress={() => pickAll([])}>Clear</Button>
        <Button size="s" onPress={keep} isDisabled={!fresh.length}>Keep on clipboard</Button>
        {known.length === 2 && (
          <Button size="s" onPress={() => go(href(session.id, "compare", ...known))}>Compare</Button>
        )}
        <Button size="s" onPress={() => go(href(session.id, "inspect", last))}>Inspect</Button>
        <Button size="s" variant="primary" onPress={choose}>Release this</Button>
      </div>
    </section>
  );
}

/** A node that is no candidate: what it would be, and why it is not offered. */
function NodeBar({ run, node }: { run: string; node: number }) {
  const { session, ask } = useStudio();
  const { data, error } = useLoaded<Inspected>(`${session.id} ${run} ${node}`, (signal) =>
    ask("GET /api/sessions/{session}/node", { query: { run, node } }, signal),
  );
  const levels = data?.columns.flatMap((column) => (column.level === null ? [] : [`${column.name} ${column.level}`]));
  const broken = data?.verdicts.filter((verdict) => !verdict.holds) ?? [];
  return (
    <section className="selection-bar" aria-label="Selected generalization">
      <div className="grow stack-s" aria-live="polite">
        <strong>{data ? (data.holds ? "Keeps the guards" : "Not offered") : "A generalization"}</strong>
        <p className="small">{error ?? (broken.map((verdict) => verdict.sentence).join(" ") || "")}</p>
        <p className="quiet small cut">{levels?.join(" · ")}</p>
      </div>
      <Button size="s" variant="quiet" onPress={() => pickAll([])}>Clear</Button>
    </section>
  );
}
