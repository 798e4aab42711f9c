import { useLoaded } from "../../api/useLoaded";
import { EmptyState } from "../../components/EmptyState";
import { LinkButton } from "../../components/LinkButton";
import { Loading } from "../../components/Loading";
import { Page } from "../../components/Page";
import { Problems } from "../../components/Problems";
import { href } from "../../router";
import { useStudio } from "../../studio/context";
import { sourceKey, useTable } from "../../studio/useTable";
import { plural } from "../../words";
import { Identifying } from "./Identifying";
import { Preview } from "./Preview";
import { Reading } from "./Reading";
import { Suggestions } from "./Suggestions";

/** From this share of people alone with their value a column identifies by itself, and so does any pair with it. */
const NEARLY = 0.9;

export default function Open() {
  const { session, ask } = useStudio();
  const source = session.document.source;
  const table = useTable();
  const pairs = useLoaded(table.data ? sourceKey(session) : null, (signal) => ask("GET /api/sessions/{session}/pairs", {}, signal));

  if (!source)
    return (
      <Page title="Open" lead="No data yet.">
        <EmptyState
          icon="file"
          title="This session has no data"
          text="Open a file, a plan or one of the examples; it starts a session of its own."
          action={
            <LinkButton variant="primary" href={href(null)}>
              Open something
            </LinkButton>
          }
        />
      </Page>
    );

  const facts = table.data;
  const described = facts?.columns.every((column) => session.document.roles[column.name]?.length);
  const alone = new Set(facts?.columns.filter((column) => column.unique > NEARLY).map((column) => column.name));
  const file = source.path ?? source.upload;
  const dropped = facts?.dropped ? ` ${plural(facts.dropped, "row")} with missing values left out.` : "";
  const lead = session.rows === null ? "" : `${plural(session.rows, "row")} and ${plural(session.columns.length, "column")}.${dropped}`;
  return (
    <Page
      title={source.title}
      lead={lead}
      action={
        <>
          <LinkButton href={href(null)}>Open something else</LinkButton>
          <LinkButton variant={described ? "primary" : "secondary"} href={href(session.id, "describe")}>
            Describe the columns
          </LinkButton>
        </>
      }
    >
      <Problems where={["source"]} />
      {table.error && <EmptyState icon="warning" title="The data cannot be read like this" text={table.error} />}
      {file && <Reading key={sourceKey(session)} options={facts?.options ?? source.options} file={file} />}
      {session.rows !== null && <Preview facts={facts} />}
      {!facts && !table.error && <Loading label="Looking at the columns" />}
      {facts && (
        <>
          <Suggestions columns={facts.columns} />
          {pairs.data && <Identifying pairs={pairs.data.pairs} alone={alone} />}
        </>
      )}
    </Page>
  );
}
