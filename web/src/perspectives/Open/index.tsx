import { EmptyPage, EmptyState, LinkButton, Loading, Page, Problems } from "../../components";
import { href } from "../../router";
import { sourceKey, useAnswer, useStudio, useTable } from "../../studio";
import { plural } from "../../words";
import { Identifying } from "./Identifying";
import { Joins } from "./Joins";
import { Preview } from "./Preview";
import { Reading } from "./Reading";
import { Subset } from "./Subset";
import { Suggestions } from "./Suggestions";

/** A column with at least this share of unique values identifies people by itself. */
const IDENTIFYING = 0.9;

export default function Open() {
  const { session } = useStudio();
  const source = session.document.source;
  const table = useTable();
  const pairs = useAnswer("GET /api/sessions/{session}/pairs", table.data && {}, sourceKey(session));

  if (!source)
    return (
      <EmptyPage
        page="Open"
        lead="No data yet."
        icon="file"
        title="This session has no data"
        text="Open a file, a plan or an example. It starts a new session."
        action={["Open data", href(null)]}
      />
    );

  const facts = table.data;
  const described = facts?.columns.every((column) => session.document.roles[column.name]?.length);
  const alone = new Set(facts?.columns.filter((column) => column.unique > IDENTIFYING).map((column) => column.name));
  const file = source.path ?? source.upload;
  const dropped = facts?.dropped ? ` ${plural(facts.dropped, "row")} with missing values dropped.` : "";
  const lead = session.rows === null ? "" : `${plural(session.rows, "row")} and ${plural(session.columns.length, "column")}.${dropped}`;
  return (
    <Page
      title={source.title}
      lead={lead}
      action={
        <>
          <LinkButton href={href(null)} label="Open other data" />
          <LinkButton variant={described ? "primary" : "secondary"} href={href(session.id, "describe")} label="Describe the columns" />
        </>
      }>
      <Problems where={["source"]} />
      {table.error && <EmptyState icon="warning" title="The data cannot be read with these options" text={table.error} />}
      {file && <Reading key={sourceKey(session)} options={facts?.options ?? source.options} file={file} />}
      {session.rows !== null && !source.dataset && <Joins />}
      {session.rows !== null && <Subset rows={session.rows} />}
      {session.rows !== null && <Preview facts={facts} />}
      {!facts && !table.error && <Loading label="Profiling the columns" />}
      {facts && (
        <>
          <Suggestions />
          {pairs.data && <Identifying pairs={pairs.data} alone={alone} />}
        </>
      )}
    </Page>
  );
}
