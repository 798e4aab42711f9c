import type { Range } from "../../charts/range";
import { Slider } from "../../components";
import { useStudio } from "../../studio";
import { figure } from "../../words";
import type { Point } from "./index";

interface Props {
  names: readonly string[];
  goal: Point;
  onGoal: (goal: Point) => void;
  isDisabled: boolean;
  ends: (name: string) => Range;
}

/** The goal as two sliders, instead of dragging the mark. */
export function Goal({ names, goal, onGoal, isDisabled, ends }: Props) {
  const { measure, titleOf } = useStudio();
  return (
    <div className="two">
      {names.map((name) => {
        const [min, max] = ends(name);
        return (
          <Slider
            key={name}
            label={`Goal for ${titleOf(name)}`}
            hint={measure(name)?.meaning}
            min={min}
            max={max}
            step={(max - min) / 100}
            value={goal[name] ?? 0}
            output={figure(goal[name])}
            onChange={(value) => !isDisabled && onGoal({ ...goal, [name]: value })}
          />
        );
      })}
    </div>
  );
}
