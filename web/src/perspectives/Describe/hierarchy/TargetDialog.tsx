import { Autocomplete, Input, Label, ListBox, ListBoxItem, SearchField, useFilter } from "react-aria-components";
import { Dialog } from "../../../components";
import { count } from "../../../words";
import type { Branch } from "./branches";

interface Props {
  title: string;
  targets: Branch[];
  onClose: () => void;
  onTarget: (id: string) => void;
}

/** A list of target nodes that is filtered by typing. */
export function TargetDialog({ title, targets, onClose, onTarget }: Props) {
  const { contains } = useFilter({ sensitivity: "base" });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Autocomplete filter={contains}>
        <SearchField className="field" autoFocus>
          <Label className="label">Find</Label>
          <Input className="input" />
        </SearchField>
        <ListBox className="listbox targets" aria-label={title} items={targets} onAction={(key) => onTarget(String(key))}>
          {(node) => (
            <ListBoxItem id={node.id} textValue={node.label} className="option">
              <span className="row spread">
                <bdi>{node.label}</bdi>
                <span className="quiet small numeric">{count(node.rows)}</span>
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Autocomplete>
    </Dialog>
  );
}
