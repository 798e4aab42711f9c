// How a lattice looks. Colour says what a node keeps, and so does its shape (its size, where nodes are too small for
// shapes): a filled disc keeps every guard, a triangle is only k-anonymous, a diamond only protective, a dot neither.
import type { Layout } from "./latticeLayout";
import type { Palette } from "./palette";

/** The bits of a node's flags, as the server sends them. */
export const ANONYMOUS = 1;
export const PROTECTIVE = 2;
export const KEEPS = 4;
export const MINIMAL = 8;

export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Marks {
  selected: ReadonlySet<number>;
  kept: ReadonlySet<number>;
  focused: number | null;
  dimmed: (node: number) => boolean;
}

const SHAPES_FROM = 7;
const EDGES_UP_TO = 1500;

export type Edges = (node: number) => number[];

export function draw(
  canvas: HTMLCanvasElement,
  layout: Layout,
  flags: ArrayLike<number>,
  view: View,
  marks: Marks,
  palette: Palette,
  above: Edges,
): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const ratio = devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  const size = layout.x.length;
  if (size <= EDGES_UP_TO) edges(context, layout, Array.from({ length: size }, (_, node) => node), above, palette.line, 0.5 / view.scale);
  nodes(context, layout, flags, view.scale, marks, palette);
  const around = marks.focused ?? [...marks.selected].at(-1) ?? null;
  if (around !== null) edges(context, layout, [around], above, palette.text, 1.25 / view.scale);
  rings(context, layout, view.scale, marks, palette);
}

function edges(
  context: CanvasRenderingContext2D, layout: Layout, from: number[], above: Edges, colour: string, width: number,
): void {
  context.beginPath();
  for (const node of from) {
    for (const other of above(node)) {
      context.moveTo(layout.x[node] ?? 0, layout.y[node] ?? 0);
      context.lineTo(layout.x[other] ?? 0, layout.y[other] ?? 0);
    }
  }
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** All nodes of one look are one path: a few fills, however many nodes there are. */
function nodes(
  context: CanvasRenderingContext2D, layout: Layout, flags: ArrayLike<number>, scale: number, marks: Marks, palette: Palette,
): void {
  const shapes = layout.cell * scale >= SHAPES_FROM;
  const looks: [colour: string, share: number, shape: Shape][] = [
    [palette.faint, 0.35, "square"],
    [palette.fair, 0.6, shapes ? "diamond" : "square"],
    [palette.partly, 0.7, shapes ? "triangle" : "square"],
    [palette.keeps, 0.9, shapes ? "disc" : "square"],
  ];
  for (const dim of [true, false]) {
    context.globalAlpha = dim ? 0.25 : 1;
    looks.forEach(([colour, share, shape], kept) => {
      context.beginPath();
      for (let node = 0; node < layout.x.length; node++) {
        if (status(flags[node] ?? 0) !== kept || Number.isNaN(layout.x[node]) || marks.dimmed(node) !== dim) continue;
        outline(context, shape, layout.x[node] ?? 0, layout.y[node] ?? 0, (layout.cell * share) / 2);
      }
      context.fillStyle = colour;
      context.fill();
    });
  }
  context.globalAlpha = 1;
  context.beginPath();
  for (let node = 0; node < layout.x.length; node++) {
    if ((flags[node] ?? 0) & MINIMAL && !Number.isNaN(layout.x[node])) outline(context, "square", layout.x[node] ?? 0, layout.y[node] ?? 0, layout.cell / 2);
  }
  context.strokeStyle = palette.text;
  context.lineWidth = Math.max(0.75, Math.min(1.5, layout.cell / 8)) / Math.sqrt(scale);
  context.stroke();
}

/** 3 keeps every guard, 2 is k-anonymous but does not, 1 is only protective, 0 is neither. */
export function status(flags: number): 0 | 1 | 2 | 3 {
  return flags & KEEPS ? 3 : flags & ANONYMOUS ? 2 : flags & PROTECTIVE ? 1 : 0;
}

type Shape = "square" | "triangle" | "diamond" | "disc" | "star";

function outline(context: CanvasRenderingContext2D, shape: Shape, x: number, y: number, r: number): void {
  if (shape === "square") {
    context.rect(x - r, y - r, 2 * r, 2 * r);
  } else if (shape === "disc") {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
  } else if (shape === "triangle") {
    context.moveTo(x, y - r);
    context.lineTo(x + r, y + r);
    context.lineTo(x - r, y + r);
    context.closePath();
  } else if (shape === "diamond") {
    context.moveTo(x, y - r);
    context.lineTo(x + r, y);
    context.lineTo(x, y + r);
    context.lineTo(x - r, y);
    context.closePath();
  } else {
    for (let i = 0; i < 10; i++) {
      const angle = (i * Math.PI) / 5 - Math.PI / 2;
      const far = i % 2 ? r * 0.45 : r;
      const to = [x + far * Math.cos(angle), y + far * Math.sin(angle)] as const;
      if (i) context.lineTo(...to);
      else context.moveTo(...to);
    }
    context.closePath();
  }
}

function rings(context: CanvasRenderingContext2D, layout: Layout, scale: number, marks: Marks, palette: Palette): void {
  const least = 5 / scale;
  const at = (node: number): [number, number] => [layout.x[node] ?? 0, layout.y[node] ?? 0];
  context.fillStyle = palette.text;
  context.strokeStyle = palette.surface;
  context.lineWidth = 1.5 / scale;
  for (const node of marks.kept) {
    context.beginPath();
    outline(context, "star", ...at(node), Math.max(least * 1.2, layout.cell * 0.45));
    context.fill();
    context.stroke();
  }
  for (const node of marks.selected) {
    context.beginPath();
    outline(context, "disc", ...at(node), Math.max(least, layout.cell * 0.4));
    context.fillStyle = palette.text;
    context.fill();
    context.stroke();
  }
  if (marks.focused !== null) {
    context.beginPath();
    outline(context, "disc", ...at(marks.focused), Math.max(least * 1.6, layout.cell * 0.65));
    context.strokeStyle = palette.text;
    context.lineWidth = 2.5 / scale;
    context.stroke();
  }
}
