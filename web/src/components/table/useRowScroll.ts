import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { geometry, rowsInView } from "./geometry";

interface RowScroll {
  height: number;
  first: number;
  last: number;
  /** The position of a row in the scrolled element. */
  topOf: (row: number) => number;
  offset: number;
  viewport: number;
  scrollTo: (offset: number) => void;
}

/** The visible rows of a table of any length. `head` is the height of the fixed header. */
export function useRowScroll(box: RefObject<HTMLElement | null>, rows: number, rowHeight: number, head: number): RowScroll {
  const [viewport, setViewport] = useState(320);
  const [offset, setOffset] = useState(0);
  const exact = useRef(0);
  const shape = geometry(rows, rowHeight, viewport);

  const scrollTo = useCallback(
    (to: number) => {
      exact.current = Math.max(0, Math.min(shape.maxOffset, to));
      setOffset(exact.current);
      if (box.current) box.current.scrollTop = exact.current / shape.scale;
    },
    [box, shape.maxOffset, shape.scale],
  );

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => setViewport(Math.max(rowHeight, element.clientHeight - head));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [box, head, rowHeight]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onScroll = (): void => {
      // the browser rounds what scrollTo has set: keep the exact offset
      if (Math.abs(element.scrollTop - exact.current / shape.scale) < 1.5) return;
      exact.current = Math.min(shape.maxOffset, element.scrollTop * shape.scale);
      setOffset(exact.current);
    };
    const onWheel = (event: WheelEvent): void => {
      if (shape.scale === 1 || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault(); // one notch of the wheel would skip thousands of rows
      scrollTo(exact.current + event.deltaY * (event.deltaMode === 1 ? rowHeight : 1));
    };
    element.addEventListener("scroll", onScroll);
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("wheel", onWheel);
    };
  }, [box, rowHeight, scrollTo, shape.maxOffset, shape.scale]);

  const shown = Math.min(offset, shape.maxOffset);
  const [first, last] = rowsInView(shown, rowHeight, viewport, rows);
  const topOf = (row: number): number => shown / shape.scale + row * rowHeight - shown;
  return { height: shape.height, first, last, topOf, offset: shown, viewport, scrollTo };
}
