import { useEffect, useState } from "react";
import { FileTrigger } from "react-aria-components";
import { messageOf, upload } from "../../api/client";
import type { Fit, FurtherTable, Spec } from "../../api/types";
import { Button, FormDialog, IconButton, Messages, Meter, PartField, Progress, Section, Select, TextField } from "../../components";
import { useJob, useStudio } from "../../studio";
import { count, percent, plural } from "../../words";

type Join = Spec & { path?: string; table?: string; title?: string; on: string[]; key?: string[] };

/** Further tables whose columns are added by a key. */
export function Joins() {
  const { session, change } = useStudio();
  const joins = (session.document.source?.engine?.join ?? []) as Join[];
  const [isOpen, setOpen] = useState(false);
  const set = (next: Join[]): Promise<boolean> => change("PUT /api/sessions/{session}/joins", { body: { joins: next } });
  return (
    <Section
      title="Further tables"
      hint="Is something else known of the same people or places in another table? Join it by a key that both have."
      aside={<Button size="s" icon="plus" onPress={() => setOpen(true)} label="Join a table" />}>
      {joins.length > 0 && (
        <ul className="stack-s">
          {joins.map((join, i) => (
            <li key={i} className="row spread">
              <div className="grow">
                <p>
                  <bdi className="wrap">{nameOf(join)}</bdi> by {join.on.join(" and ")}
                </p>
                <p className="quiet small wrap">{session.joined[i]}.</p>
              </div>
              <IconButton icon="trash" label={`Remove ${nameOf(join)}`} onPress={() => void set(joins.toSpliced(i, 1))} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <AddJoin
          onClose={() => setOpen(false)}
          onAdd={async (join) => {
            if (await set([...joins, join])) setOpen(false);
          }}
        />
      )}
    </Section>
  );
}

function nameOf(join: Join): string {
  return join.title ?? join.table ?? join.path?.split(/[/\\]/).at(-1) ?? "";
}

function AddJoin({ onAdd, onClose }: { onAdd: (join: Join) => Promise<void>; onClose: () => void }) {
  const [table, setTable] = useState<FurtherTable | null>(null);
  return table ? <Key table={table} onAdd={onAdd} onClose={onClose} /> : <Place onFound={setTable} onClose={onClose} />;
}

/** Where the further table is: a file that is sent or named, or a table of the same database. */
function Place({ onFound, onClose }: { onFound: (table: FurtherTable) => void; onClose: () => void }) {
  const { session, ask } = useStudio();
  const source = session.document.source;
  const isDatabase = Boolean(source?.url ?? source?.engine?.table);
  const [place, setPlace] = useState("");
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const find = async (begin: () => Promise<FurtherTable>): Promise<void> => {
    setError(null);
    try {
      onFound(await begin());
    } catch (problem) {
      setError(messageOf(problem));
    } finally {
      setShare(null);
    }
  };
  const send = (file: File): void => {
    setShare(0);
    const request = { path: { session: session.id }, query: { name: file.name }, body: file };
    void find(() => upload("PUT /api/sessions/{session}/further", request as never, setShare, new AbortController().signal));
  };
  const body = isDatabase ? { table: place.trim() } : { path: place.trim() };
  return (
    <FormDialog
      title="Join a table"
      action="Next"
      isOpen
      isDisabled={!place.trim()}
      onClose={onClose}
      onSubmit={() => void find(() => ask("POST /api/sessions/{session}/further", { body }))}>
      {!isDatabase && (
        <FileTrigger onSelect={(files) => files?.[0] && send(files[0])}>
          <Button icon="file" label="Choose a file" />
        </FileTrigger>
      )}
      {share !== null && <Progress label="Sending the file" share={share} />}
      <TextField
        label={isDatabase ? "Table of the same database" : "Or a path on this machine"}
        placeholder={isDatabase ? "towns or schema.towns" : "/home/me/towns.csv"}
        value={place}
        onChange={setPlace}
        autoComplete="off"
        spellCheck="false"
      />
      <div role="alert">
        <Messages tone="bad" texts={[error]} />
      </div>
    </FormDialog>
  );
}

/** The key, and how the tables fit before they are joined. */
function Key({ table, onAdd, onClose }: { table: FurtherTable; onAdd: (join: Join) => Promise<void>; onClose: () => void }) {
  const { session, catalog, ask } = useStudio();
  const same = table.columns.find((name) => session.columns.includes(name));
  const [keys, setKeys] = useState<[string, string][]>([[same ?? "", same ?? ""]]);
  const [more, setMore] = useState<Spec>({});
  const job = useJob<Fit>();
  const whole = keys.every(([ours, theirs]) => ours && theirs);
  const join: Join = { ...table.place, ...more, on: keys.map(([ours]) => ours), key: keys.map(([, theirs]) => theirs) };
  const asked = whole ? JSON.stringify(join) : "";
  const { start } = job;
  useEffect(() => {
    if (asked) start(() => ask("POST /api/sessions/{session}/joins/fit", { body: { join: JSON.parse(asked) as Spec } }));
  }, [asked, start, ask]);
  const fit = whole && !job.running ? job.answer : null;
  const pick = (i: number, pair: [string, string]): void => setKeys(keys.with(i, pair));
  const options = (names: readonly string[]) => names.map((name) => ({ id: name, label: name }));
  const fields = catalog.joining.filter(({ name }) => ["prefix", "unmatched", "repeat"].includes(name));
  return (
    <FormDialog
      title={`Join ${table.title}`}
      action="Join"
      isOpen
      wide
      isDisabled={!fit || fit.refused !== null}
      onClose={onClose}
      onSubmit={() => void onAdd(join)}>
      {keys.map(([ours, theirs], i) => (
        <div key={i} className="fields">
          <Select
            label="Column of this data"
            options={options(session.columns)}
            value={ours || null}
            onChange={(name) => pick(i, [name, theirs || (table.columns.includes(name) ? name : "")])}
          />
          <Select
            label="Same column of the table"
            options={options(table.columns)}
            value={theirs || null}
            onChange={(name) => pick(i, [ours, name])}
          />
        </div>
      ))}
      <div className="row">
        <Button size="s" icon="plus" label="One more key column" onPress={() => setKeys([...keys, ["", ""]])} />
        {keys.length > 1 && <Button size="s" label="One key column less" onPress={() => setKeys(keys.slice(0, -1))} />}
      </div>
      <div className="fields fields-wide">
        {fields.map((field) => (
          <PartField
            key={field.name}
            field={field}
            value={more[field.name]}
            onChange={(value) => setMore({ ...more, [field.name]: value ?? field.default })}
          />
        ))}
      </div>
      <div aria-live="polite" className="stack-s">
        {job.running && <Progress label="Comparing the tables" share={job.view?.share ?? 0} />}
        {fit && <FitSummary fit={fit} />}
        <Messages tone="bad" texts={[whole && !job.running ? job.error : null]} />
      </div>
    </FormDialog>
  );
}

function FitSummary({ fit }: { fit: Fit }) {
  const share = fit.rows ? fit.matched / fit.rows : 0;
  return (
    <>
      <Meter share={share} label="Rows with a partner" text={percent(share)} tone={share < 0.5 ? "bad" : "plain"} />
      <p>
        {`${plural(fit.matched, "row")} of ${count(fit.rows)} have a partner among ${plural(fit.further_rows, "row")}. `}
        {fit.repeated > 0 && `${plural(fit.repeated, "key")} there in more than one row. `}
        {`New columns: ${fit.added.join(", ")}.`}
      </p>
      {fit.refused && <Messages tone="bad" texts={[fit.refused]} />}
    </>
  );
}
