import { useEffect, useState } from "react";
import type { Walk } from "../../api/types";
import { Button, Section } from "../../components";
import { useStudio } from "../../studio";
import { figure, plural } from "../../words";

interface Props {
  walk: Walk;
  /** The visible step. */
  at: number;
  onShow: (step: number | null) => void;
  onBack: (steps: number) => void;
  isDisabled: boolean;
}

const STEP_MILLISECONDS = 1200;

/** The path so far: show a step, replay all of them, or go back to one. */
export function Path({ walk, at, onShow, onBack, isDisabled }: Props) {
  const { titleOf } = useStudio();
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    const isLast = at >= walk.steps.length - 1;
    const timer = setTimeout(() => (isLast ? setPlaying(false) : onShow(at + 1)), STEP_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [playing, at, walk.steps.length, onShow]);
  const replay = (): void => {
    onShow(0);
    setPlaying(true);
  };
  const point = (values: Record<string, number>): string =>
    walk.objectives.map((name) => `${titleOf(name)} ${figure(values[name])}`).join(", ");
  return (
    <Section
      title="Path"
      aside={
        playing ? (
          <Button size="s" icon="stop" onPress={() => setPlaying(false)} label="Stop" />
        ) : (
          <Button size="s" icon="play" isDisabled={walk.steps.length < 2} onPress={replay} label="Replay" />
        )
      }>
      <ol className="path" aria-label="Steps of the walk">
        {walk.steps.map((step, i) => (
          <li key={i} className="path-step" {...(i === at ? { "aria-current": "step" as const } : {})}>
            <div className="grow small">
              <strong>Step {i + 1}</strong> {step.chosen === null ? "from the start" : `from solution ${step.chosen + 1}`} toward{" "}
              {point(step.aspirations)}: {plural(step.solutions.length, "solution")}
            </div>
            <Button
              size="s"
              variant="quiet"
              isDisabled={i === at}
              aria-label={`Show step ${i + 1}`}
              onPress={() => onShow(i)}
              label="Show"
            />
            {i < walk.steps.length - 1 && (
              <Button
                size="s"
                variant="quiet"
                isDisabled={isDisabled}
                aria-label={`Go back to step ${i + 1}`}
                onPress={() => onBack(i + 1)}
                label="Go back"
              />
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
