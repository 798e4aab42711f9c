import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useLatest } from "../api/useLatest";

export interface Point {
  x: number;
  y: number;
}

/** How much one press of a zoom key or button enlarges. */
export const ZOOM_STEP = 1.5;

interface Options {
  /** Enlarge by `factor` around a point, or around the current item where it is null; 0 shows everything. */
  onZoom: (factor: number, at: Point | null) => void;
  onClick: (at: Point, extend: boolean) => void;
  /** `isDone` when the pointer is released; a drag that the browser cancels ends with `to` null. */
  onDrag: (from: Point, to: Point | null, isDone: boolean) => void;
  onHover?: (at: Point | null) => void;
  /** Select the item at which the keyboard is. */
  onSelect: (extend: boolean) => void;
  /** What further keys do. */
  keys: Readonly<Record<string, () => void>>;
}

/** Pointer, wheel and keyboard on a chart that is a canvas: zoom, drag, pick, hover and a spoken status. */
export function useCanvas(box: RefObject<HTMLElement | null>, options: Options) {
  const latest = useLatest(options);
  const press = useRef<{ at: Point; moved: boolean } | null>(null);
  const [status, setStatus] = useState("");

  // React's wheel listeners are passive, and zooming must keep the page from scrolling.
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== element) return;
      event.preventDefault();
      latest.current.onZoom(Math.exp(-event.deltaY / 300), within(element!, event));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [box, latest]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { keys, onZoom, onSelect } = latest.current;
    const [zoomIn, select] = [() => onZoom(ZOOM_STEP, null), () => onSelect(event.shiftKey)];
    const zooms = { "+": zoomIn, "=": zoomIn, "-": () => onZoom(1 / ZOOM_STEP, null), "0": () => onZoom(0, null) };
    const action = { ...zooms, Enter: select, " ": select, ...keys }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const release = (to: Point | null, extend: boolean): void => {
    const start = press.current;
    press.current = null;
    if (start?.moved) latest.current.onDrag(start.at, to, true);
    else if (start && to) latest.current.onClick(to, extend);
  };
  const handlers = {
    tabIndex: 0,
    role: "application",
    onKeyDown,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      press.current = { at: within(event.currentTarget, event), moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const [start, to] = [press.current, within(event.currentTarget, event)];
      if (!start) return latest.current.onHover?.(to);
      start.moved ||= Math.hypot(to.x - start.at.x, to.y - start.at.y) > 4;
      if (start.moved) latest.current.onDrag(start.at, to, false);
    },
    onPointerUp: (event: PointerEvent) => release(within(event.currentTarget, event), event.shiftKey || event.ctrlKey || event.metaKey),
    onPointerCancel: () => release(null, false),
    onPointerLeave: () => latest.current.onHover?.(null),
  };
  return { handlers, status, setStatus };
}

function within(element: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** Give a canvas as many pixels as the screen has in its box. Returns null where it cannot be drawn on. */
export function sized(canvas: HTMLCanvasElement | null, width: number, height: number): CanvasRenderingContext2D | null {
  const context = canvas?.getContext("2d") ?? null;
  if (!canvas || !context || !width) return null;
  const ratio = devicePixelRatio || 1;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
