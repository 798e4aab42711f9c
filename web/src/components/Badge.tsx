import type { ReactNode } from "react";
import type { Tone } from "./Notice";

export function Badge({ tone = "info", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
