import { useEffect } from "react";
import type { FormProps } from "../Builder";

/** As it is, or not at all. */
export function Suppress({ onSpec }: FormProps) {
  useEffect(() => {
    onSpec({ kind: "suppress" });
  }, []);
  return <p className="quiet">Two levels: every value as it is, or none of them.</p>;
}
