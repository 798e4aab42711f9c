import { Autocomplete, Input, Label, ListBox, ListBoxItem, SearchField, useFilter } from "react-aria-components";
import { Dialog } from "../../../components/Dialog";
import { count } from "../../../words";
import type { Branch } from "./branches";

interface Props {
  title: string;
  targets: Branch[];
  isOpen: boolean;
  onClose: () => void;
  onTarget: (id: string) => void;
}

/** Where to: a list that is narrowed by typing. */
export function TargetDialog({ title, targets, isOpen, onClose, onTarget }: Props) {
  const { contains } = useFilter({ sensitivity: "base" });
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
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
