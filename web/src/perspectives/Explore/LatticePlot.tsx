import { useCallback, useMemo, useState } from "react";
import type { LatticeView } from "../../api/types";
import { useLoaded } from "../../api/useLoaded";
import { Lattice } from "../../charts/Lattice";
import { nodeOf } from "../../charts/latticeLayout";
import { pick, pickNode, useSelection } from "../../candidates/selection";
import { EmptyState } from "../../components/EmptyState";
import { Loading } from "../../components/Loading";
import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { Select } from "../../components/Select";
import { useStudio } from "../../studio/context";
import { placesOf, type Shared } from "./shared";

/** All generalizations of a run, with the candidates among them. */
export function LatticePlot({ columns, positions, positionOf }: Shared) {
  const { session, ask } = useStudio();
  const selection = useSelection(session.id);
  const [asked, setAsked] = useState<string | null>(null);
  const runs = session.runs.filter((run) => columns.runs.includes(run.id) && run.state !== "running");
  const run = runs.find((one) => one.id === asked) ?? runs.at(-1);
  const loaded = useLoaded<LatticeView>(run ? `${session.id} ${run.id}` : null, (signal) =>
    ask("GET /api/sessions/{session}/runs/{run}/lattice", { path: { run: run?.id ?? "" } }, signal),
  );
  const view = loaded.data?.run === run?.id ? loaded.data : null;
  const flags = useMemo(() => (view && !view.too_large ? bytes(view.flags) : null), [view]);
  const shape = view;
  // A candidate of any run that has levels is a node, so a selection made elsewhere is seen here.
  const nodes = useMemo(() => {
    if (!view) return [];
    const levels = view.columns.map((name) => columns.levels[name]);
    return columns.id.map((_, position) => nodeOf(view, levels.map((own) => own?.[position])));
  }, [view, columns]);
  const known = useMemo(() => new Map(view?.nodes.map((node, i) => [node, view.ids[i] ?? ""])), [view]);
  const marks = useMemo(() => {
    const of = (ids: readonly string[]): Set<number> => {
      const found = [...placesOf(ids, positionOf)].map((position) => nodes[position]);
      return new Set(found.filter((node) => node != null));
    };
    const selected = of(selection.ids);
    if (selection.node && selection.node.run === run?.id) selected.add(selection.node.node);
    return { selected, kept: of(session.document.clipboard.map((clip) => clip.candidate)) };
  }, [selection, nodes, positionOf, run?.id, session.document.clipboard]);
  const shown = useMemo(() => new Set(positions.map((position) => nodes[position])), [positions, nodes]);
  const all = positions.length === columns.id.length;
  const dimmed = useCallback((node: number) => !all && known.has(node) && !shown.has(node), [all, known, shown]);
  const onPick = useCallback(
    (node: number, extend: boolean) => {
      const id = known.get(node);
      if (id && positionOf.has(id)) pick(id, extend);
      else if (run) pickNode(run.id, node);
    },
    [known, positionOf, run],
  );
  return (
    <Section
      title="Lattice"
      hint="Every generalization there is, the most general on top. A click selects it."
      aside={runs.length > 1 && (
        <Select label="Run" hideLabel options={runs.map(({ id, name }) => ({ id, label: name || id }))} value={run?.id ?? null} onChange={setAsked} />
      )}
    >
      {loaded.error && <Notice tone="bad">{loaded.error}</Notice>}
      {!run && !loaded.error && <EmptyState title="Not yet" text="The lattice is drawn as soon as the run has finished." />}
      {run && !view && !loaded.error && <Loading label="Drawing the lattice" />}
      {view?.too_large && (
        <EmptyState title="Too large to draw" text={`There are ${view.size.toLocaleString("en")} generalizations. The table and the frontier show the candidates among them.`} />
      )}
      {shape && flags && (
        <Lattice shape={shape} flags={flags} selected={marks.selected} kept={marks.kept} dimmed={dimmed} onPick={onPick} height={420} />
      )}
    </Section>
  );
}

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
