import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { Icon } from "../Icon";
import { offsetShowing } from "./geometry";
import { useRowScroll } from "./useRowScroll";

export interface Column {
  id: string;
  label: string;
  /** What stands in the header instead of the label. */
  header?: ReactNode;
  width?: number;
  numeric?: boolean;
}

/** Whether a row is selected alone, besides others, or with all rows up to the one selected before. */
export type Extend = "only" | "more" | "range";

function extend(event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): Extend {
  return event.shiftKey ? "range" : event.ctrlKey || event.metaKey ? "more" : "only";
}

export interface Sort {
  column: string;
  descending: boolean;
}

interface Props {
  label: string;
  columns: readonly Column[];
  rowCount: number;
  /** What stands in a cell; undefined while it is not loaded. */
  cell: (row: number, column: number) => ReactNode;
  onVisible?: (first: number, last: number) => void;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  isSelected?: (row: number) => boolean;
  /** Makes it a grid: rows are clicked, or reached by the arrow keys and chosen by Enter or space. */
  onSelect?: (row: number, extend: Extend) => void;
  /** A row that is brought into view when it changes; -1 for none. */
  reveal?: number;
  rowHeight?: number;
  headHeight?: number;
  /** Rows in view at most. */
  tall?: number;
}

/** A table of any length: only the rows in view are drawn. */
export function VirtualTable(props: Props) {
  const { label, columns, rowCount, cell, onVisible, isSelected, onSelect, rowHeight = 32, headHeight = 36, tall = 14 } = props;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [active, setActive] = useState(0);
  const { height, first, last, place, offset, viewport, scrollTo } = useRowScroll(box, rowCount, rowHeight, headHeight);
  const widths = columns.map((column) => `minmax(${column.width ?? 120}px, 1fr)`).join(" ");
  const least = columns.reduce((sum, column) => sum + (column.width ?? 120), 0);

  useEffect(() => {
    onVisible?.(first, last);
  }, [first, last, onVisible]);
  const { reveal = -1 } = props;
  useEffect(() => {
    if (reveal < 0) return;
    setActive(reveal);
    scrollTo(offsetShowing(reveal, offset, rowHeight, viewport));
    // Only when another row is to be shown: scrolling away from it is allowed.
  }, [reveal]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== box.current) return;
    const page = Math.max(1, Math.floor(viewport / rowHeight) - 1);
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rowCount, End: rowCount };
    const move = moves[event.key];
    if (onSelect && (event.key === "Enter" || event.key === " ") && active < rowCount) onSelect(active, extend(event));
    else if (move === undefined) return;
    else if (onSelect) {
      const next = Math.max(0, Math.min(rowCount - 1, active + move));
      setActive(next);
      scrollTo(offsetShowing(next, offset, rowHeight, viewport));
    } else scrollTo(offset + move * rowHeight);
    event.preventDefault();
  };

  const rows = [];
  for (let row = first; row < last; row++) {
    rows.push(
      <div
        key={row}
        id={`${id}-${row}`}
        role="row"
        aria-rowindex={row + 2}
        {...(onSelect ? { "aria-selected": isSelected?.(row) ?? false } : {})}
        className={`vt-row${onSelect && row === active ? " vt-active" : ""}`}
        style={{ transform: `translateY(${place(row)}px)`, height: rowHeight, gridTemplateColumns: widths }}
        onMouseDown={(event) => {
          if (onSelect && event.shiftKey) event.preventDefault(); // rows are selected, not their text
        }}
        onClick={(event) => {
          setActive(row);
          onSelect?.(row, extend(event));
        }}
      >
        {columns.map((column, i) => (
          <div key={column.id} role={onSelect ? "gridcell" : "cell"} className={column.numeric ? "vt-cell vt-numeric" : "vt-cell"}>
            {cell(row, i) ?? <span className="vt-waiting" />}
          </div>
        ))}
      </div>,
    );
  }

  return (
    <div
      ref={box}
      className="vt"
      role={onSelect ? "grid" : "table"}
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      {...(onSelect && active >= first && active < last ? { "aria-activedescendant": `${id}-${active}` } : {})}
      tabIndex={0}
      onKeyDown={onKeyDown}
      style={{ height: Math.min(tall, Math.max(1, rowCount)) * rowHeight + headHeight + 14 }}
    >
      <div role="rowgroup" className="vt-head" style={{ minWidth: least, height: headHeight }}>
        <div role="row" aria-rowindex={1} className="vt-head-row" style={{ gridTemplateColumns: widths }}>
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={props.sort ?? null} onSort={props.onSort} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className="vt-body" style={{ height, minWidth: least }}>
        {rows}
      </div>
    </div>
  );
}

function HeadCell({ column, sort, onSort }: { column: Column; sort: Sort | null; onSort: ((sort: Sort) => void) | undefined }) {
  const sorted = sort?.column === column.id;
  const direction = sorted ? (sort.descending ? "descending" : "ascending") : "none";
  return (
    <div
      role="columnheader"
      className={column.numeric ? "vt-th vt-numeric" : "vt-th"}
      {...(onSort ? { "aria-sort": direction } : {})}
    >
      {onSort ? (
        <Button className="vt-sort" onPress={() => onSort({ column: column.id, descending: sorted && !sort.descending })}>
          <span className="cut">{column.header ?? column.label}</span>
          {sorted && (
            <span className={sort.descending ? "vt-arrow" : "vt-arrow vt-up"}>
              <Icon name="chevron" size={14} />
            </span>
          )}
        </Button>
      ) : (
        (column.header ?? column.label)
      )}
    </div>
  );
}
