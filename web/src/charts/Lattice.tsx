// The lattice of generalizations on a canvas: tens of thousands of nodes that can be picked, zoomed and walked by keyboard.
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Checkbox } from "../components";
import { count, plural } from "../words";
import { draw, MINIMAL, status, type View } from "./latticeDrawing";
import { type LatticeShape, layOut, levelOf, neighbour, nodeAt } from "./latticeLayout";
import { usePalette } from "./palette";
import { type Point, useCanvas } from "./useCanvas";
import { useWidth } from "./useWidth";
import { ZoomTools } from "./ZoomTools";

interface Props {
  shape: LatticeShape;
  /** What each node satisfies, as bits (latticeDrawing). */
  flags: ArrayLike<number>;
  selected: ReadonlySet<number>;
  /** Nodes on the clipboard. */
  clipped: ReadonlySet<number>;
  /** Whether the filters exclude a node. */
  dimmed: (node: number) => boolean;
  onPick: (node: number, extend: boolean) => void;
  height?: number;
}

/** From this size on, nodes that satisfy nothing are hidden at first: they are the majority and the least interesting. */
const LARGE = 2000;
const EVERYTHING: View = { scale: 1, x: 0, y: 0 };
const STATUS = ["neither k-anonymous nor protective", "protective only", "k-anonymous only", "keeps every promise"] as const;
const LEGEND = [
  ["keeps", "keeps every promise"],
  ["anonymous", "k-anonymous only"],
  ["protective", "protective only"],
  ["neither", "neither"],
  ["minimal", "minimal: nothing less general keeps them"],
  ["selected", "selected"],
] as const;

export function Lattice({ shape, flags, selected, clipped, dimmed, onPick, height = 360 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette();
  const [view, setView] = useState(EVERYTHING);
  const panFrom = useRef<View | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [hovered, setHovered] = useState<{ at: Point; node: number } | null>(null);
  const [column, setColumn] = useState(0);
  const rank = useMemo(() => Uint8Array.from({ length: flags.length }, (_, node) => status(flags[node] ?? 0)), [flags]);
  const [showAll, setShowAll] = useState(() => shape.size <= LARGE || !rank.some(Boolean));

  const counts = useMemo(() => {
    const byRank = [0, 0, 0, 0];
    for (const own of rank) byRank[own] = (byRank[own] ?? 0) + 1;
    return { keeps: byRank[3] ?? 0, anonymous: byRank[2] ?? 0, protective: byRank[1] ?? 0, neither: byRank[0] ?? 0 };
  }, [rank]);

  const width = useWidth(box);
  const layout = useMemo(() => (width ? layOut(shape, rank, showAll ? 0 : 1, width, height) : null), [shape, rank, showAll, width, height]);

  const describe = (node: number): string => {
    const levels = shape.columns.map((name, i) => `${name} ${levelOf(shape, node, i)} of ${shape.heights[i]}`).join(", ");
    return `${levels}: ${STATUS[status(flags[node] ?? 0)]}${(flags[node] ?? 0) & MINIMAL ? ", minimal" : ""}.`;
  };
  const announce = (node: number, at: number): void => setStatus(`${describe(node)} Up and down change ${shape.columns[at]}.`);
  const current = focused ?? [...selected].at(-1) ?? shape.size - 1;
  const move = (node: number | null): void => {
    if (node === null) return setStatus(`${shape.columns[column]} has no further level.`);
    setFocused(node);
    announce(node, column);
    if (layout) setView((old) => inView(old, layout.x[node] ?? 0, layout.y[node] ?? 0, width, height));
  };
  const turn = (by: number): void => {
    const next = (column + by + shape.strides.length) % shape.strides.length;
    setColumn(next);
    setFocused(current);
    announce(current, next);
  };
  const nodeOn = ({ x, y }: Point): number | null => layout && nodeAt(layout, (x - view.x) / view.scale, (y - view.y) / view.scale);
  const onZoom = (factor: number, at: Point | null): void =>
    setView((old) => {
      const scale = Math.min(40, Math.max(1, old.scale * factor));
      const [by, { x, y }] = [scale / old.scale, at ?? { x: width / 2, y: height / 2 }];
      return scale === 1 ? EVERYTHING : { scale, x: x - (x - old.x) * by, y: y - (y - old.y) * by };
    });
  const {
    handlers,
    status: spoken,
    setStatus,
  } = useCanvas(box, {
    onZoom,
    onClick: (at, extend) => {
      const node = nodeOn(at);
      if (node === null) return;
      setFocused(node);
      onPick(node, extend);
    },
    onDrag: (from, to, isDone) => {
      const start = (panFrom.current ??= view);
      if (to && view.scale > 1) setView({ scale: view.scale, x: start.x + to.x - from.x, y: start.y + to.y - from.y });
      if (isDone) panFrom.current = null;
    },
    onHover: (at) => {
      const node = at && nodeOn(at);
      setHovered(at && node !== null ? { at, node } : null);
    },
    onSelect: (extend) => onPick(current, extend),
    keys: {
      ArrowUp: () => move(neighbour(shape, current, column, 1)),
      ArrowDown: () => move(neighbour(shape, current, column, -1)),
      ArrowRight: () => turn(1),
      ArrowLeft: () => turn(-1),
      Home: () => move(shape.size - 1),
      End: () => move(0),
      m: () => move(nextMinimal(flags, current)),
    },
  });
  const above = useCallback(
    (node: number) => shape.strides.map((_, i) => neighbour(shape, node, i, 1)).filter((other) => other !== null),
    [shape],
  );
  useLayoutEffect(() => {
    if (layout) draw(canvas.current, width, height, { layout, flags, view, marks: { selected, clipped, focused, dimmed }, palette, above });
  }, [layout, flags, view, selected, clipped, focused, dimmed, palette, above, width, height]);

  return (
    <div className="lattice">
      <p className="small">
        {`${count(counts.keeps)} of ${plural(shape.size, "generalization")} of ${shape.columns.join(", ")} ${counts.keeps === 1 ? "keeps" : "keep"} every promise. Point at one to read it.`}
      </p>
      <div
        {...handlers}
        ref={box}
        className="lattice-box"
        style={{ height }}
        aria-label={`Lattice of ${shape.size.toLocaleString("en")} generalizations`}
        aria-description="Left and right choose a column, up and down change its level, m goes to the next minimal node, Enter selects."
        onBlur={() => setFocused(null)}>
        <canvas ref={canvas} aria-hidden="true" style={{ width: "100%", height }} />
        <span className="lattice-end lattice-top" aria-hidden="true">
          ↑ more general: safer, less detail
        </span>
        <span className="lattice-end lattice-bottom" aria-hidden="true">
          ↓ as in the source: most detail
        </span>
        {hovered && (
          <div className="tooltip lattice-tip" style={{ top: hovered.at.y + 12 }} aria-hidden="true">
            {describe(hovered.node)}
          </div>
        )}
      </div>
      <div className="lattice-tools">
        <ul className="legend" aria-label="Legend of the lattice">
          {LEGEND.map(([mark, text]) => (
            <li key={mark}>
              <i className={`node-mark node-${mark}`} aria-hidden="true" />
              {mark in counts ? `${text} (${count(counts[mark as keyof typeof counts])})` : text}
            </li>
          ))}
        </ul>
        <Checkbox
          isSelected={showAll}
          onChange={(all) => {
            setShowAll(all);
            setView(EVERYTHING);
          }}>
          Show nodes that are neither
        </Checkbox>
        <ZoomTools label="Zoom of the lattice" onZoom={onZoom} />
      </div>
      <p className="unseen" role="status">
        {spoken}
      </p>
      {selected.size > 0 && (
        <ul className="unseen" aria-label="Selected in the lattice">
          {[...selected].slice(-3).map((node) => (
            <li key={node}>{describe(node)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function nextMinimal(flags: ArrayLike<number>, from: number): number | null {
  for (let step = 1; step <= flags.length; step++) {
    const node = (from + step) % flags.length;
    if ((flags[node] ?? 0) & MINIMAL) return node;
  }
  return null;
}

/** Pan just far enough that a node is in view. */
function inView(view: View, x: number, y: number, width: number, height: number): View {
  const margin = 24;
  const into = (offset: number, at: number, length: number): number => {
    const shown = at * view.scale + offset;
    return shown < margin ? offset + margin - shown : shown > length - margin ? offset + length - margin - shown : offset;
  };
  return view.scale === 1 ? view : { ...view, x: into(view.x, x, width), y: into(view.y, y, height) };
}
