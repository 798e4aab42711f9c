import { type FormEvent, useState } from "react";
import type { Connection } from "../../api/types";
import { Button, Select, TextField } from "../../components";
import type { Opening } from "./useOpening";

const OTHER = "(other)";

/** A table of a database: a connection that the environment names, or a URL without its password. */
export function Database({ opening, connections }: { opening: Opening; connections: Connection[] }) {
  const [name, setName] = useState(connections[0]?.name ?? OTHER);
  const [url, setUrl] = useState("");
  const [table, setTable] = useState("");
  const address = connections.find((connection) => connection.name === name)?.url ?? url.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (address) opening.database(address, table.trim());
  };
  return (
    <form className="stack-s" onSubmit={submit}>
      {connections.length > 0 && (
        <Select
          label="Connection"
          options={[
            ...connections.map((connection) => ({ id: connection.name, label: connection.name, hint: connection.url })),
            { id: OTHER, label: "Another one" },
          ]}
          value={name}
          onChange={setName}
        />
      )}
      {name === OTHER && (
        <TextField
          label="Address of the database"
          placeholder="postgresql://reader@host/clinic"
          hint="Without its password, which comes from the environment that the studio is started in, such as PGPASSWORD."
          value={url}
          onChange={setUrl}
          autoComplete="off"
          spellCheck="false"
        />
      )}
      <TextField
        label="Table"
        placeholder="people or schema.people"
        value={table}
        onChange={setTable}
        autoComplete="off"
        spellCheck="false"
      />
      <div>
        <Button type="submit" isDisabled={!address || opening.busy !== null} label="Open the table" />
      </div>
    </form>
  );
}
