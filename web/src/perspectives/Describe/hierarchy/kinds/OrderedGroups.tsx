import { useState } from "react";
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { Button, Icon, Notice, TextField } from "../../../../components";
import { count, numbersIn } from "../../../../words";
import type { FormProps } from "../Builder";
import { useSpec } from "./useSpec";

const MAX_VALUES = 500;

/** Values in a meaningful order; neighbours are merged into groups of increasing size. */
export function OrderedGroups({ facts, values, onSpec }: FormProps) {
  const [order, setOrder] = useState(() => values.filter((node) => !node.missing).map((node) => node.label));
  const [sizes, setSizes] = useState("2, 4");
  const groupSizes = numbersIn(sizes);
  const rows = new Map(values.map((node) => [node.label, node.rows]));
  useSpec(onSpec, groupSizes?.length ? { kind: "grouping", order, sizes: groupSizes } : null);

  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) => {
      const moving = order.filter((label) => keys.has(label));
      const rest = order.filter((label) => !keys.has(label));
      const at = rest.indexOf(String(target.key)) + (target.dropPosition === "after" ? 1 : 0);
      setOrder([...rest.slice(0, at), ...moving, ...rest.slice(at)]);
    },
  });

  if (facts.distinct > MAX_VALUES)
    return (
      <Notice tone="warn">{`${count(facts.distinct)} values are too many to order by hand. Use intervals or a mask, or import a file.`}</Notice>
    );

  return (
    <div className="order-form">
      <div className="stack-s">
        <div className="row-s">
          <Button
            size="s"
            onPress={() => setOrder(order.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })))}
            label="Sort by name"
          />
          <Button
            size="s"
            onPress={() => setOrder(order.toSorted((a, b) => (rows.get(b) ?? 0) - (rows.get(a) ?? 0)))}
            label="Sort by frequency"
          />
          <Button size="s" onPress={() => setOrder(order.toReversed())} label="Reverse" />
        </div>
        <GridList
          className="order"
          aria-label="Values in order"
          selectionMode="multiple"
          dragAndDropHooks={dragAndDropHooks}
          items={order.map((id) => ({ id }))}>
          {({ id }) => (
            <GridListItem id={id} textValue={id} className="order-item">
              <AriaButton slot="drag" className="drag" aria-label={`Move ${id}`}>
                <Icon name="drag" size={16} />
              </AriaButton>
              <bdi className="grow cut">{id}</bdi>
              <span className="quiet small numeric">{count(rows.get(id) ?? 0)}</span>
            </GridListItem>
          )}
        </GridList>
      </div>
      <TextField
        label="Group sizes"
        hint="Adjacent values merged at each level, each a multiple of the previous size: 2, 4, 8."
        value={sizes}
        onChange={setSizes}
        error={groupSizes?.length ? null : "Enter integers separated by commas."}
      />
    </div>
  );
}
