import { useEffect, useState } from "react";
import type { Spec } from "../../api/types";
import { Button, EmptyState, LinkButton, Page, Problems } from "../../components";
import { href } from "../../router";
import { useStudio } from "../../studio";
import { AddGuard } from "./AddGuard";
import { EarlierReleases } from "./Earlier";
import { GuardCard } from "./GuardCard";

/** What the release must guarantee, checked on the source while a slider moves. */
export default function PromisePerspective() {
  const { session, catalog, change } = useStudio();
  const saved = JSON.stringify(session.document.guards);
  const [draft, setDraft] = useState<Spec[]>(session.document.guards);
  useEffect(() => setDraft(JSON.parse(saved) as Spec[]), [saved]);

  const set = (guards: Spec[], settled: boolean): void => {
    setDraft(guards);
    if (settled && JSON.stringify(guards) !== saved) void change("PUT /api/sessions/{session}/guards", { body: { guards } });
  };

  return (
    <Page
      title="Promise"
      lead="What the release must guarantee. Move a slider to see how many records of the source violate it."
      action={draft.length > 0 && <LinkButton variant="primary" href={href(session.id, "search")} label="Search for releases" />}>
      {draft.length > 0 && <Problems where={["guards"]} />}
      {draft.length === 0 && (
        <EmptyState
          icon="shield"
          title="No promise yet"
          text="The suggested promises follow from the roles: every record is indistinguishable from at least k − 1 others, and no sensitive value can be read off because all who look alike share it."
          action={
            <div className="row-s">
              <Button
                variant="primary"
                icon="check"
                onPress={() => void change("POST /api/sessions/{session}/suggestions/promises", {})}
                label="Use the suggested promises"
              />
              <Button icon="plus" onPress={() => set([{ kind: "k-anonymity", k: 5 }], true)} label="Start with k-anonymity" />
            </div>
          }
        />
      )}
      {draft.map((spec, i) => {
        const part = catalog.guards.find(({ kind }) => kind === spec.kind);
        if (!part) return null;
        return (
          <GuardCard
            key={`${i} ${String(spec.kind)}`}
            part={part}
            spec={spec}
            onChange={(next, settled) => set(draft.with(i, next), settled)}
            onRemove={() => set(draft.toSpliced(i, 1), true)}
          />
        );
      })}
      <AddGuard guards={catalog.guards} onAdd={(spec) => set([...draft, spec], true)} />
      {draft.length > 0 && <EarlierReleases />}
    </Page>
  );
}
