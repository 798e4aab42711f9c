import type { ReactNode } from "react";
import type { PartFacts } from "../api/types";

const COLUMNS = [0, 1, 2, 3];
const ROWS = [0, 1, 2, 3];
const [WIDE, HIGH, GAP] = [12, 7, 2];

function Cell({ column, row, look, wide = 1, high = 1 }: { column: number; row: number; look: string; wide?: number; high?: number }) {
  const [width, height] = [wide * (WIDE + GAP) - GAP, high * (HIGH + GAP) - GAP];
  return (
    <rect className={`picture-${look}`} x={1 + column * (WIDE + GAP)} y={1 + row * (HIGH + GAP)} width={width} height={height} rx={1.5} />
  );
}

/** A table of four records, each cell with its look: kept as it is, coarser, hidden, or gone. */
function table(look: (column: number, row: number) => string): ReactNode {
  return COLUMNS.flatMap((column) =>
    ROWS.map((row) => <Cell key={`${column} ${row}`} column={column} row={row} look={look(column, row)} />),
  );
}

const NOISE = [
  [0, 3],
  [1, -2],
  [2, 2],
  [3, -3],
] as const;

/** What a method does to a table, for each `picture` that a method declares. */
const PICTURES: Record<PartFacts["picture"], ReactNode> = {
  "": null,
  // whole columns become coarser, some more than others
  columns: (
    <>
      {[0, 1].map((row) => (
        <Cell key={row} column={0} row={2 * row} look="coarse" high={2} />
      ))}
      <Cell column={1} row={0} look="coarser" high={4} />
      {[2, 3].map((column) => ROWS.map((row) => <Cell key={`${column} ${row}`} column={column} row={row} look="kept" />))}
    </>
  ),
  // neighbouring values are joined, differently in each column
  values: (
    <>
      <Cell column={0} row={0} look="coarse" high={3} />
      <Cell column={0} row={3} look="kept" />
      <Cell column={1} row={0} look="kept" />
      <Cell column={1} row={1} look="coarse" high={3} />
      <Cell column={2} row={0} look="coarse" high={2} />
      <Cell column={2} row={2} look="coarse" high={2} />
      {ROWS.map((row) => (
        <Cell key={row} column={3} row={row} look="kept" />
      ))}
    </>
  ),
  // the plane of two columns in rectangles of near records
  regions: (
    <>
      <Cell column={0} row={0} look="coarse" wide={2} high={2} />
      <Cell column={0} row={2} look="kept" wide={1} high={2} />
      <Cell column={1} row={2} look="coarser" wide={1} high={2} />
      <Cell column={2} row={0} look="kept" wide={2} high={1} />
      <Cell column={2} row={1} look="coarse" wide={2} high={3} />
    </>
  ),
  cells: table((column, row) => (["0 2", "2 0", "3 3"].includes(`${column} ${row}`) ? "gone" : "kept")),
  // two groups, of which the average is published
  averages: (
    <>
      {[0, 2].map((row) => COLUMNS.map((column) => <Cell key={`${column} ${row}`} column={column} row={row} look="coarse" high={2} />))}
      <path className="picture-line" d="M3 10h50M3 28h50" />
    </>
  ),
  noise: (
    <>
      {NOISE.map(([column, up]) => (
        <rect
          key={column}
          className="picture-coarse"
          x={1 + column * 14}
          y={14 - 2 * column - up}
          width={12}
          height={22 + 2 * column + up}
          rx={1.5}
        />
      ))}
      <path className="picture-line" d="M1 14h12M15 12h12M29 10h12M43 8h12" />
    </>
  ),
  // columns apart from each other
  split: (
    <>
      {[0, 1].map((column) => ROWS.map((row) => <Cell key={`${column} ${row}`} column={column} row={row} look="kept" />))}
      {[2.4, 3.4].map((column) => ROWS.map((row) => <Cell key={`${column} ${row}`} column={column} row={row} look="coarse" />))}
    </>
  ),
  // hidden above, revealed below
  steps: table((column, row) => (row > column ? "kept" : "hidden")),
};

/** A small drawing beside the title of a method. */
export function MethodPicture({ picture }: { picture: PartFacts["picture"] }) {
  return (
    <svg className="method-picture" viewBox="0 0 64 38" width={64} height={38} aria-hidden="true">
      {PICTURES[picture]}
    </svg>
  );
}
