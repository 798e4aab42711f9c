import { EmptyState, type EmptyStateProps } from "./EmptyState";
import { Page } from "./Page";

/** A perspective that has nothing to show yet. */
export function EmptyPage({ page, lead, ...state }: EmptyStateProps & { page: string; lead: string }) {
  return (
    <Page title={page} lead={lead}>
      <EmptyState {...state} />
    </Page>
  );
}
