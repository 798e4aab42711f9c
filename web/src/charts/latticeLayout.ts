// Places the nodes of a lattice: one band for each sum of levels, the most general at the top, each as wide as the box
// and as high as necessary. Every node of a large lattice has its own cell, and picking is arithmetic.

export interface LatticeShape {
  columns: readonly string[];
  /** The highest level of each column. */
  heights: readonly number[];
  /** Node n has level `n / stride % (height + 1)` in each column, so a step along an edge adds or subtracts one stride. */
  strides: readonly number[];
  size: number;
}

export function levelOf(shape: LatticeShape, node: number, column: number): number {
  return Math.floor(node / (shape.strides[column] ?? 1)) % ((shape.heights[column] ?? 0) + 1);
}

/** The node with these levels; null if a level is missing. */
export function nodeOf(shape: LatticeShape, levels: readonly (number | null | undefined)[]): number | null {
  let node = 0;
  for (let i = 0; i < shape.strides.length; i++) {
    const level = levels[i];
    if (level == null) return null;
    node += level * (shape.strides[i] ?? 0);
  }
  return node;
}

/** The node one level up or down in a column; null at the end. */
export function neighbour(shape: LatticeShape, node: number, column: number, step: 1 | -1): number | null {
  const level = levelOf(shape, node, column) + step;
  if (level < 0 || level > (shape.heights[column] ?? 0)) return null;
  return node + step * (shape.strides[column] ?? 0);
}

export interface Band {
  top: number;
  rows: number;
  /** Nodes of this band in drawing order. */
  nodes: Int32Array;
}

export interface Layout {
  cell: number;
  perRow: number;
  left: number;
  bands: Band[];
  /** The centre of each node; NaN for hidden ones. */
  x: Float32Array;
  y: Float32Array;
}

const GAP = 6;
const LARGEST_CELL = 30;

/** `rank` orders the nodes within a band. Nodes of a rank below `min` are hidden. */
export function layOut(shape: LatticeShape, rank: ArrayLike<number>, min: number, width: number, height: number): Layout {
  const sums = bySum(shape, rank, min);
  const high = (cell: number): number => {
    const perRow = Math.max(1, Math.floor(width / cell));
    return sums.reduce((all, nodes) => all + (nodes.length ? Math.ceil(nodes.length / perRow) * cell + gap(cell) : 0), 0);
  };
  let low = 0.5;
  let cell = LARGEST_CELL;
  if (high(cell) > height) {
    for (let i = 0; i < 20; i++) {
      const middle = (low + cell) / 2;
      if (high(middle) > height) cell = middle;
      else low = middle;
    }
    cell = low;
  }
  return place(sums, cell, width, height, high(cell), shape.size);
}

function gap(cell: number): number {
  return cell < 8 ? Math.min(GAP, cell) : GAP;
}

function bySum(shape: LatticeShape, rank: ArrayLike<number>, min: number): Int32Array[] {
  const maxSum = shape.heights.reduce((sum, height) => sum + height, 0);
  const sums: number[][] = Array.from({ length: maxSum + 1 }, () => []);
  for (let node = 0; node < shape.size; node++) {
    if ((rank[node] ?? 0) < min) continue;
    let sum = 0;
    for (let i = 0; i < shape.heights.length; i++) sum += levelOf(shape, node, i);
    sums[sum]?.push(node);
  }
  return sums.toReversed().map((nodes) => Int32Array.from(nodes.toSorted((a, b) => (rank[b] ?? 0) - (rank[a] ?? 0) || a - b)));
}

function place(sums: Int32Array[], cell: number, width: number, height: number, used: number, size: number): Layout {
  const perRow = Math.max(1, Math.floor(width / cell));
  const left = (width - perRow * cell) / 2;
  const x = new Float32Array(size).fill(NaN);
  const y = new Float32Array(size).fill(NaN);
  let top = Math.max(0, (height - used) / 2);
  const bands = sums.map((nodes): Band => {
    const rows = Math.ceil(nodes.length / perRow);
    for (let at = 0; at < nodes.length; at++) {
      const row = Math.floor(at / perRow);
      const inRow = row === rows - 1 ? nodes.length - row * perRow : perRow;
      const node = nodes[at] ?? 0;
      x[node] = left + ((perRow - inRow) / 2 + (at % perRow) + 0.5) * cell;
      y[node] = top + (row + 0.5) * cell;
    }
    const band = { top, rows, nodes };
    top += rows ? rows * cell + gap(cell) : 0;
    return band;
  });
  return { cell, perRow, left, bands, x, y };
}

/** The node at a point, or null. */
export function nodeAt(layout: Layout, x: number, y: number): number | null {
  const { bands, cell, perRow, left } = layout;
  const band = bands.find(({ top, rows }) => y >= top && y < top + rows * cell);
  if (!band) return null;
  const row = Math.floor((y - band.top) / cell);
  const inRow = row === band.rows - 1 ? band.nodes.length - row * perRow : perRow;
  const at = Math.floor((x - left) / cell - (perRow - inRow) / 2);
  if (at < 0 || at >= inRow) return null;
  return band.nodes[row * perRow + at] ?? null;
}
