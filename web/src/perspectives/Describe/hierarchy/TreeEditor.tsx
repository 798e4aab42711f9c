import { useMemo, useState } from "react";
import type { Key, Selection } from "react-aria-components";
import type { HierarchyView } from "../../../api/types";
import { Messages } from "../../../components";
import { useStudio } from "../../../studio";
import { plural } from "../../../words";
import { branches } from "./branches";
import { HierarchyTree } from "./HierarchyTree";
import { type EditTree, TreeTools } from "./TreeTools";

/** The tree of a column, edited by dragging or by the buttons above it. */
export function TreeEditor({ column, view }: { column: string; view: HierarchyView }) {
  const { change } = useStudio();
  const [selected, setSelected] = useState<ReadonlySet<Key>>(new Set());
  const tree = useMemo(() => branches(view.nodes), [view.nodes]);
  const nodes = [...selected].flatMap((key) => tree.byId.get(String(key)) ?? []);

  const edit = async (body: EditTree): Promise<boolean> => {
    const succeeded = await change("POST /api/sessions/{session}/hierarchy/edit", { query: { column }, body });
    if (succeeded) setSelected(new Set());
    return succeeded;
  };
  const select = (keys: Selection): void => setSelected(keys === "all" ? new Set(tree.byId.keys()) : keys);

  return (
    <div className="stack-s">
      <Messages tone="warn" texts={view.problems.slice(0, 3)} />
      <TreeTools view={view} tree={tree} selected={nodes} onEdit={edit} />
      {!view.listed_all && <p className="quiet small">Only the first values of each group are listed.</p>}
      <HierarchyTree
        label={`Hierarchy of ${column}`}
        tree={tree}
        selected={selected}
        onSelect={select}
        onMove={(ids, to) => void edit({ action: "move", nodes: ids, to })}
      />
      <p className="quiet small" aria-live="polite">
        {nodes.length
          ? `${plural(nodes.length, "node")} selected.`
          : "Select nodes to group, move, merge or rename them, or drag them onto a node one level above."}
      </p>
    </div>
  );
}
