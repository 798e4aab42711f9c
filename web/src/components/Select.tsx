import { Button, Label, ListBox, ListBoxItem, Popover, Select as AriaSelect, SelectValue, Text } from "react-aria-components";
import { Hint } from "./Hint";
import { Icon } from "./Icon";

export interface Option {
  id: string;
  label: string;
  hint?: string | undefined;
}

/** Options by their labels. */
export function optionsOf(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([id, label]) => ({ id, label }));
}

interface Props {
  label: string;
  options: readonly Option[];
  value: string | null;
  onChange: (id: string) => void;
  hint?: string | undefined;
  hideLabel?: boolean;
  isDisabled?: boolean;
  placeholder?: string;
}

export function Select({ label, options, value, onChange, hint, hideLabel, isDisabled, placeholder }: Props) {
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      isDisabled={isDisabled ?? false}
      placeholder={placeholder ?? "Choose…"}>
      <Label className={hideLabel ? "unseen" : "label"}>{label}</Label>
      <Button className="input select-button">
        <SelectValue className="cut">{({ defaultChildren, selectedText }) => selectedText || defaultChildren}</SelectValue>
        <Icon name="chevron" size={16} />
      </Button>
      <Hint>{hint}</Hint>
      <Popover className="popover" offset={4}>
        <ListBox className="listbox" items={options}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className="option">
              <Text slot="label">{option.label}</Text>
              <Hint>{option.hint}</Hint>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
