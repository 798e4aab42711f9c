import { useState } from "react";
import type { CandidateColumns, Clip } from "../../api/types";
import { mainMeasures, nameOf } from "../../candidates/columns";
import { pick } from "../../candidates/selection";
import { Button, Checkbox, IconButton, Section, TextField } from "../../components";
import { go, href } from "../../router";
import { useStudio } from "../../studio";
import { figure } from "../../words";

/** Saved candidates with notes, two of which can be compared. */
export function Clipboard({ columns, positionOf }: { columns: CandidateColumns; positionOf: ReadonlyMap<string, number> }) {
  const { session, change, titleOf } = useStudio();
  const clips = session.document.clipboard;
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const save = (clipboard: Clip[]): void => void change("PUT /api/sessions/{session}/clipboard", { body: { clipboard } });
  const both = ticked.filter((id) => clips.some((clip) => clip.candidate === id));
  return (
    <Section
      title="Clipboard"
      hint="Candidates you want to remember. Tick two to compare them."
      aside={
        <Button size="s" isDisabled={both.length !== 2} onPress={() => go(href(session.id, "compare", ...both))} label="Compare the two" />
      }>
      {!clips.length && <p className="quiet">The clipboard is empty. Select a candidate and press “Keep on clipboard”.</p>}
      <ul className="clips" aria-label="Kept candidates">
        {clips.map((clip) => {
          const position = positionOf.get(clip.candidate);
          return (
            <li key={clip.candidate} className="clip">
              <Checkbox
                aria-label={`Compare ${clip.candidate}`}
                isSelected={both.includes(clip.candidate)}
                onChange={(on) => setTicked(on ? [...both.slice(-1), clip.candidate] : both.filter((id) => id !== clip.candidate))}>
                {position === undefined ? clip.candidate : nameOf(columns, position)}
              </Checkbox>
              <span className="small numeric quiet grow cut">
                {position === undefined
                  ? "its run was deleted"
                  : mainMeasures(columns, position)
                      .map(([name, value]) => `${titleOf(name)} ${figure(value)}`)
                      .join(" · ")}
              </span>
              <Note clip={clip} onSave={(note) => save(clips.map((other) => (other === clip ? { ...clip, note } : other)))} />
              <Button size="s" variant="quiet" isDisabled={position === undefined} onPress={() => pick(clip.candidate)} label="Select" />
              <IconButton
                icon="trash"
                label={`Remove ${clip.candidate} from the clipboard`}
                onPress={() => save(clips.filter((other) => other !== clip))}
              />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** A note is saved when the field loses the focus, or by Enter. */
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
