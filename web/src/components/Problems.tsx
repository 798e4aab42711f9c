import type { Problem } from "../api/types";
import { useStudio } from "../studio/context";
import { stated } from "../words";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props {
  where: readonly Problem["where"][];
  /** Only those of this column; null: only those of no column. */
  column?: string | null;
  /** Only those that a search cannot do without. */
  blocking?: boolean;
}

/** What stands in the way here, each with its repair. */
export function Problems({ where, column, blocking = false }: Props) {
  const { session, change } = useStudio();
  const problems = session.problems.filter(
    (each) => where.includes(each.where) && (column === undefined || each.column === column) && (!blocking || each.blocks),
  );
  if (problems.length === 0) return null;
  return (
    <div className="stack-s" role="group" aria-label="Problems">
      {problems.map((problem) => (
        <Notice
          key={`${problem.where} ${problem.column} ${problem.sentence}`}
          tone={problem.blocks ? "warn" : "info"}
          action={
            problem.repair && (
              <Button size="s" icon="wand" onPress={() => void change("POST /api/sessions/{session}/repair", { body: { id: problem.repair!.id } })}>
                {problem.repair.label}
              </Button>
            )
          }
        >
          {stated(problem.sentence)}
        </Notice>
      ))}
    </div>
  );
}
