import { useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { EditTree, HierarchyView } from "../../../api/types";
import { Button } from "../../../components/Button";
import { Icon } from "../../../components/Icon";
import { plural } from "../../../words";
import type { Branch, Branches } from "./branches";
import { NameDialog } from "./NameDialog";
import { TargetDialog } from "./TargetDialog";

interface Props {
  view: HierarchyView;
  tree: Branches;
  selected: Branch[];
  onEdit: (edit: EditTree) => Promise<boolean>;
}

/** What can be done with the selected nodes, and with whole levels. */
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
  const close = (): void => setAsking(null);
  const run = async (edit: EditTree): Promise<void> => {
    if (await onEdit(edit)) close();
  };
  return (
    <div className="row spread">
      <div className="row-s" role="toolbar" aria-label="Selected nodes">
        <Button size="s" isDisabled={!inner || !siblings || !sameLevel || first.level + 1 >= view.height} onPress={() => setAsking("group")}>
          Group…
        </Button>
        <Button size="s" isDisabled={!inner || !sameLevel || above.length === 0} onPress={() => setAsking("move")}>
          Move to…
        </Button>
        <Button size="s" isDisabled={!inner || !sameLevel || first.level === 0 || beside.length === 0} onPress={() => setAsking("merge")}>
          Merge into…
        </Button>
        <Button size="s" isDisabled={selected.length !== 1 || first?.level === 0} onPress={() => setAsking("rename")}>
          Rename…
        </Button>
      </div>
      <MenuTrigger>
        <AriaButton className="button button-secondary button-s">
          <span>{plural(view.height + 1, "level")}</span>
          <Icon name="chevron" size={14} />
        </AriaButton>
        <Popover className="popover" placement="bottom end">
          <Menu className="listbox" aria-label="Levels" onAction={(key) => void levelEdit(String(key), onEdit)}>
            {Array.from({ length: view.height }, (_, level) => (
              <MenuItem key={`add ${level}`} id={`add ${level}`} className="option">
                {`Add a level above level ${level}`}
              </MenuItem>
            ))}
            {Array.from({ length: Math.max(0, view.height - 1) }, (_, i) => (
              <MenuItem key={`remove ${i + 1}`} id={`remove ${i + 1}`} className="option">
                {`Take out level ${i + 1}`}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      <NameDialog
        title={asking === "group" ? `Group ${plural(selected.length, "node")}` : "Rename"}
        action={asking === "group" ? "Group" : "Rename"}
        start={asking === "rename" ? (first?.label ?? "") : selected.map((node) => node.label).join(", ").slice(0, 60)}
        isOpen={asking === "group" || asking === "rename"}
        onClose={close}
        onName={(label) => void run({ action: asking === "group" ? "group" : "rename", nodes: ids, label })}
      />
      <TargetDialog
        title={asking === "merge" ? "Merge into" : "Move to"}
        targets={asking === "merge" ? beside : above}
        isOpen={asking === "move" || asking === "merge"}
        onClose={close}
        onTarget={(to) => void run({ action: asking === "merge" ? "remove" : "move", nodes: ids, to })}
      />
    </div>
  );
}

function levelEdit(key: string, onEdit: Props["onEdit"]): Promise<boolean> {
  const [action, level] = key.split(" ");
  return onEdit({ action: action === "add" ? "level" : "remove", level: Number(level) });
}
