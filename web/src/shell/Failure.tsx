import { Component, type ReactNode } from "react";
import { Button } from "../components/Button";
import { EmptyState } from "../components/EmptyState";

/** A page that breaks must not take the others with it. */
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
          title="This page could not be drawn"
          text="Your work is safe: it is kept by the studio, not by this page. Load the page again."
          action={
            <Button variant="primary" onPress={() => location.reload()}>
              Load again
            </Button>
          }
        />
      </main>
    );
  }
}
