import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
import type { Walk } from "../../api/types";
import { star } from "../../charts/latticeDrawing";
import type { Range } from "../../charts/range";
import { useCandidates } from "../../candidates/useCandidates";
import { useStudio } from "../../studio";
import { figure } from "../../words";
import type { Point } from "./index";

interface Props {
  names: readonly string[];
  ends: (name: string) => Range;
  walk: Walk | null;
  /** The visible step. */
  at: number;
  goal: Point;
  onGoal: ((goal: Point) => void) | null;
  picked: number | null;
  onPick: (solution: number) => void;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, EDGE] = [560, 440, 56, 44, 16];
const STAR = star(11).join(" ");
const MAX_OTHERS = 1500;

/** Two measures as a plane: the start, the goal, the points between them, and their solutions. */
export function Plane({ names, walk, at, goal, onGoal, picked, onPick, ends }: Props) {
  const { titleOf } = useStudio();
  const [xName = "", yName = ""] = names;
  const svg = useRef<SVGSVGElement>(null);
  const dragging = useRef(false);
  const [xEnds, yEnds] = [ends(xName), ends(yName)];
  const [[x0, x1], [y0, y1]] = [xEnds, yEnds];
  const px = (value: number): number => LEFT + ((value - x0) / (x1 - x0)) * (WIDTH - LEFT - EDGE);
  const py = (value: number): number => HEIGHT - BOTTOM - ((value - y0) / (y1 - y0)) * (HEIGHT - BOTTOM - EDGE);
  const shown = walk?.steps[at];
  const start = shown?.start;
  const centre = (point: Point) => ({ cx: px(point[xName] ?? 0), cy: py(point[yName] ?? 0) });
  const others = useOthers(xName, yName);

  const move = (x: number, y: number): void => {
    const within = (value: number, low: number, high: number): number => Number(Math.min(high, Math.max(low, value)).toPrecision(3));
    onGoal?.({ ...goal, [xName]: within(x, x0, x1), [yName]: within(y, y0, y1) });
  };
  const drag = (event: PointerEvent): void => {
    const box = svg.current?.getBoundingClientRect();
    if (!box || !dragging.current) return;
    const [ux, uy] = [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
    move(x0 + ((ux - LEFT) / (WIDTH - LEFT - EDGE)) * (x1 - x0), y0 + ((HEIGHT - BOTTOM - uy) / (HEIGHT - BOTTOM - EDGE)) * (y1 - y0));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 0.1 : 0.01;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, step],
      ArrowDown: [0, -step],
    };
    const by = moves[event.key];
    if (!by) return;
    event.preventDefault();
    move((goal[xName] ?? 0) + by[0] * (x1 - x0), (goal[yName] ?? 0) + by[1] * (y1 - y0));
  };
  const value = `${titleOf(xName)} ${figure(goal[xName])}, ${titleOf(yName)} ${figure(goal[yName])}`;
  return (
    <svg
      ref={svg}
      className="plane"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="group"
      aria-label={`Plane of ${titleOf(xName)} and ${titleOf(yName)}`}
      onPointerDown={(event) => {
        if (!onGoal || (event.target as Element).closest(".solution")) return;
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={drag}
      onPointerUp={() => (dragging.current = false)}
      onPointerCancel={() => (dragging.current = false)}>
      <Axes names={names.map(titleOf)} ends={[xEnds, yEnds]} px={px} py={py} />
      {others.map(([x, y], i) => (
        <circle key={i} className="others" cx={px(x)} cy={py(y)} r={2} />
      ))}
      {walk?.steps
        .slice(0, at)
        .flatMap((earlier, i) =>
          earlier.solutions.map(({ point }, j) => <circle key={`${i}-${j}`} className="earlier" {...centre(point)} r={4} />),
        )}
      {start && shown && (
        <>
          <line className="direction" x1={px(start[xName] ?? 0)} y1={py(start[yName] ?? 0)} x2={centre(goal).cx} y2={centre(goal).cy} />
          {Array.from({ length: shown.points }, (_, m) => {
            const along = ([name, from]: [string, number]) => [
              name,
              from + ((m + 1) / shown.points) * ((shown.aspirations[name] ?? 0) - from),
            ];
            const point = Object.fromEntries(Object.entries(start).map(along)) as Point;
            return <circle key={m} className="tick" {...centre(point)} r={2} />;
          })}
          <rect className="start" x={centre(start).cx - 6} y={centre(start).cy - 6} width={12} height={12} />
        </>
      )}
      <g
        tabIndex={onGoal ? 0 : -1}
        role="slider"
        aria-label="Goal"
        aria-valuemin={y0}
        aria-valuemax={y1}
        aria-valuenow={goal[yName] ?? 0}
        aria-valuetext={value}
        aria-disabled={!onGoal}
        onKeyDown={onKeyDown}>
        <polygon className="goal" points={STAR} transform={`translate(${px(goal[xName] ?? 0)} ${py(goal[yName] ?? 0)})`} />
      </g>
      {shown?.solutions.map((solution, i) => {
        const { cx, cy } = centre(solution.point);
        return (
          <g key={i} aria-hidden="true" onClick={() => onPick(i)}>
            <circle className={i === picked ? "solution solution-on" : "solution"} cx={cx} cy={cy} r={10} />
            <text className="solution-number" x={cx} y={cy + 4}>
              {i + 1}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

interface AxesProps {
  names: readonly string[];
  ends: readonly [Range, Range];
  px: (value: number) => number;
  py: (value: number) => number;
}

function Axes({ names, ends, px, py }: AxesProps) {
  const between = ([low, high]: Range, share: number): number => low + share * (high - low);
  return (
    <g aria-hidden="true">
      {[0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => {
        const [x, y] = [between(ends[0], share), between(ends[1], share)];
        return (
          <g key={share}>
            <line className="grid" x1={px(x)} x2={px(x)} y1={EDGE} y2={HEIGHT - BOTTOM} />
            <line className="grid" x1={LEFT} x2={WIDTH - EDGE} y1={py(y)} y2={py(y)} />
            <text x={px(x)} y={HEIGHT - BOTTOM + 16} textAnchor="middle">
              {figure(x)}
            </text>
            <text x={LEFT - 6} y={py(y) + 4} textAnchor="end">
              {figure(y)}
            </text>
          </g>
        );
      })}
      <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 8} textAnchor="middle">
        {names[0]}
      </text>
      <text x={14} y={HEIGHT / 2} textAnchor="middle" transform={`rotate(-90 14 ${HEIGHT / 2})`}>
        {names[1]}
      </text>
    </g>
  );
}

/** The candidates of the runs that have both measures, for comparison. */
function useOthers(xName: string, yName: string): (readonly [number, number])[] {
  const { columns } = useCandidates();
  return useMemo(() => {
    const [xs, ys] = [columns?.measures[xName], columns?.measures[yName]];
    if (!xs || !ys) return [];
    const every = Math.max(1, Math.ceil(xs.length / MAX_OTHERS));
    return xs.flatMap((x, i) => (i % every || x === null || ys[i] == null ? [] : [[x, ys[i]] as const]));
  }, [columns, xName, yName]);
}
