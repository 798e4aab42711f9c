import { useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { Body } from "../../../api/client";
import type { HierarchyView } from "../../../api/types";
import { Button, Icon, NameDialog } from "../../../components";
import { plural } from "../../../words";
import type { Branch, Branches } from "./branches";
import { TargetDialog } from "./TargetDialog";

export type EditTree = Body<"POST /api/sessions/{session}/hierarchy/edit">;

interface Props {
  view: HierarchyView;
  tree: Branches;
  selected: Branch[];
  onEdit: (edit: EditTree) => Promise<boolean>;
}

/** Edits of the selected nodes and of whole levels. */
export function TreeTools({ view, tree, selected, onEdit }: Props) {
  const [asking, setAsking] = useState<"rename" | "group" | "move" | "merge" | null>(null);
  const [first] = selected;
  const ids = selected.map((node) => node.id);
  const sameLevel = selected.every((node) => node.level === first?.level);
  const siblings = selected.every((node) => node.parent === first?.parent);
  const inner = first !== undefined && first.parent !== null;
  const all = [...tree.byId.values()];
  const above = all.filter((node) => node.level === (first?.level ?? 0) + 1 && node.id !== first?.parent);
  const beside = all.filter((node) => node.level === first?.level && !ids.includes(node.id));
  const labels = selected.map((node) => node.label).join(", ");
  const close = (): void => setAsking(null);
  const run = async (edit: EditTree): Promise<void> => {
    if (await onEdit(edit)) close();
  };
  const movable = inner && sameLevel;
  const edits = [
    { edit: "group", label: "Group…", isPossible: movable && siblings && first.level + 1 < view.height },
    { edit: "move", label: "Move to…", isPossible: movable && above.length > 0 },
    { edit: "merge", label: "Merge into…", isPossible: movable && first.level > 0 && beside.length > 0 },
    { edit: "rename", label: "Rename…", isPossible: selected.length === 1 && first?.level !== 0 },
  ] as const;
  const levelEdits = [
    ...Array.from({ length: view.height }, (_, level) => ({ id: `add ${level}`, label: `Add a level above level ${level}` })),
    ...Array.from({ length: Math.max(0, view.height - 1) }, (_, i) => ({ id: `remove ${i + 1}`, label: `Remove level ${i + 1}` })),
  ];
  return (
    <div className="row spread">
      <div className="row-s" role="toolbar" aria-label="Selected nodes">
        {edits.map(({ edit, label, isPossible }) => (
          <Button key={edit} size="s" isDisabled={!isPossible} onPress={() => setAsking(edit)} label={label} />
        ))}
      </div>
      <MenuTrigger>
        <AriaButton className="button button-secondary button-s">
          <span>{plural(view.height + 1, "level")}</span>
          <Icon name="chevron" size={14} />
        </AriaButton>
        <Popover className="popover" placement="bottom end">
          <Menu className="listbox" aria-label="Levels" items={levelEdits} onAction={(key) => void levelEdit(String(key), onEdit)}>
            {({ label }) => <MenuItem className="option">{label}</MenuItem>}
          </Menu>
        </Popover>
      </MenuTrigger>
      {(asking === "group" || asking === "rename") && (
        <NameDialog
          title={asking === "group" ? `Group ${plural(selected.length, "node")}` : "Rename"}
          action={asking === "group" ? "Group" : "Rename"}
          name={labels.slice(0, 60)}
          onClose={close}
          onSave={(label) => void run({ action: asking, nodes: ids, label })}
        />
      )}
      {(asking === "move" || asking === "merge") && (
        <TargetDialog
          title={asking === "merge" ? "Merge into" : "Move to"}
          targets={asking === "merge" ? beside : above}
          onClose={close}
          onTarget={(to) => void run({ action: asking === "merge" ? "remove" : "move", nodes: ids, to })}
        />
      )}
    </div>
  );
}

function levelEdit(key: string, onEdit: Props["onEdit"]): Promise<boolean> {
  const [action, level] = key.split(" ");
  return onEdit({ action: action === "add" ? "level" : "remove", level: Number(level) });
}
