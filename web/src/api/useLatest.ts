import { type RefObject, useLayoutEffect, useRef } from "react";

/** A ref to the value of the last render, for callbacks that outlive the render that created them. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}
