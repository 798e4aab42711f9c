import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { Button, FormDialog, Select, TextField } from "../../../components";
import { useStudio } from "../../../studio";
import { DELIMITERS } from "../../Open/ReadingFields";

/** A hierarchy from a file or pasted text: one line per value, with its levels up to the top. */
export function ImportDialog({ column, onClose }: { column: string; onClose: () => void }) {
  const { change } = useStudio();
  const [text, setText] = useState("");
  const [separator, setSeparator] = useState(";");
  const submit = async (): Promise<void> => {
    if (await change("POST /api/sessions/{session}/hierarchy/import", { query: { column }, body: { text, separator } })) onClose();
  };
  return (
    <FormDialog
      title={`Import a hierarchy for ${column}`}
      action="Import"
      isOpen
      onClose={onClose}
      onSubmit={() => void submit()}
      isDisabled={!text.trim()}
      wide>
      <p className="quiet small">One line per value: the value, then its levels up to the top. ARX exports the same format.</p>
      <div className="row">
        <FileTrigger acceptedFileTypes={[".csv", ".txt"]} onSelect={(files) => void files?.[0]?.text().then(setText)}>
          <Button icon="file" label="Choose a file" />
        </FileTrigger>
        <Select label="Delimiter" hideLabel options={DELIMITERS} value={separator} onChange={setSeparator} />
      </div>
      <TextField label="Or paste it" rows={8} value={text} onChange={setText} placeholder={"17;10-19;0-39;*\n23;20-29;0-39;*"} />
    </FormDialog>
  );
}
