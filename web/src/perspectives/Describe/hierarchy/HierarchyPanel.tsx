import { useState } from "react";
import type { ColumnFacts } from "../../../api/types";
import { Button } from "../../../components/Button";
import { EmptyState } from "../../../components/EmptyState";
import { LinkButton } from "../../../components/LinkButton";
import { Loading } from "../../../components/Loading";
import { Notice } from "../../../components/Notice";
import { Section } from "../../../components/Section";
import { useStudio } from "../../../studio/context";
import { stated } from "../../../words";
import { Builder } from "./Builder";
import { ImportDialog } from "./ImportDialog";
import { TreeEditor } from "./TreeEditor";
import { useHierarchy } from "./useHierarchy";

/** How the values of a column may be made coarser, level by level. */
export function HierarchyPanel({ facts }: { facts: ColumnFacts }) {
  const { session, change, link } = useStudio();
  const view = useHierarchy(facts.name);
  const [dialog, setDialog] = useState<"build" | "import" | null>(null);
  const column = facts.name;
  const set = session.document.hierarchies[column] !== undefined;
  return (
    <Section
      title="Hierarchy"
      hint="Each level is coarser than the one below; at the top all values are one."
      aside={
        <div className="row-s">
          <Button size="s" icon="wand" variant={set ? "secondary" : "primary"} onPress={() => setDialog("build")}>
            {set ? "Build another" : "Build"}
          </Button>
          <Button size="s" icon="upload" onPress={() => setDialog("import")}>
            Import
          </Button>
          {set && (
            <>
              <LinkButton size="s" icon="download" download={`${column}.csv`} href={link("GET /api/sessions/{session}/hierarchy/csv", { query: { column } })}>
                Export
              </LinkButton>
              <Button size="s" icon="trash" onPress={() => void change("PUT /api/sessions/{session}/hierarchy", { query: { column }, body: { spec: null } })}>
                Remove
              </Button>
            </>
          )}
        </div>
      }
    >
      {view.error && <Notice tone="bad">{view.error}</Notice>}
      {!view.data && !view.error && <Loading label="Counting" />}
      {view.data?.notes.map((note) => (
        <p key={note} className="quiet small">
          {`${stated(note)}.`}
        </p>
      ))}
      {view.data && !set && (
        <EmptyState
          icon="wand"
          title="No hierarchy yet"
          text="Without one the column is published as it is or not at all. Build one from intervals, dates, masks or groups, or take the one that is suggested."
        />
      )}
      {view.data && set && <TreeEditor key={`${view.data.kind} ${view.data.height}`} column={column} view={view.data} />}
      <Builder facts={facts} isOpen={dialog === "build"} onClose={() => setDialog(null)} />
      <ImportDialog column={column} isOpen={dialog === "import"} onClose={() => setDialog(null)} />
    </Section>
  );
}
