import { type FormEvent, useState } from "react";
import { DropZone, FileTrigger } from "react-aria-components";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { Loading } from "../../components/Loading";
import { Progress } from "../../components/Progress";
import { Notice } from "../../components/Notice";
import { TextField } from "../../components/TextField";
import { type FirstReading, HowToRead } from "./HowToRead";
import type { Opening } from "./useOpening";

const KINDS = [".csv", ".tsv", ".txt", ".data", ".gz", ".parquet", ".pq", ".xlsx", ".xls", ".ods", ".sav", ".dta", ".toml"];

/** A file: dropped, chosen, or named by its path where it is too large to be handed over. */
export function DropFile({ opening }: { opening: Opening }) {
  const [path, setPath] = useState("");
  const [options, setOptions] = useState<FirstReading>({});
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
          const item = event.items.find((each) => each.kind === "file");
          if (item?.kind === "file") opening.file(await item.getFile(), options);
        }}
      >
        {opening.busy ? (
          <div aria-live="polite" className="drop-busy">
            {opening.share === null ? <Loading label={`Reading ${opening.busy}`} /> : <Progress label={`Handing over ${opening.busy}`} share={opening.share} />}
          </div>
        ) : (
          <>
            <span className="empty-icon">
              <Icon name="upload" size={28} />
            </span>
            <p className="drop-title">Drop a file here</p>
            <p className="quiet small">CSV, Parquet, Excel, Stata or SPSS – or a plan.toml. It stays on this machine.</p>
            <FileTrigger acceptedFileTypes={KINDS} onSelect={(files) => files?.[0] && opening.file(files[0], options)}>
              <Button variant="primary" icon="file">
                Choose a file
              </Button>
            </FileTrigger>
          </>
        )}
      </DropZone>
      <div role="alert">{opening.error && <Notice tone="bad">{opening.error}</Notice>}</div>
      <form className="path-form" onSubmit={submit}>
        <TextField
          label="Or a path on this machine"
          placeholder="/home/me/people.csv or plan.toml"
          value={path}
          onChange={setPath}
          autoComplete="off"
          spellCheck="false"
        />
        <Button type="submit" isDisabled={!path.trim() || opening.busy !== null}>
          Open
        </Button>
      </form>
      <HowToRead value={options} onChange={setOptions} />
    </div>
  );
}
