import type { ReactNode } from "react";

/** A perspective: its heading, one sentence, and the next thing to do at the right. */
export function Page({ title, lead, action, children }: { title: string; lead: string; action?: ReactNode; children: ReactNode }) {
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="page-head">
        <div className="grow">
          <h1>{title}</h1>
          <p className="quiet">{lead}</p>
        </div>
        {action && <div className="page-action">{action}</div>}
      </header>
      {children}
    </main>
  );
}
