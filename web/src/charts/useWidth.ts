import { type RefObject, useEffect, useState } from "react";

/** The width of an element, kept up to date. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
