import { Component, type ReactNode } from "react";
import { Button, EmptyState } from "../components";

/** Keeps a page that fails from breaking the others. */
export class Failure extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <main className="page" id="main" tabIndex={-1}>
        <h1 className="unseen">Error</h1>
        <EmptyState
          icon="warning"
          title="This page could not be displayed"
          text="Your work is safe: the studio keeps it, not this page. Reload the page."
          action={<Button variant="primary" onPress={() => location.reload()} label="Reload" />}
        />
      </main>
    );
  }
}
