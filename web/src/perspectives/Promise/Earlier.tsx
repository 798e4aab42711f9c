import { useState } from "react";
import type { Spec } from "../../api/types";
import { Button, FormDialog, IconButton, Section, Select, TextField } from "../../components";
import { useStudio } from "../../studio";

const SAME_ROWS = "(same rows)";

/** Releases of the same people that are already published: k then holds on all of them together. */
export function EarlierReleases() {
  const { session, change } = useStudio();
  const earlier = session.document.earlier as { release: string; source?: string; key?: string }[];
  const [isOpen, setOpen] = useState(false);
  const set = (next: Spec[]): Promise<boolean> => change("PUT /api/sessions/{session}/earlier", { body: { earlier: next } });
  return (
    <Section
      title="Earlier releases"
      hint="Were the same people published before? Then k also holds for somebody who compares the releases."
      aside={<Button size="s" icon="plus" onPress={() => setOpen(true)} label="Add an earlier release" />}>
      {earlier.length > 0 && (
        <ul className="stack-s">
          {earlier.map((one, i) => (
            <li key={i} className="row spread">
              <div className="grow">
                <p>
                  <bdi className="wrap">{one.release}</bdi>
                </p>
                <p className="quiet small wrap">
                  {one.source ? `Made of ${one.source}` : "Its recipe is applied to the data as it is now"}
                  {one.key ? `, people matched by ${one.key}` : ""}
                </p>
              </div>
              <IconButton icon="trash" label={`Remove ${one.release}`} onPress={() => void set(earlier.toSpliced(i, 1))} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <AddEarlier
          onClose={() => setOpen(false)}
          onAdd={async (one) => {
            if (await set([...earlier, one])) setOpen(false);
          }}
        />
      )}
    </Section>
  );
}

function AddEarlier({ onAdd, onClose }: { onAdd: (one: Spec) => Promise<void>; onClose: () => void }) {
  const { session } = useStudio();
  const [release, setRelease] = useState("");
  const [source, setSource] = useState("");
  const [key, setKey] = useState(SAME_ROWS);
  return (
    <FormDialog
      title="Add an earlier release"
      action="Add"
      isOpen
      isDisabled={!release.trim()}
      onClose={onClose}
      onSubmit={() =>
        void onAdd({ release: release.trim(), ...(source.trim() ? { source: source.trim() } : {}), ...(key === SAME_ROWS ? {} : { key }) })
      }>
      <TextField
        label="Folder of the release"
        placeholder="/home/me/release-2025"
        hint="A full path on this machine."
        value={release}
        onChange={setRelease}
      />
      <TextField
        label="File that it was made of"
        placeholder="/home/me/people-2025.csv"
        hint="Without it, the earlier recipe is applied to the data as it is now."
        value={source}
        onChange={setSource}
      />
      <Select
        label="Column that says who a row is about"
        options={[{ id: SAME_ROWS, label: "The person, or the same rows" }, ...session.columns.map((name) => ({ id: name, label: name }))]}
        value={key}
        onChange={setKey}
      />
    </FormDialog>
  );
}
