import { Slider } from "../../components/Slider";
import { useStudio } from "../../studio/context";
import { figure } from "../../words";
import type { Point } from "./index";

/** The wish as two sliders: the same as dragging the mark. */
export function Wish({ names, wish, onWish, isDisabled }: { names: readonly string[]; wish: Point; onWish: (wish: Point) => void; isDisabled: boolean }) {
  const { catalog } = useStudio();
  return (
    <div className="two">
      {names.map((name) => {
        const measure = catalog.measures.find((one) => one.name === name);
        return (
          <Slider
            key={name}
            label={`Wish for ${name}`}
            hint={measure?.meaning}
            min={measure?.least ?? 0}
            max={measure?.most ?? 1}
            step={((measure?.most ?? 1) - (measure?.least ?? 0)) / 100}
            value={wish[name] ?? 0}
            output={figure(wish[name])}
            onChange={(value) => !isDisabled && onWish({ ...wish, [name]: value })}
          />
        );
      })}
    </div>
  );
}
