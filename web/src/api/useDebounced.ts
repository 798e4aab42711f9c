import { useEffect, useState } from "react";

/** `value`, once it has stood still for `wait` milliseconds. */
export function useDebounced<T>(value: T, wait = 150): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), wait);
    return () => window.clearTimeout(timer);
  }, [value, wait]);
  return settled;
}
