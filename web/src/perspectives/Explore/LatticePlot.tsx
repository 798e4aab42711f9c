import { useCallback, useMemo, useState } from "react";
import { Lattice } from "../../charts/Lattice";
import { nodeOf } from "../../charts/latticeLayout";
import { positionsOf, type ViewProps } from "../../candidates/columns";
import { pick, pickNode, useSelection } from "../../candidates/selection";
import { EmptyState, Pending, Section, Select } from "../../components";
import { useAnswer, useStudio } from "../../studio";
import { count } from "../../words";

/** All generalizations of a run, and the candidates among them. */
export function LatticePlot({ columns, positions, positionOf }: ViewProps) {
  const { session } = useStudio();
  const selection = useSelection(session.id);
  const [asked, setAsked] = useState<string | null>(null);
  const runs = session.runs.filter((run) => columns.runs.includes(run.id) && run.state !== "running");
  const run = runs.find(({ id }) => id === asked) ?? runs.at(-1);
  const loaded = useAnswer("GET /api/sessions/{session}/runs/{run}/lattice", run ? { path: { run: run.id } } : null);
  const view = loaded.data?.run === run?.id ? loaded.data : null;
  const flags = useMemo(() => (view && !view.too_large ? bytes(view.flags) : null), [view]);
  // A candidate of any run with levels is a node, so a selection in another view is marked here.
  const nodes = useMemo(() => {
    if (!view) return [];
    const levels = view.columns.map((name) => columns.levels[name]);
    const levelsOf = (position: number) => levels.map((own) => own?.[position]);
    return columns.id.map((_, position) => nodeOf(view, levelsOf(position)));
  }, [view, columns]);
  const idOf = useMemo(() => new Map(view?.nodes.map((node, i) => [node, view.ids[i] ?? ""])), [view]);
  const marks = useMemo(() => {
    const nodesOf = (ids: readonly string[]): Set<number> =>
      new Set([...positionsOf(ids, positionOf)].map((position) => nodes[position]).filter((node) => node != null));
    const selected = nodesOf(selection.ids);
    if (selection.node && selection.node.run === run?.id) selected.add(selection.node.node);
    return { selected, clipped: nodesOf(session.document.clipboard.map((clip) => clip.candidate)) };
  }, [selection, nodes, positionOf, run?.id, session.document.clipboard]);
  const shown = useMemo(() => new Set(positions.map((position) => nodes[position])), [positions, nodes]);
  const all = positions.length === columns.id.length;
  const dimmed = useCallback((node: number) => !all && idOf.has(node) && !shown.has(node), [all, idOf, shown]);
  const onPick = useCallback(
    (node: number, extend: boolean) => {
      const id = idOf.get(node);
      if (id && positionOf.has(id)) pick(id, extend);
      else if (run) pickNode(run.id, node);
    },
    [idOf, positionOf, run],
  );
  return (
    <Section
      title="Lattice"
      hint="All generalizations, the most general at the top. Click one to select it."
      aside={
        runs.length > 1 && (
          <Select
            label="Run"
            hideLabel
            options={runs.map(({ id, name }) => ({ id, label: name || id }))}
            value={run?.id ?? null}
            onChange={setAsked}
          />
        )
      }>
      {run ? (
        <Pending of={{ data: view, error: loaded.error }} label="Loading the lattice" />
      ) : (
        <EmptyState title="No lattice yet" text="The lattice is drawn when the run has finished." />
      )}
      {view?.too_large && (
        <EmptyState
          title="Too large to draw"
          text={`The lattice has ${count(view.size)} generalizations. The table and the frontier show the candidates among them.`}
        />
      )}
      {view?.size === 0 && (
        <EmptyState title="No lattice" text="No method of this run generalizes whole columns. The other views show its candidates." />
      )}
      {view && view.size > 0 && flags && <Lattice shape={view} flags={flags} {...marks} dimmed={dimmed} onPick={onPick} height={420} />}
    </Section>
  );
}

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
