import { useEffect, useState } from "react";
import type { Spec } from "../../api/types";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { LinkButton } from "../../components/LinkButton";
import { Page } from "../../components/Page";
import { Problems } from "../../components/Problems";
import { href } from "../../router";
import { useStudio } from "../../studio/context";
import { AddGuard } from "./AddGuard";
import { GuardCard } from "./GuardCard";

/** What the release shall keep, and whether that can be had: judged while a slider moves. */
export default function PromisePerspective() {
  const { session, catalog, change } = useStudio();
  const kept = JSON.stringify(session.document.guards);
  const [draft, setDraft] = useState<Spec[]>(session.document.guards);
  useEffect(() => setDraft(session.document.guards), [kept]);

  const set = (guards: Spec[], settled: boolean): void => {
    setDraft(guards);
    if (settled && JSON.stringify(guards) !== kept)
      void change("PUT /api/sessions/{session}/guards", { body: { guards } });
  };

  return (
    <Page
      title="Promise"
      lead="What the release shall keep. Move a slider and see at once who stands in its way."
      action={
        draft.length > 0 && (
          <LinkButton variant="primary" href={href(session.id, "search")}>
            Search for releases
          </LinkButton>
        )
      }
    >
      {draft.length > 0 && <Problems where={["guards"]} />}
      {draft.length === 0 && (
        <EmptyState
          icon="shield"
          title="No promise yet"
          text="Begin with k-anonymity: everyone looks like at least k − 1 others. Then add what protects secrets, and what protects groups from being discriminated against."
          action={
            <Button variant="primary" icon="plus" onPress={() => set([{ kind: "k-anonymity", k: 5 }], true)}>
              Begin with k-anonymity
            </Button>
          }
        />
      )}
      {draft.map((spec, i) => {
        const part = catalog.guards.find((each) => each.kind === spec.kind);
        if (!part) return null;
        return (
          <GuardCard
            key={`${i} ${String(spec.kind)}`}
            part={part}
            spec={spec}
            onChange={(next, settled) => set(draft.map((each, at) => (at === i ? next : each)), settled)}
            onRemove={() => set(draft.filter((_, at) => at !== i), true)}
          />
        );
      })}
      <AddGuard guards={catalog.guards} onAdd={(spec) => set([...draft, spec], true)} />
    </Page>
  );
}
