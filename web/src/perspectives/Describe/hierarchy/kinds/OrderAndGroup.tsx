import { useEffect, useState } from "react";
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { Button } from "../../../../components/Button";
import { Icon } from "../../../../components/Icon";
import { Notice } from "../../../../components/Notice";
import { TextField } from "../../../../components/TextField";
import { count } from "../../../../words";
import type { FormProps } from "../Builder";
import { listed } from "./numbers";

const MOST = 500;

/** Values in an order that means something; neighbours are merged in groups of growing size. */
export function OrderAndGroup({ facts, values, onSpec }: FormProps) {
  const [order, setOrder] = useState(() => values.filter((node) => !node.missing).map((node) => node.label));
  const [sizes, setSizes] = useState("2, 4");
  const chosen = listed(sizes);
  const rows = new Map(values.map((node) => [node.label, node.rows]));

  useEffect(() => {
    onSpec(chosen?.length ? { kind: "grouping", order, sizes: chosen } : null);
  }, [order, sizes]);

  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) => {
      const moving = order.filter((label) => keys.has(label));
      const rest = order.filter((label) => !keys.has(label));
      const at = rest.indexOf(String(target.key)) + (target.dropPosition === "after" ? 1 : 0);
      setOrder([...rest.slice(0, at), ...moving, ...rest.slice(at)]);
    },
  });

  if (facts.distinct > MOST)
    return <Notice tone="warn">{`${count(facts.distinct)} values are too many to put in order by hand. Build intervals or a mask, or import a file.`}</Notice>;

  return (
    <div className="order-form">
      <div className="stack-s">
        <div className="row-s">
          <Button size="s" onPress={() => setOrder([...order].sort((a, b) => a.localeCompare(b, "en", { numeric: true })))}>
            By name
          </Button>
          <Button size="s" onPress={() => setOrder([...order].sort((a, b) => (rows.get(b) ?? 0) - (rows.get(a) ?? 0)))}>
            By rows
          </Button>
          <Button size="s" onPress={() => setOrder([...order].reverse())}>
            Reverse
          </Button>
        </div>
        <GridList className="order" aria-label="Values in order" selectionMode="multiple" dragAndDropHooks={dragAndDropHooks} items={order.map((id) => ({ id }))}>
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
        label="Neighbours that become one"
        hint="At each level, each a multiple of the one before: 2, 4, 8."
        value={sizes}
        onChange={setSizes}
        error={chosen?.length ? null : "Whole numbers with commas between them, please."}
      />
    </div>
  );
}
