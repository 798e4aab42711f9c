import type { ReactNode } from "react";
import type { Walk, WalkStep } from "../../api/types";
import { pick } from "../../candidates/selection";
import { useCandidateActions } from "../../candidates/useCandidateActions";
import { Button, FigureTable, notify, Section } from "../../components";
import { go, href } from "../../router";
import { useStudio } from "../../studio";
import { figure } from "../../words";

interface Props {
  walk: Walk;
  step: WalkStep;
  picked: number | null;
  onPick: (solution: number) => void;
  canContinue: boolean;
  onContinue: (solution: number) => void;
}

/** The solutions of a step: continue from one, inspect it, keep it, or publish it. */
export function Solutions({ walk, step, picked, onPick, canContinue, onContinue }: Props) {
  const { session, titleOf } = useStudio();
  const { addToClipboard, release } = useCandidateActions();
  const chosen = picked === null ? null : (step.solutions[picked] ?? null);
  const keep = async (id: string): Promise<void> => {
    if (await addToClipboard([id], "found by steering")) notify(`${id} is on the clipboard.`);
  };
  const value = (name: string, point: number): ReactNode =>
    point <= (step.aspirations[name] ?? 0) ? (
      <>
        {figure(point)}{" "}
        <span className="better" title="goal met">
          ✓<span className="unseen">goal met</span>
        </span>
      </>
    ) : (
      figure(point)
    );
  return (
    <Section
      title="Solutions"
      hint={`Step ${walk.steps.indexOf(step) + 1}: the distinct best releases for ${step.points} points between start and goal.`}>
      <FigureTable
        label="Solutions of this step"
        heads={["Solution", ...[...walk.objectives, "k"].map((name) => ({ label: titleOf(name), numeric: true }))]}
        rows={step.solutions.map((solution, i) => [
          <Button
            key="solution"
            size="s"
            variant={i === picked ? "secondary" : "quiet"}
            aria-pressed={i === picked}
            onPress={() => onPick(i)}
            label={`Solution ${i + 1}`}
          />,
          ...walk.objectives.map((name) => value(name, solution.point[name] ?? 0)),
          solution.k,
        ])}
      />
      {chosen ? (
        <>
          <p className="quiet small">
            Groups per column:{" "}
            {Object.entries(chosen.groups)
              .map(([name, n]) => `${name} ${n}`)
              .join(" · ")}
          </p>
          <div className="row-s">
            <Button
              variant="primary"
              size="s"
              isDisabled={!canContinue}
              onPress={() => onContinue(picked ?? 0)}
              label="Continue from here"
            />
            <Button
              size="s"
              onPress={() => {
                pick(chosen.id);
                go(href(session.id, "inspect", chosen.id));
              }}
              label="Inspect"
            />
            <Button size="s" onPress={() => void keep(chosen.id)} label="Keep on clipboard" />
            <Button size="s" onPress={() => void release(chosen.id)} label="Release this" />
          </div>
        </>
      ) : (
        <p className="quiet small">
          Choose a solution to continue from it, inspect it or publish it. Move the goal first to change direction.
        </p>
      )}
    </Section>
  );
}
