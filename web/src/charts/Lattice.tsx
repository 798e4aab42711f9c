// The lattice of generalizations on a canvas of its own: ten thousand nodes and more, picked, zoomed and walked by keyboard.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { MINIMAL, draw, status } from "./latticeDrawing";
import type { View } from "./latticeDrawing";
import { layOut, levelOf, neighbour, pick } from "./latticeLayout";
import type { LatticeShape } from "./latticeLayout";
import { LatticeTools } from "./LatticeTools";
import { usePalette } from "./palette";
import { useBox } from "./useBox";

interface Props {
  shape: LatticeShape;
  /** What each node keeps, as bits (latticeDrawing). */
  flags: ArrayLike<number>;
  selected: ReadonlySet<number>;
  /** Nodes on the clipboard. */
  kept: ReadonlySet<number>;
  /** Nodes that the filters leave out. */
  dimmed: (node: number) => boolean;
  onPick: (node: number, extend: boolean) => void;
  height?: number;
}

/** From here on, nodes that keep nothing are left out at first: they are most, and nobody looks for them. */
const LARGE = 2000;
const WHOLE: View = { scale: 1, x: 0, y: 0 };
const WORDS = ["neither k-anonymous nor protective", "protective only", "k-anonymous only", "keeps every guard"] as const;

export function Lattice({ shape, flags, selected, kept, dimmed, onPick, height = 360 }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { box, width } = useBox();
  const palette = usePalette();
  const [view, setView] = useState(WHOLE);
  const [focused, setFocused] = useState<number | null>(null);
  const [column, setColumn] = useState(0);
  const [said, setSaid] = useState("");
  const rank = useMemo(() => Uint8Array.from({ length: flags.length }, (_, node) => status(flags[node] ?? 0)), [flags]);
  const [whole, setWhole] = useState(() => shape.size <= LARGE || !rank.some(Boolean));
  const layout = useMemo(
    () => (width ? layOut(shape, rank, whole ? 0 : 1, width, height) : null),
    [shape, rank, whole, width, height],
  );
  const above = useCallback(
    (node: number) => shape.strides.map((_, i) => neighbour(shape, node, i, 1)).filter((other) => other !== null),
    [shape],
  );

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || !layout) return;
    const ratio = devicePixelRatio || 1;
    if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
    }
    draw(element, layout, flags, view, { selected, kept, focused, dimmed }, palette, above);
  }, [layout, flags, view, selected, kept, focused, dimmed, palette, above, width, height]);

  const zoom = useCallback((factor: number, x: number, y: number) => {
    setView((old) => {
      const scale = Math.min(40, Math.max(1, old.scale * factor));
      const by = scale / old.scale;
      return scale === 1 ? WHOLE : { scale, x: x - (x - old.x) * by, y: y - (y - old.y) * by };
    });
  }, []);
  useWheel(canvas, zoom);
  const drag = useDrag(view, setView, (x, y, extend) => {
    const node = layout && pick(layout, (x - view.x) / view.scale, (y - view.y) / view.scale);
    if (node === null) return;
    setFocused(node);
    onPick(node, extend);
  });

  const inWords = (node: number): string => {
    const where = shape.columns.map((name, i) => `${name} ${levelOf(shape, node, i)} of ${shape.heights[i]}`).join(", ");
    return `${where}: ${WORDS[status(flags[node] ?? 0)]}${(flags[node] ?? 0) & MINIMAL ? ", minimal" : ""}.`;
  };
  const tell = (node: number, at: number): void => setSaid(`${inWords(node)} Up and down change ${shape.columns[at]}.`);
  const move = (node: number | null, at: number): void => {
    if (node === null) return setSaid(`${shape.columns[at]} has no further level.`);
    setFocused(node);
    tell(node, at);
    if (layout) setView((old) => inView(old, layout.x[node] ?? 0, layout.y[node] ?? 0, width, height));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const here = focused ?? [...selected].at(-1) ?? shape.size - 1;
    const turn = (by: number): void => {
      const next = (column + by + shape.strides.length) % shape.strides.length;
      setColumn(next);
      setFocused(here);
      tell(here, next);
    };
    const actions: Record<string, () => void> = {
      ArrowUp: () => move(neighbour(shape, here, column, 1), column),
      ArrowDown: () => move(neighbour(shape, here, column, -1), column),
      ArrowRight: () => turn(1),
      ArrowLeft: () => turn(-1),
      Home: () => move(shape.size - 1, column),
      End: () => move(0, column),
      m: () => move(nextMinimal(flags, here), column),
      Enter: () => onPick(here, event.shiftKey),
      " ": () => onPick(here, event.shiftKey),
      "+": () => zoom(1.5, width / 2, height / 2),
      "-": () => zoom(1 / 1.5, width / 2, height / 2),
      "0": () => setView(WHOLE),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  return (
    <div className="lattice">
      <div
        ref={box}
        className="lattice-box"
        style={{ height }}
        tabIndex={0}
        role="application"
        aria-label={`Lattice of ${shape.size.toLocaleString("en")} generalizations`}
        aria-description="Left and right choose a column, up and down change its level, m goes to the next minimal one, Enter selects."
        onKeyDown={onKeyDown}
        onBlur={() => setFocused(null)}
      >
        <canvas ref={canvas} aria-hidden="true" style={{ width: "100%", height }} {...drag} />
      </div>
      <LatticeTools
        onZoom={(way) => (way === "whole" ? setView(WHOLE) : zoom(way === "in" ? 1.5 : 1 / 1.5, width / 2, height / 2))}
        whole={whole}
        onShowAll={(all) => {
          setWhole(all);
          setView(WHOLE);
        }}
      />
      <p className="unseen" role="status">{said}</p>
      {selected.size > 0 && (
        <ul className="unseen" aria-label="Selected in the lattice">
          {[...selected].slice(-3).map((node) => <li key={node}>{inWords(node)}</li>)}
        </ul>
      )}
    </div>
  );
}

function nextMinimal(flags: ArrayLike<number>, here: number): number | null {
  for (let step = 1; step <= flags.length; step++) {
    const node = (here + step) % flags.length;
    if ((flags[node] ?? 0) & MINIMAL) return node;
  }
  return null;
}

/** Moves what is shown just enough that a node can be seen. */
function inView(view: View, x: number, y: number, width: number, height: number): View {
  const margin = 24;
  const into = (offset: number, at: number, length: number): number => {
    const shown = at * view.scale + offset;
    return shown < margin ? offset + margin - shown : shown > length - margin ? offset + length - margin - shown : offset;
  };
  return view.scale === 1 ? view : { ...view, x: into(view.x, x, width), y: into(view.y, y, height) };
}

/** React listens to wheels passively; zooming has to keep the page from scrolling. */
function useWheel(canvas: React.RefObject<HTMLCanvasElement | null>, zoom: (by: number, x: number, y: number) => void): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== element.parentElement) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [canvas, zoom]);
}

/** A press that moves pans; one that does not picks. */
function useDrag(view: View, setView: (view: View) => void, onClick: (x: number, y: number, extend: boolean) => void) {
  const from = useRef<{ x: number; y: number; view: View; moved: boolean } | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      from.current = { x: event.clientX, y: event.clientY, view, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      const start = from.current;
      if (!start) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      start.moved ||= Math.hypot(dx, dy) > 4;
      if (start.moved && view.scale > 1) setView({ ...start.view, x: start.view.x + dx, y: start.view.y + dy });
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>) => {
      const start = from.current;
      from.current = null;
      if (!start || start.moved) return;
      const edge = event.currentTarget.getBoundingClientRect();
      onClick(event.clientX - edge.left, event.clientY - edge.top, event.shiftKey || event.ctrlKey || event.metaKey);
    },
  };
}
