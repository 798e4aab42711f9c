import { Button, EmptyPage, LinkButton, Loading, Page, Problems } from "../../components";
import { href, useRoute } from "../../router";
import { useStudio, useTable } from "../../studio";
import { ColumnList } from "./ColumnList";
import { ColumnPanel } from "./ColumnPanel";
import { People } from "./People";

/** What each column reveals about a person, and how it can be generalized. */
export default function Describe() {
  const { session, change } = useStudio();
  const { rest } = useRoute();
  const table = useTable();
  const columns = table.data?.columns ?? [];
  const chosen = columns.find((column) => column.name === rest[0]);
  const shown = chosen ?? columns[0];
  const undescribed = columns.filter((column) => !session.document.roles[column.name]?.length).length;

  if (!session.document.source || table.error)
    return (
      <EmptyPage
        page="Describe"
        lead="What each column reveals about a person."
        icon="file"
        title="No data to describe"
        text={table.error ?? "Open a file first. Its columns are then listed here."}
        action={["Open", href(session.id, "open")]}
      />
    );

  return (
    <Page
      title="Describe"
      lead="State what each column reveals about a person, and how its values can be generalized."
      action={
        undescribed > 0 ? (
          <Button
            variant="primary"
            icon="check"
            onPress={() => void change("POST /api/sessions/{session}/suggestions/accept", { body: {} })}
            label="Accept all suggestions"
          />
        ) : (
          <LinkButton variant="primary" href={href(session.id, "promise")} label="Make promises" />
        )
      }>
      <Problems where={["roles"]} column={null} />
      {!shown ? (
        <Loading label="Profiling the columns" />
      ) : (
        <div className={chosen ? "describe describe-chosen" : "describe"}>
          <ColumnList columns={columns} shown={shown.name} />
          <ColumnPanel key={shown.name} facts={shown} />
        </div>
      )}
      <People />
    </Page>
  );
}
