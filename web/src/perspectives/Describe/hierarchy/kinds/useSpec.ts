import { useEffect } from "react";
import type { Spec } from "../../../../api/types";

/** Report the hierarchy that a form describes whenever it changes; null while its settings are invalid. */
export function useSpec(onSpec: (spec: Spec | null) => void, spec: Spec | null): void {
  const text = JSON.stringify(spec);
  useEffect(() => onSpec(JSON.parse(text) as Spec | null), [onSpec, text]);
}
