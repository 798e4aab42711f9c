import { useRef } from "react";
import { Button, Collection, type Key, type Selection, Tree, TreeItem, TreeItemContent, useDragAndDrop } from "react-aria-components";
import { Icon } from "../../../components";
import { count, plural } from "../../../words";
import { type Branch, type Branches, mayMove } from "./branches";

interface Props {
  label: string;
  tree: Branches;
  selected: ReadonlySet<Key>;
  onSelect: (keys: Selection) => void;
  onMove: (ids: string[], to: string) => void;
}

const KIND = "application/x-fairveil-node";

/** React Aria's tree: arrow keys walk and expand it, Enter on a handle starts a drag, Tab goes to the valid targets. */
export function HierarchyTree({ label, tree, selected, onSelect, onMove }: Props) {
  const dragged = useRef<string[]>([]);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ [KIND]: String(key), "text/plain": tree.byId.get(String(key))?.label ?? "" })),
    acceptedDragTypes: [KIND],
    onDragStart: ({ keys }) => {
      dragged.current = [...keys].map(String);
    },
    getDropOperation: (target) => {
      const to = target.type === "item" && target.dropPosition === "on" ? tree.byId.get(String(target.key)) : undefined;
      const nodes = dragged.current.map((id) => tree.byId.get(id));
      return mayMove(nodes, to) ? "move" : "cancel";
    },
    onItemDrop: ({ target }) => onMove(dragged.current, String(target.key)),
  });
  const expanded = tree.roots.flatMap((root) => [root.id, ...(root.children.length <= 12 ? root.children : []).map((node) => node.id)]);
  return (
    <Tree
      aria-label={label}
      className="tree"
      items={tree.roots}
      selectionMode="multiple"
      selectedKeys={selected}
      onSelectionChange={onSelect}
      defaultExpandedKeys={expanded}
      dragAndDropHooks={dragAndDropHooks}>
      {(branch) => <Node branch={branch} />}
    </Tree>
  );
}

function Node({ branch }: { branch: Branch }) {
  return (
    <TreeItem id={branch.id} textValue={branch.label} className="tree-item">
      <TreeItemContent>
        {({ hasChildItems, level }) => (
          <div className="tree-row" style={{ paddingInlineStart: (level - 1) * 20 }}>
            {hasChildItems ? (
              <Button slot="chevron" className="tree-chevron">
                <Icon name="right" size={16} />
              </Button>
            ) : (
              <span className="tree-chevron" />
            )}
            <Button slot="drag" className="drag" aria-label={`Move ${branch.label}`}>
              <Icon name="drag" size={16} />
            </Button>
            <bdi className="grow cut">{branch.label}</bdi>
            {branch.level > 0 && <span className="quiet small numeric tree-leaves">{plural(branch.leaves, "value")}</span>}
            <span className="tree-rows small numeric">{count(branch.rows)}</span>
          </div>
        )}
      </TreeItemContent>
      <Collection items={branch.children}>{(child) => <Node branch={child} />}</Collection>
    </TreeItem>
  );
}
