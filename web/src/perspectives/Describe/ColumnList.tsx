import type { ColumnFacts } from "../../api/types";
import { Icon } from "../../components/Icon";
import { href } from "../../router";
import { useStudio } from "../../studio/context";
import { RoleMenu } from "./RoleMenu";

/** Every column with its role; a mark where something is missing. */
export function ColumnList({ columns, shown }: { columns: ColumnFacts[]; shown: string }) {
  const { session } = useStudio();
  return (
    <nav className="card columns" aria-label="Columns">
      <ul>
        {columns.map((column) => {
          const problems = session.problems.filter((problem) => problem.column === column.name);
          return (
            <li key={column.name} className={column.name === shown ? "column column-shown" : "column"}>
              <a
                className="column-name cut"
                href={href(session.id, "describe", column.name)}
                {...(column.name === shown ? { "aria-current": "true" as const } : {})}
              >
                <bdi>{column.name}</bdi>
              </a>
              <Status problems={problems.map((problem) => problem.sentence)} hierarchy={session.document.hierarchies[column.name] !== undefined} />
              <RoleMenu column={column.name} />
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Status({ problems, hierarchy }: { problems: string[]; hierarchy: boolean }) {
  if (problems.length)
    return (
      <span className="status status-warn" title={problems.join("\n")}>
        <Icon name="warning" size={16} />
        <span className="unseen">{problems.join(". ")}</span>
      </span>
    );
  return (
    <span className="status status-good" title={hierarchy ? "Has a hierarchy" : ""}>
      {hierarchy && (
        <>
          <Icon name="check" size={16} />
          <span className="unseen">has a hierarchy</span>
        </>
      )}
    </span>
  );
}
