import { useState } from "react";
import { Button } from "react-aria-components";
import { Icon, NameDialog } from "../components";
import { useStudio } from "../studio";
import { plural } from "../words";

/** The name of the session; a click opens its name and notes. */
export function SessionName() {
  const { session, change } = useStudio();
  const [isOpen, setOpen] = useState(false);
  const { name, notes, source } = session.document;
  const title = name || source?.title || "New session";
  const save = async (newName: string, newNotes: string): Promise<void> => {
    const body = { ...(newName === title ? {} : { name: newName }), ...(newNotes === notes ? {} : { notes: newNotes }) };
    if (!Object.keys(body).length || (await change("PUT /api/sessions/{session}/settings", { body }))) setOpen(false);
  };
  return (
    <>
      <Button className="session-name" onPress={() => setOpen(true)}>
        <span className="cut">{title}</span>
        {session.rows !== null && <span className="quiet small session-rows numeric">{plural(session.rows, "row")}</span>}
        <span className="unseen">: name and notes</span>
        <Icon name="edit" size={14} />
      </Button>
      {isOpen && (
        <NameDialog
          title="Name and notes of this session"
          name={title}
          note={{ label: "Notes", text: notes, hint: "Only for you: no release contains them." }}
          onClose={() => setOpen(false)}
          onSave={(newName, newNotes) => void save(newName, newNotes)}
        />
      )}
    </>
  );
}
