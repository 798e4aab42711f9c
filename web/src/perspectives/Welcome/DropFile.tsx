import { type FormEvent, useState } from "react";
import { DropZone, FileTrigger } from "react-aria-components";
import type { Connection, ReadingOptions } from "../../api/types";
import { useLoaded } from "../../api/useLoaded";
import { Button, Icon, More, Notice, Progress, TextField } from "../../components";
import { loadCatalog } from "../../studio/StudioProvider";
import { ReadingFields } from "../Open/ReadingFields";
import { Database } from "./Database";
import type { Opening } from "./useOpening";

const KINDS = [".csv", ".tsv", ".txt", ".data", ".gz", ".parquet", ".pq", ".xlsx", ".xls", ".ods", ".sav", ".dta", ".toml"];

/** A file: dropped, chosen, or named by its path where it is too large to upload. */
export function DropFile({ opening, connections }: { opening: Opening; connections: Connection[] }) {
  const [path, setPath] = useState("");
  const [options, setOptions] = useState<ReadingOptions>({});
  const { data: catalog } = useLoaded("catalog", loadCatalog);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim()) opening.path(path.trim(), options);
  };
  return (
    <div className="stack">
      <DropZone
        className="drop"
        aria-label="Drop a file here"
        onDrop={async (event) => {
          const item = event.items.find(({ kind }) => kind === "file");
          if (item?.kind === "file") opening.file(await item.getFile(), options);
        }}>
        {opening.busy ? (
          <div className="drop-busy stack-s">
            <Progress label={opening.busy} share={opening.share} />
            <Button size="s" onPress={opening.cancel} label="Cancel" />
          </div>
        ) : (
          <>
            <span className="empty-icon">
              <Icon name="upload" size={28} />
            </span>
            <p className="drop-title">Drop a file here</p>
            <p className="quiet small">CSV, Parquet, Excel, Stata or SPSS, or a plan. The file stays on this machine.</p>
            <FileTrigger acceptedFileTypes={KINDS} onSelect={(files) => files?.[0] && opening.file(files[0], options)}>
              <Button variant="primary" icon="file" label="Choose a file" />
            </FileTrigger>
          </>
        )}
      </DropZone>
      <div role="alert">{opening.error && <Notice tone="bad">{opening.error}</Notice>}</div>
      <form className="path-form" onSubmit={submit}>
        <TextField
          label="Or a path on this machine"
          placeholder="/home/me/people.csv, plan.toml or a database file"
          value={path}
          onChange={setPath}
          autoComplete="off"
          spellCheck="false"
        />
        <Button type="submit" isDisabled={!path.trim() || opening.busy !== null} label="Open" />
      </form>
      <More label="A database">
        <Database opening={opening} connections={connections} />
      </More>
      <More label="Reading options">
        <div className="fields">
          <ReadingFields fields={catalog?.reading ?? []} value={options} onChange={setOptions} />
        </div>
      </More>
    </div>
  );
}
