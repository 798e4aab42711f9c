import type { ColumnFacts } from "../../api/types";
import { Icon } from "../../components";
import { href } from "../../router";
import { useStudio } from "../../studio";
import { RoleMenu } from "./RoleMenu";

/** Every column with its role and a mark for problems. */
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
                className="column-name wrap"
                href={href(session.id, "describe", column.name)}
                {...(column.name === shown ? { "aria-current": "true" as const } : {})}>
                <bdi>{column.name}</bdi>
              </a>
              <Status
                problems={problems.map((problem) => problem.sentence)}
                hierarchy={session.document.hierarchies[column.name] !== undefined}
              />
              <RoleMenu column={column.name} />
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Status({ problems, hierarchy }: { problems: string[]; hierarchy: boolean }) {
  const text = problems.length ? problems.join(". ") : hierarchy ? "Has a hierarchy" : "";
  return (
    <span className={`status status-${problems.length ? "warn" : "good"}`} title={text}>
      {text && <Icon name={problems.length ? "warning" : "check"} size={16} />}
      <span className="unseen">{text}</span>
    </span>
  );
}
