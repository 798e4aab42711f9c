import { useState } from "react";
import type { Body } from "../../api/client";
import { useDebounced } from "../../api/useDebounced";
import type { ColumnFacts, TypePreview } from "../../api/types";
import { Button, Checkbox, FormDialog, Loading, Messages, Select, TextField, optionsOf } from "../../components";
import { useAnswer, useStudio } from "../../studio";
import { count, plural } from "../../words";

type Reading = Body<"PUT /api/sessions/{session}/column/type">;

const TYPES = optionsOf({
  detected: "Detect automatically",
  number: "Numbers",
  date: "Dates",
  category: "Codes (a category)",
  text: "Text",
});
const OTHER = "other";
const FORMATS = optionsOf({
  "%d.%m.%Y": "31.12.2024",
  "%d/%m/%Y": "31/12/2024",
  "%m/%d/%Y": "12/31/2024",
  "%Y-%m-%d": "2024-12-31",
  "%Y%m%d": "20241231",
  "%d %b %Y": "31 Dec 2024",
  [OTHER]: "Another format",
});

/** How the column is read from the file: opens a dialog with a preview. */
export function ColumnType({ facts }: { facts: ColumnFacts }) {
  const { session } = useStudio();
  const [isOpen, setOpen] = useState(false);
  const source = session.document.source;
  if (!source || source.dataset || source.url) return null;
  return (
    <div>
      <Button size="s" icon="edit" onPress={() => setOpen(true)} label={`Read as ${facts.type}: change…`} />
      {isOpen && <TypeDialog facts={facts} onClose={() => setOpen(false)} />}
    </div>
  );
}

function TypeDialog({ facts, onClose }: { facts: ColumnFacts; onClose: () => void }) {
  const { change } = useStudio();
  const [type, setType] = useState<Reading["type"]>("detected");
  const [format, setFormat] = useState("%d.%m.%Y");
  const [own, setOwn] = useState("");
  const [areOthersMissing, setOthersMissing] = useState(false);
  const column = facts.name;
  const isTyped = type === "number" || type === "date";
  const body: Reading = {
    type,
    format: type === "date" ? (format === OTHER ? own : format) : "",
    others_missing: isTyped && areOthersMissing,
  };
  const typed = useDebounced(own, 250);
  const isComplete = type !== "date" || body.format !== "";
  const preview = useAnswer(
    "POST /api/sessions/{session}/column/type/preview",
    isComplete && (format !== OTHER || typed !== "")
      ? { query: { column }, body: { ...body, format: body.format === own ? typed : body.format } }
      : null,
  );
  const submit = async (): Promise<void> => {
    if (await change("PUT /api/sessions/{session}/column/type", { query: { column }, body })) onClose();
  };
  return (
    <FormDialog
      title={`How ${column} is read`}
      action="Read it so"
      isOpen
      isDisabled={!isComplete || !preview.data || preview.data.problem !== null}
      onClose={onClose}
      onSubmit={() => void submit()}>
      <Select label="Its values are" options={TYPES} value={type} onChange={(id) => setType(id as Reading["type"])} />
      {type === "date" && <Select label="Dates are written as" options={FORMATS} value={format} onChange={setFormat} />}
      {type === "date" && format === OTHER && (
        <TextField
          label="Format"
          placeholder="%d.%m.%Y %H:%M"
          hint="%d day, %m month, %b its name, %Y year, %H:%M:%S time"
          value={own}
          onChange={setOwn}
        />
      )}
      {isTyped && (
        <Checkbox isSelected={areOthersMissing} onChange={setOthersMissing}>
          {type === "date" ? "Whatever is no date is missing" : "Whatever is no number is missing"}
        </Checkbox>
      )}
      <Messages tone="bad" texts={[preview.error]} />
      {preview.loading && !preview.data && <Loading label="Reading the column" />}
      {preview.data && <Preview preview={preview.data} column={column} />}
    </FormDialog>
  );
}

function Preview({ preview, column }: { preview: TypePreview; column: string }) {
  return (
    <div className="stack-s" aria-live="polite">
      <Messages tone="warn" texts={[preview.problem, preview.lost ? `${plural(preview.lost, "row")} would have a missing value.` : null]} />
      <table className="small type-preview">
        <caption className="unseen">{`Values of ${column} before and after`}</caption>
        <thead>
          <tr>
            <th scope="col">In the file</th>
            <th scope="col">{`Read as ${preview.type}`}</th>
            <th scope="col" className="numeric">
              Rows
            </th>
          </tr>
        </thead>
        <tbody>
          {preview.values.map((value) => (
            <tr key={value.before}>
              <td className="wrap">
                <bdi>{value.before}</bdi>
              </td>
              <td className="wrap">{value.after === null ? <em>missing</em> : <bdi>{value.after}</bdi>}</td>
              <td className="numeric">{count(value.rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
