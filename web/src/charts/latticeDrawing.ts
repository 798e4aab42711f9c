// Draws a lattice. Colour and shape (size, where nodes are too small for shapes) show what a node satisfies: a disc
// satisfies every guard, a triangle is only k-anonymous, a diamond only protective, a dot neither.
import type { Layout } from "./latticeLayout";
import type { Palette } from "./palette";
import { sized } from "./useCanvas";

/** The bits of a node's flags (LatticeView). */
export const ANONYMOUS = 1;
export const PROTECTIVE = 2;
export const SATISFIES_ALL = 4;
export const MINIMAL = 8;

export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Marks {
  selected: ReadonlySet<number>;
  clipped: ReadonlySet<number>;
  focused: number | null;
  dimmed: (node: number) => boolean;
}

const SHAPES_FROM = 7;
const EDGES_UP_TO = 1500;

export type Edges = (node: number) => number[];

/** What is drawn. */
export interface Scene {
  layout: Layout;
  flags: ArrayLike<number>;
  view: View;
  marks: Marks;
  palette: Palette;
  above: Edges;
}

export function draw(canvas: HTMLCanvasElement | null, width: number, height: number, scene: Scene): void {
  const context = sized(canvas, width, height);
  if (!context) return;
  const { layout, view, marks, palette } = scene;
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  if (layout.x.length <= EDGES_UP_TO) edges(context, scene, [...layout.x.keys()], palette.line, 0.5 / view.scale);
  nodes(context, scene);
  const around = marks.focused ?? [...marks.selected].at(-1) ?? null;
  if (around !== null) edges(context, scene, [around], palette.text, 1.25 / view.scale);
  rings(context, scene);
}

function edges(context: CanvasRenderingContext2D, { layout, above }: Scene, from: number[], colour: string, width: number): void {
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

/** All nodes of one appearance are one path, so that thousands of nodes take a few fills. */
function nodes(context: CanvasRenderingContext2D, { layout, flags, view: { scale }, marks, palette }: Scene): void {
  const shapes = layout.cell * scale >= SHAPES_FROM;
  const appearances: [colour: string, share: number, shape: Shape][] = [
    [palette.faint, 0.35, "square"],
    [palette.fair, 0.6, shapes ? "diamond" : "square"],
    [palette.partly, 0.7, shapes ? "triangle" : "square"],
    [palette.satisfies, 0.9, shapes ? "disc" : "square"],
  ];
  for (const dim of [true, false]) {
    context.globalAlpha = dim ? 0.25 : 1;
    appearances.forEach(([colour, share, shape], own) => {
      context.beginPath();
      for (let node = 0; node < layout.x.length; node++) {
        if (status(flags[node] ?? 0) !== own || Number.isNaN(layout.x[node]) || marks.dimmed(node) !== dim) continue;
        outline(context, shape, layout.x[node] ?? 0, layout.y[node] ?? 0, (layout.cell * share) / 2);
      }
      context.fillStyle = colour;
      context.fill();
    });
  }
  context.globalAlpha = 1;
  context.beginPath();
  for (let node = 0; node < layout.x.length; node++) {
    if ((flags[node] ?? 0) & MINIMAL && !Number.isNaN(layout.x[node]))
      outline(context, "square", layout.x[node] ?? 0, layout.y[node] ?? 0, layout.cell / 2);
  }
  context.strokeStyle = palette.text;
  context.lineWidth = Math.max(0.75, Math.min(1.5, layout.cell / 8)) / Math.sqrt(scale);
  context.stroke();
}

/** 3 satisfies every guard, 2 is only k-anonymous, 1 is only protective, 0 is neither. */
export function status(flags: number): 0 | 1 | 2 | 3 {
  return flags & SATISFIES_ALL ? 3 : flags & ANONYMOUS ? 2 : flags & PROTECTIVE ? 1 : 0;
}

/** Polygons of radius 1. */
const CORNERS: Record<"triangle" | "diamond" | "star", readonly (readonly [number, number])[]> = {
  triangle: [
    [0, -1],
    [1, 1],
    [-1, 1],
  ],
  diamond: [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ],
  star: star(1),
};

type Shape = "square" | "disc" | keyof typeof CORNERS;

/** The ten corners of a star. */
export function star(radius: number): (readonly [number, number])[] {
  return Array.from({ length: 10 }, (_, i) => {
    const [angle, far] = [(i * Math.PI) / 5 - Math.PI / 2, i % 2 ? radius * 0.45 : radius];
    return [far * Math.cos(angle), far * Math.sin(angle)] as const;
  });
}

function outline(context: CanvasRenderingContext2D, shape: Shape, x: number, y: number, r: number): void {
  if (shape === "square") {
    context.rect(x - r, y - r, 2 * r, 2 * r);
  } else if (shape === "disc") {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
  } else {
    CORNERS[shape].forEach(([dx, dy], i) => (i ? context.lineTo(x + dx * r, y + dy * r) : context.moveTo(x + dx * r, y + dy * r)));
    context.closePath();
  }
}

function rings(context: CanvasRenderingContext2D, { layout, view: { scale }, marks, palette }: Scene): void {
  const minRadius = 5 / scale;
  const at = (node: number): [number, number] => [layout.x[node] ?? 0, layout.y[node] ?? 0];
  context.fillStyle = palette.text;
  context.strokeStyle = palette.surface;
  context.lineWidth = 1.5 / scale;
  for (const node of marks.clipped) {
    context.beginPath();
    outline(context, "star", ...at(node), Math.max(minRadius * 1.2, layout.cell * 0.45));
    context.fill();
    context.stroke();
  }
  for (const node of marks.selected) {
    context.beginPath();
    outline(context, "disc", ...at(node), Math.max(minRadius, layout.cell * 0.4));
    context.fillStyle = palette.text;
    context.fill();
    context.stroke();
  }
  if (marks.focused !== null) {
    context.beginPath();
    outline(context, "disc", ...at(marks.focused), Math.max(minRadius * 1.6, layout.cell * 0.65));
    context.strokeStyle = palette.text;
    context.lineWidth = 2.5 / scale;
    context.stroke();
  }
}
