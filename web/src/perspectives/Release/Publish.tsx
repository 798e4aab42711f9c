import { useState } from "react";
import type { Danger, JobView, ReleaseAnswer } from "../../api/types";
import { Button } from "../../components/Button";
import { Checkbox } from "../../components/Checkbox";
import { More } from "../../components/More";
import { Notice } from "../../components/Notice";
import { Progress } from "../../components/Progress";
import { Section } from "../../components/Section";
import { Segments } from "../../components/Segments";
import { TextField } from "../../components/TextField";
import { useStudio } from "../../studio/context";
import { stated } from "../../words";
import { Head } from "./Head";

export interface Wanted {
  path?: string;
  accept: string[];
  overwrite: boolean;
  sign?: string;
}

interface Props {
  answer: ReleaseAnswer | null;
  running: boolean;
  job: JobView | null;
  onPublish: (wanted: Wanted) => void;
  onCancel: () => void;
}

/** Where the files go and in which form; dangers are published only knowingly. */
export function Publish({ answer, running, job, onPublish, onCancel }: Props) {
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
      <Segments
        isField
        label="To"
        value={where}
        onChange={setWhere}
        options={[
          { id: "zip", label: "Download a zip" },
          { id: "folder", label: "A folder" },
        ]}
      />
      {folder && (
        <>
          <TextField label="Folder on this machine" placeholder="/home/me/release" value={path} onChange={setPath} hint="A full path. It is written whole or not at all." />
          <Checkbox isSelected={overwrite} onChange={setOverwrite}>
            Replace it if it is there
          </Checkbox>
        </>
      )}
      <Segments
        isField
        label="As"
        value={format}
        onChange={(id) => settings({ format: id === "parquet" ? "parquet" : "csv" })}
        options={[
          { id: "csv", label: "CSV" },
          { id: "parquet", label: "Parquet" },
        ]}
      />
      <Checkbox isSelected={order === "sorted"} onChange={(sorted) => settings({ order: sorted ? "sorted" : "keep" })}>
        Sort the rows
        <span className="quiet small block">The order of the source can tell who is who.</span>
      </Checkbox>
      <Head />
      <More label="Sign it">
        <TextField label="Private key on this machine" placeholder="/home/me/.ssh/id_ed25519" value={key} onChange={setKey} hint="The full path of an SSH key. Whoever has its public key can check that the release is yours." />
      </More>
      <Dangers dangers={answer?.dangers ?? []} accepted={accept} onChange={(names) => settings({ accept: names })} />
      {answer?.refused && !running && <Notice tone="bad">{stated(answer.refused)}</Notice>}
      {job?.error && !running && <Notice tone="bad">{stated(job.error)}</Notice>}
      {running ? (
        <>
          <Progress label={job?.doing || "Publishing"} share={job?.share ?? null} />
          <Button icon="stop" onPress={onCancel}>
            Cancel
          </Button>
        </>
      ) : (
        <Button
          variant={answer?.id ? "secondary" : "primary"}
          icon="shield"
          isDisabled={folder && !path.trim()}
          onPress={() => onPublish({ ...(folder ? { path: path.trim() } : {}), accept, overwrite, ...(key.trim() ? { sign: key.trim() } : {}) })}
        >
          Publish and verify
        </Button>
      )}
    </Section>
  );
}

interface DangersProps {
  dangers: Danger[];
  accepted: string[];
  onChange: (names: string[]) => void;
}

function Dangers({ dangers, accepted, onChange }: DangersProps) {
  if (!dangers.length) return null;
  return (
    <div className="stack-s" role="group" aria-label="Dangers">
      <Notice tone="warn">These could tell more than the promises say. Tick those that you publish knowingly.</Notice>
      {dangers.map((danger) => (
        <Checkbox
          key={danger.name}
          isSelected={accepted.includes(danger.name)}
          onChange={(on) => onChange(on ? [...accepted, danger.name] : accepted.filter((name) => name !== danger.name))}
        >
          {danger.name}
          <span className="quiet small block">{danger.sentence}</span>
        </Checkbox>
      ))}
    </div>
  );
}
