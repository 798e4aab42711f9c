import { useState } from "react";
import type { ColumnFacts } from "../../../api/types";
import { Button, EmptyState, LinkButton, Messages, Pending, Section } from "../../../components";
import { sourceKey, useAnswer, useStudio } from "../../../studio";
import { Builder } from "./Builder";
import { ImportDialog } from "./ImportDialog";
import { TreeEditor } from "./TreeEditor";

/** How the values of a column are generalized, level by level. */
export function HierarchyPanel({ facts }: { facts: ColumnFacts }) {
  const { session, change, link } = useStudio();
  const [dialog, setDialog] = useState<"build" | "import" | null>(null);
  const column = facts.name;
  const spec = JSON.stringify(session.document.hierarchies[column] ?? null);
  const view = useAnswer("GET /api/sessions/{session}/hierarchy", { query: { column } }, sourceKey(session) + spec);
  const isSet = spec !== "null";
  return (
    <Section
      title="Hierarchy"
      hint="Each level is coarser than the one below; the top level has a single value."
      aside={
        <div className="row-s">
          <Button
            size="s"
            icon="wand"
            variant={isSet ? "secondary" : "primary"}
            onPress={() => setDialog("build")}
            label={isSet ? "Build another" : "Build"}
          />
          <Button size="s" icon="upload" onPress={() => setDialog("import")} label="Import" />
          {isSet && (
            <>
              <LinkButton
                size="s"
                icon="download"
                download={`${column}.csv`}
                href={link("GET /api/sessions/{session}/hierarchy/csv", { query: { column } })}
                label="Export"
              />
              <Button
                size="s"
                icon="trash"
                onPress={() => void change("PUT /api/sessions/{session}/hierarchy", { query: { column }, body: { spec: null } })}
                label="Remove"
              />
            </>
          )}
        </div>
      }>
      <Pending of={view} label="Loading the hierarchy" />
      <Messages texts={view.data?.notes.map((note) => `${note}.`) ?? []} />
      {view.data && !isSet && (
        <EmptyState
          icon="wand"
          title="No hierarchy yet"
          text="Without one the column is published as it is or not at all. Build one from intervals, dates, masks or groups, or accept the suggestion."
        />
      )}
      {view.data && isSet && <TreeEditor key={`${view.data.kind} ${view.data.height}`} column={column} view={view.data} />}
      {dialog === "build" && <Builder facts={facts} onClose={() => setDialog(null)} />}
      {dialog === "import" && <ImportDialog column={column} onClose={() => setDialog(null)} />}
    </Section>
  );
}
