import { useState } from "react";
import type { CandidateColumns, Clip } from "../../api/types";
import { pick } from "../../candidates/selection";
import { Button } from "../../components/Button";
import { Checkbox } from "../../components/Checkbox";
import { IconButton } from "../../components/IconButton";
import { Section } from "../../components/Section";
import { TextField } from "../../components/TextField";
import { go, href } from "../../router";
import { useStudio } from "../../studio/context";
import { figure } from "../../words";
import { nameOf } from "./shared";

/** Candidates put aside, with notes. Two of them can be compared. */
export function Clipboard({ columns, positionOf }: { columns: CandidateColumns; positionOf: ReadonlyMap<string, number> }) {
  const { session, change } = useStudio();
  const clips = session.document.clipboard;
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const save = (clipboard: Clip[]): void => void change("PUT /api/sessions/{session}/clipboard", { body: { clipboard } });
  const both = ticked.filter((id) => clips.some((clip) => clip.candidate === id));
  return (
    <Section
      title="Clipboard"
      hint="Candidates you keep in mind. Tick two to compare them."
      aside={
        <Button size="s" isDisabled={both.length !== 2} onPress={() => go(href(session.id, "compare", ...both))}>
          Compare the two
        </Button>
      }
    >
      {!clips.length && <p className="quiet">Nothing kept yet: select a candidate and press “Keep on clipboard”.</p>}
      <ul className="clips" aria-label="Kept candidates">
        {clips.map((clip) => {
          const position = positionOf.get(clip.candidate);
          return (
            <li key={clip.candidate} className="clip">
              <Checkbox
                aria-label={`Compare ${clip.candidate}`}
                isSelected={both.includes(clip.candidate)}
                onChange={(on) => setTicked(on ? [...both.slice(-1), clip.candidate] : both.filter((id) => id !== clip.candidate))}
              >
                {position === undefined ? clip.candidate : nameOf(columns, position)}
              </Checkbox>
              <span className="small numeric quiet grow cut">
                {position === undefined
                  ? "its run was removed"
                  : Object.entries(columns.measures).slice(0, 4).map(([name, values]) => `${name} ${figure(values[position])}`).join(" · ")}
              </span>
              <Note clip={clip} onSave={(note) => save(clips.map((one) => (one === clip ? { ...clip, note } : one)))} />
              <Button size="s" variant="quiet" isDisabled={position === undefined} onPress={() => pick(clip.candidate)}>Select</Button>
              <IconButton icon="trash" label={`Take ${clip.candidate} off the clipboard`} onPress={() => save(clips.filter((one) => one !== clip))} />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** A note is written down when the field is left, or by Enter. */
function Note({ clip, onSave }: { clip: Clip; onSave: (note: string) => void }) {
  const [text, setText] = useState(clip.note);
  const save = (): void => {
    if (text !== clip.note) onSave(text);
  };
  return (
    <TextField
      label={`Note on ${clip.candidate}`}
      hideLabel
      placeholder="Note"
      value={text}
      onChange={setText}
      onBlur={save}
      onKeyDown={(event) => event.key === "Enter" && save()}
    />
  );
}
