import type { Problem } from "../api/types";
import { href } from "../router";
import { useStudio } from "../studio/context";
import { Button } from "./Button";
import { LinkButton } from "./LinkButton";
import { Notice } from "./Notice";
import { plural } from "../words";

interface Props {
  where: readonly Problem["where"][];
  /** Only those of this column; null for those of no column. */
  column?: string | null;
  /** Only those that prevent a search. */
  blocking?: boolean;
  /** How many are shown; the others are under Describe. */
  most?: number;
}

/** The problems here, each with its repair. */
export function Problems({ where, column, blocking = false, most = Infinity }: Props) {
  const { session, change } = useStudio();
  const problems = session.problems.filter(
    (problem) => where.includes(problem.where) && (column === undefined || problem.column === column) && (!blocking || problem.blocks),
  );
  const repair = (id: string): void => void change("POST /api/sessions/{session}/repair", { body: { id } });
  const hidden = Math.max(problems.length - most, 0);
  if (problems.length === 0) return null;
  return (
    <div className="stack-s" role="group" aria-label="Problems">
      {problems.slice(0, most).map((problem) => (
        <Notice
          key={`${problem.where} ${problem.column} ${problem.sentence}`}
          tone={problem.blocks ? "warn" : "info"}
          action={
            problem.repair && <Button size="s" icon="wand" onPress={() => repair(problem.repair!.id)} label={problem.repair.label} />
          }>
          {problem.sentence}
        </Notice>
      ))}
      {hidden > 0 && (
        <Notice tone="warn" action={<LinkButton size="s" href={href(session.id, "describe")} label="Describe the columns" />}>
          {plural(hidden, "more problem")}
        </Notice>
      )}
    </div>
  );
}
