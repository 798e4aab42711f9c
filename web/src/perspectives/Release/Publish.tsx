import { useState } from "react";
import type { ReleaseAnswer } from "../../api/types";
import { Button, Checkbox, Messages, More, Progress, Section, Segments, TextField, optionsOf } from "../../components";
import { type Job, useStudio } from "../../studio";
import { Dangers } from "./Dangers";
import { ReportHeader } from "./ReportHeader";

export interface Target {
  path?: string;
  accept: string[];
  overwrite: boolean;
  sign?: string;
}

interface Props {
  /** The last attempt to publish this candidate. */
  answer: ReleaseAnswer | null;
  job: Job<ReleaseAnswer>;
  onPublish: (target: Target) => void;
}

/** Where and in which format the files are written. Dangers must be accepted first. */
export function Publish({ answer, job, onPublish }: Props) {
  const { session, change } = useStudio();
  const { format, order, accept } = session.document;
  const [where, setWhere] = useState("zip");
  const [path, setPath] = useState("");
  const [overwrite, setOverwrite] = useState(false);
  const [key, setKey] = useState("");
  const settings = (body: { format?: "csv" | "parquet"; order?: "sorted" | "keep"; accept?: string[] }): void =>
    void change("PUT /api/sessions/{session}/settings", { body });
  const folder = where === "folder";
  return (
    <Section title="Publish">
      <Segments label="Destination" value={where} onChange={setWhere} options={optionsOf({ zip: "Download a zip", folder: "A folder" })} />
      {folder && (
        <>
          <TextField
            label="Folder on this machine"
            placeholder="/home/me/release"
            value={path}
            onChange={setPath}
            hint="A full path. The folder is written completely or not at all."
          />
          <Checkbox isSelected={overwrite} onChange={setOverwrite}>
            Overwrite an existing folder
          </Checkbox>
        </>
      )}
      <Segments
        label="Format"
        value={format}
        onChange={(id) => settings({ format: id === "parquet" ? "parquet" : "csv" })}
        options={optionsOf({ csv: "CSV", parquet: "Parquet" })}
      />
      <Checkbox
        isSelected={order === "sorted"}
        onChange={(sorted) => settings({ order: sorted ? "sorted" : "keep" })}
        hint="The order of the source can disclose who is who.">
        Sort the rows
      </Checkbox>
      <ReportHeader />
      <More label="Sign the release">
        <TextField
          label="Private key on this machine"
          placeholder="/home/me/.ssh/id_ed25519"
          value={key}
          onChange={setKey}
          hint="The full path of an SSH key. Anyone with its public key can verify that the release is yours."
        />
      </More>
      <Dangers
        candidate={answer?.candidate ?? ""}
        dangers={answer?.dangers ?? []}
        accepted={accept}
        onChange={(names) => settings({ accept: names })}
      />
      {!job.running && <Messages tone="bad" texts={[answer?.refused, job.error]} />}
      {job.running ? (
        <>
          <Progress label={job.view?.doing || "Publishing"} share={job.view?.share ?? null} />
          <Button icon="stop" onPress={job.cancel} label="Cancel" />
        </>
      ) : (
        <Button
          variant={answer?.id ? "secondary" : "primary"}
          icon="shield"
          isDisabled={folder && !path.trim()}
          onPress={() =>
            onPublish({ ...(folder ? { path: path.trim() } : {}), accept, overwrite, ...(key.trim() ? { sign: key.trim() } : {}) })
          }
          label="Publish and verify"
        />
      )}
    </Section>
  );
}
