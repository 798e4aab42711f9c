import { useMemo, useState } from "react";
import type { Key, Selection } from "react-aria-components";
import type { EditTree, HierarchyView } from "../../../api/types";
import { Notice } from "../../../components/Notice";
import { useStudio } from "../../../studio/context";
import { plural } from "../../../words";
import { branches } from "./branches";
import { HierarchyTree } from "./HierarchyTree";
import { TreeTools } from "./TreeTools";

/** The tree of a column: dragged, or edited by the buttons above it, which do the same by keyboard. */
export function TreeEditor({ column, view }: { column: string; view: HierarchyView }) {
  const { change } = useStudio();
  const [selected, setSelected] = useState<ReadonlySet<Key>>(new Set());
  const tree = useMemo(() => branches(view.nodes), [view.nodes]);
  const nodes = [...selected].flatMap((key) => tree.byId.get(String(key)) ?? []);

  const edit = async (body: EditTree): Promise<boolean> => {
    const went = await change("POST /api/sessions/{session}/hierarchy/edit", { query: { column }, body });
    if (went) setSelected(new Set());
    return went;
  };
  const select = (keys: Selection): void => setSelected(keys === "all" ? new Set(tree.byId.keys()) : keys);

  return (
    <div className="stack-s">
      {view.problems.slice(0, 3).map((problem) => (
        <Notice key={problem} tone="warn">
          {problem}
        </Notice>
      ))}
      <TreeTools view={view} tree={tree} selected={nodes} onEdit={edit} />
      {!view.listed_all && <p className="quiet small">There are too many values to list; the first of each group are shown.</p>}
      <HierarchyTree label={`Hierarchy of ${column}`} tree={tree} selected={selected} onSelect={select} onMove={(ids, to) => void edit({ action: "move", nodes: ids, to })} />
      <p className="quiet small" aria-live="polite">
        {nodes.length ? `${plural(nodes.length, "node")} selected.` : "Select nodes to group, move, merge or rename them; or drag them onto a node one level above."}
      </p>
    </div>
  );
}
