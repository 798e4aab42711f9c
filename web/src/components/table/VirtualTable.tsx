import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { Icon } from "../Icon";
import { offsetShowing } from "./geometry";
import { useRowScroll } from "./useRowScroll";

export interface Column {
  id: string;
  label: string;
  /** Replaces the label in the header. */
  header?: ReactNode;
  width?: number;
  numeric?: boolean;
}

/** Whether a row is selected alone, in addition, or with all rows up to the last one selected. */
export type Extend = "only" | "more" | "range";

function extendOf(event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): Extend {
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
  /** The content of a cell; undefined while it is loading. */
  cell: (row: number, column: number) => ReactNode;
  onVisible?: (first: number, last: number) => void;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  isSelected?: (row: number) => boolean;
  /** Makes it a grid: rows are selected by a click, or by arrow keys and Enter or space. */
  onSelect?: (row: number, extend: Extend) => void;
  /** A row that is scrolled into view when it changes; -1 for none. */
  reveal?: number;
  rowHeight?: number;
  headHeight?: number;
  /** The maximum number of visible rows. */
  maxRows?: number;
}

/** A table of any length: only the visible rows are rendered. */
export function VirtualTable(props: Props) {
  const { label, columns, rowCount, cell, onVisible, isSelected, onSelect, rowHeight = 32, headHeight = 36, maxRows = 14 } = props;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [active, setActive] = useState(0);
  const { height, first, last, topOf, offset, viewport, scrollTo } = useRowScroll(box, rowCount, rowHeight, headHeight);
  const widths = columns.map((column) => `minmax(${column.width ?? 120}px, 1fr)`).join(" ");
  const minWidth = columns.reduce((sum, column) => sum + (column.width ?? 120), 0);

  useEffect(() => {
    onVisible?.(first, last);
  }, [first, last, onVisible]);
  const { reveal = -1 } = props;
  useEffect(() => {
    if (reveal < 0) return;
    setActive(reveal);
    scrollTo(offsetShowing(reveal, offset, rowHeight, viewport));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when another row is revealed: the user may scroll away
  }, [reveal]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== box.current) return;
    const page = Math.max(1, Math.floor(viewport / rowHeight) - 1);
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rowCount, End: rowCount };
    const move = moves[event.key];
    if (onSelect && (event.key === "Enter" || event.key === " ") && active < rowCount) onSelect(active, extendOf(event));
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
        style={{ transform: `translateY(${topOf(row)}px)`, height: rowHeight, gridTemplateColumns: widths }}
        onMouseDown={(event) => {
          if (onSelect && event.shiftKey) event.preventDefault(); // selects rows, not text
        }}
        onClick={(event) => {
          setActive(row);
          onSelect?.(row, extendOf(event));
        }}>
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
      style={{ height: Math.min(maxRows, Math.max(1, rowCount)) * rowHeight + headHeight + 14 }}>
      <div role="rowgroup" className="vt-head" style={{ minWidth, height: headHeight }}>
        <div role="row" aria-rowindex={1} className="vt-head-row" style={{ gridTemplateColumns: widths }}>
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={props.sort ?? null} onSort={props.onSort} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className="vt-body" style={{ height, minWidth }}>
        {rows}
      </div>
    </div>
  );
}

function HeadCell({ column, sort, onSort }: { column: Column; sort: Sort | null; onSort: ((sort: Sort) => void) | undefined }) {
  const sorted = sort?.column === column.id;
  const direction = sorted ? (sort.descending ? "descending" : "ascending") : "none";
  return (
    <div role="columnheader" className={column.numeric ? "vt-th vt-numeric" : "vt-th"} {...(onSort ? { "aria-sort": direction } : {})}>
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
