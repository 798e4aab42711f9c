import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { LinkButton } from "../../components/LinkButton";
import { Loading } from "../../components/Loading";
import { Page } from "../../components/Page";
import { Problems } from "../../components/Problems";
import { href, useRoute } from "../../router";
import { useStudio } from "../../studio/context";
import { useTable } from "../../studio/useTable";
import { ColumnList } from "./ColumnList";
import { ColumnPanel } from "./ColumnPanel";

/** What each column tells about a person, and how it may be made coarser. */
export default function Describe() {
  const { session, change } = useStudio();
  const { rest } = useRoute();
  const table = useTable();
  const columns = table.data?.columns ?? [];
  const chosen = columns.find((column) => column.name === rest[0]);
  const shown = chosen ?? columns[0];
  const open = columns.filter((column) => !session.document.roles[column.name]?.length).length;

  if (!session.document.source || table.error)
    return (
      <Page title="Describe" lead="What each column tells about a person.">
        <EmptyState
          icon="file"
          title="No data to describe"
          text={table.error ?? "Open a file first; then its columns are listed here."}
          action={
            <LinkButton variant="primary" href={href(session.id, "open")}>
              Open
            </LinkButton>
          }
        />
      </Page>
    );

  return (
    <Page
      title="Describe"
      lead="Say what each column tells about a person, and how its values may be made coarser."
      action={
        open > 0 ? (
          <Button variant="primary" icon="check" onPress={() => void change("POST /api/sessions/{session}/roles/suggested", {})}>
            Take suggested roles
          </Button>
        ) : (
          <LinkButton variant="primary" href={href(session.id, "promise")}>
            Make promises
          </LinkButton>
        )
      }
    >
      <WholeProblems />
      {!shown ? (
        <Loading label="Reading the columns" />
      ) : (
        <div className={chosen ? "describe describe-chosen" : "describe"}>
          <ColumnList columns={columns} shown={shown.name} />
          <ColumnPanel key={shown.name} facts={shown} />
        </div>
      )}
    </Page>
  );
}

/** Problems that belong to no column. */
function WholeProblems() {
  const { session } = useStudio();
  const some = session.problems.some((problem) => problem.where === "roles" && problem.column === null);
  return some ? <Problems where={["roles"]} column={null} /> : null;
}
