import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { Button } from "../../../components/Button";
import { Dialog } from "../../../components/Dialog";
import { Select } from "../../../components/Select";
import { TextField } from "../../../components/TextField";
import { useStudio } from "../../../studio/context";

const SEPARATORS = [
  { id: ";", label: "Semicolon ;" },
  { id: ",", label: "Comma ," },
  { id: "\t", label: "Tab" },
];

/** A hierarchy from a file or pasted text: a line per value, then its levels up to the top. */
export function ImportDialog({ column, isOpen, onClose }: { column: string; isOpen: boolean; onClose: () => void }) {
  const { change } = useStudio();
  const [text, setText] = useState("");
  const [separator, setSeparator] = useState(";");
  const take = async (): Promise<void> => {
    if (await change("POST /api/sessions/{session}/hierarchy/import", { query: { column }, body: { text, separator } })) {
      setText("");
      onClose();
    }
  };
  return (
    <Dialog title={`Import a hierarchy for ${column}`} isOpen={isOpen} onClose={onClose} wide>
      <p className="quiet small">A line per value: the value, level 1, level 2, … up to the top. ARX writes the same.</p>
      <div className="row">
        <FileTrigger acceptedFileTypes={[".csv", ".txt"]} onSelect={(files) => void files?.[0]?.text().then(setText)}>
          <Button icon="file">Choose a file</Button>
        </FileTrigger>
        <Select label="Separator" hideLabel options={SEPARATORS} value={separator} onChange={setSeparator} />
      </div>
      <TextField label="Or paste it" rows={8} value={text} onChange={setText} placeholder={"17;10-19;0-39;*\n23;20-29;0-39;*"} />
      <div className="row dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" isDisabled={!text.trim()} onPress={() => void take()}>
          Import
        </Button>
      </div>
    </Dialog>
  );
}
