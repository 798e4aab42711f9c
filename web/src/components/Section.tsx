import type { ReactNode } from "react";

/** A card with a heading; `aside` is at the right of it. */
export function Section({ title, hint, aside, children }: { title: string; hint?: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        <div className="grow">
          <h2>{title}</h2>
          {hint && <p className="quiet small">{hint}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
