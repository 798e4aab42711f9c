import type { Problem } from "../api/types";
import { useStudio } from "../studio/context";
import { Button } from "./Button";
import { Notice } from "./Notice";

/** What stands in the way here, each with its repair. `column` narrows it to one column. */
export function Problems({ where, column }: { where: readonly Problem["where"][]; column?: string | null }) {
  const { session, change } = useStudio();
  const problems = session.problems.filter((each) => where.includes(each.where) && (column === undefined || each.column === column));
  if (problems.length === 0) return null;
  return (
    <div className="stack-s" role="group" aria-label="Problems">
      {problems.map((problem) => (
        <Notice
          key={`${problem.where} ${problem.column} ${problem.sentence}`}
          tone="warn"
          action={
            problem.repair && (
              <Button size="s" icon="wand" onPress={() => void change("POST /api/sessions/{session}/repair", { body: { id: problem.repair!.id } })}>
                {problem.repair.label}
              </Button>
            )
          }
        >
          {problem.sentence}
        </Notice>
      ))}
    </div>
  );
}
