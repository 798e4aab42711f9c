import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
import type { Walk } from "../../api/types";
import { useCandidates } from "../../candidates/useCandidates";
import { useStudio } from "../../studio/context";
import { figure } from "../../words";
import type { Point } from "./index";

interface Props {
  names: readonly string[];
  walk: Walk | null;
  /** The step that is shown. */
  at: number;
  wish: Point;
  onWish: ((wish: Point) => void) | null;
  picked: number | null;
  onPick: (solution: number) => void;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, EDGE] = [560, 440, 56, 44, 16];
const MOST_OTHERS = 1500;

/** Two measures as a plane: where one stands, what one wishes for, the points between, and what was found for them. */
export function Plane({ names, walk, at, wish, onWish, picked, onPick }: Props) {
  const { catalog } = useStudio();
  const [xName = "", yName = ""] = names;
  const svg = useRef<SVGSVGElement>(null);
  const dragging = useRef(false);
  const ends = (name: string): [number, number] => {
    const measure = catalog.measures.find((one) => one.name === name);
    return [measure?.least ?? 0, measure?.most ?? 1];
  };
  const [[x0, x1], [y0, y1]] = [ends(xName), ends(yName)];
  const px = (value: number): number => LEFT + ((value - x0) / (x1 - x0)) * (WIDTH - LEFT - EDGE);
  const py = (value: number): number => HEIGHT - BOTTOM - ((value - y0) / (y1 - y0)) * (HEIGHT - BOTTOM - EDGE);
  const step = walk?.steps[at];
  const start = step?.start;
  const others = useOthers(xName, yName);

  const move = (x: number, y: number): void => {
    const within = (value: number, low: number, high: number): number => Math.round(Math.min(high, Math.max(low, value)) * 1000) / 1000;
    onWish?.({ ...wish, [xName]: within(x, x0, x1), [yName]: within(y, y0, y1) });
  };
  const drag = (event: PointerEvent): void => {
    const box = svg.current?.getBoundingClientRect();
    if (!box || !dragging.current) return;
    const [ux, uy] = [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
    move(x0 + ((ux - LEFT) / (WIDTH - LEFT - EDGE)) * (x1 - x0), y0 + ((HEIGHT - BOTTOM - uy) / (HEIGHT - BOTTOM - EDGE)) * (y1 - y0));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.shiftKey ? 0.1 : 0.01;
    const ways: Record<string, [number, number]> = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    move((wish[xName] ?? 0) + way[0] * (x1 - x0), (wish[yName] ?? 0) + way[1] * (y1 - y0));
  };
  const said = `${xName} ${figure(wish[xName])}, ${yName} ${figure(wish[yName])}`;
  return (
    <svg
      ref={svg}
      className="plane"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="group"
      aria-label={`Plane of ${xName} and ${yName}`}
      onPointerDown={(event) => {
        if (!onWish || (event.target as Element).closest(".solution")) return;
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={drag}
      onPointerUp={() => (dragging.current = false)}
      onPointerCancel={() => (dragging.current = false)}
    >
      <Axes xName={xName} yName={yName} xEnds={[x0, x1]} yEnds={[y0, y1]} px={px} py={py} />
      {others.map(([x, y], i) => <circle key={i} className="others" cx={px(x)} cy={py(y)} r={2} />)}
      {walk?.steps.slice(0, at).flatMap((earlier, i) =>
        earlier.solutions.map((solution, j) => (
          <circle key={`${i}-${j}`} className="earlier" cx={px(solution.point[xName] ?? 0)} cy={py(solution.point[yName] ?? 0)} r={4} />
        )),
      )}
      {start && <line className="direction" x1={px(start[xName] ?? 0)} y1={py(start[yName] ?? 0)} x2={px(wish[xName] ?? 0)} y2={py(wish[yName] ?? 0)} />}
      {start && step && Array.from({ length: step.points }, (_, m) => {
        const share = (m + 1) / step.points;
        const between = (name: string): number => (start[name] ?? 0) + share * ((step.aspirations[name] ?? 0) - (start[name] ?? 0));
        return <circle key={m} className="tick" cx={px(between(xName))} cy={py(between(yName))} r={2} />;
      })}
      {start && <rect className="start" x={px(start[xName] ?? 0) - 6} y={py(start[yName] ?? 0) - 6} width={12} height={12} />}
      <g
        tabIndex={onWish ? 0 : -1}
        role="slider"
        aria-label="Wish"
        aria-valuemin={y0}
        aria-valuemax={y1}
        aria-valuenow={wish[yName] ?? 0}
        aria-valuetext={said}
        aria-description="Arrow keys move it in both measures, with Shift in larger steps."
        aria-disabled={!onWish}
        onKeyDown={onKeyDown}
      >
        <path className="wish" d={star(px(wish[xName] ?? 0), py(wish[yName] ?? 0), 11)} />
      </g>
      {step?.solutions.map((solution, i) => {
        const [cx, cy] = [px(solution.point[xName] ?? 0), py(solution.point[yName] ?? 0)];
        return (
          <g key={i} aria-hidden="true" onClick={() => onPick(i)}>
            <circle className={i === picked ? "solution solution-on" : "solution"} cx={cx} cy={cy} r={10} />
            <text className="solution-number" x={cx} y={cy + 4}>{i + 1}</text>
          </g>
        );
      })}
    </svg>
  );
}

interface AxesProps {
  xName: string;
  yName: string;
  xEnds: readonly [number, number];
  yEnds: readonly [number, number];
  px: (value: number) => number;
  py: (value: number) => number;
}

function Axes({ xName, yName, xEnds, yEnds, px, py }: AxesProps) {
  const steps = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const between = ([low, high]: readonly [number, number], share: number): number => low + share * (high - low);
  return (
    <g aria-hidden="true">
      {steps.map((share) => (
        <g key={share}>
          <line className="grid" x1={px(between(xEnds, share))} x2={px(between(xEnds, share))} y1={EDGE} y2={HEIGHT - BOTTOM} />
          <line className="grid" x1={LEFT} x2={WIDTH - EDGE} y1={py(between(yEnds, share))} y2={py(between(yEnds, share))} />
          <text x={px(between(xEnds, share))} y={HEIGHT - BOTTOM + 16} textAnchor="middle">{figure(between(xEnds, share))}</text>
          <text x={LEFT - 6} y={py(between(yEnds, share)) + 4} textAnchor="end">{figure(between(yEnds, share))}</text>
        </g>
      ))}
      <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 8} textAnchor="middle">{xName}</text>
      <text x={14} y={HEIGHT / 2} textAnchor="middle" transform={`rotate(-90 14 ${HEIGHT / 2})`}>{yName}</text>
    </g>
  );
}

function star(x: number, y: number, r: number): string {
  const points = Array.from({ length: 10 }, (_, i) => {
    const angle = (i * Math.PI) / 5 - Math.PI / 2;
    const far = i % 2 ? r * 0.45 : r;
    return `${x + far * Math.cos(angle)} ${y + far * Math.sin(angle)}`;
  });
  return `M${points.join("L")}Z`;
}

/** Candidates of the runs, where they have both measures: what there is without steering. */
function useOthers(xName: string, yName: string): (readonly [number, number])[] {
  const { columns } = useCandidates();
  return useMemo(() => {
    const [xs, ys] = [columns?.measures[xName], columns?.measures[yName]];
    if (!xs || !ys) return [];
    const every = Math.max(1, Math.ceil(xs.length / MOST_OTHERS));
    return xs.flatMap((x, i) => (i % every || x === null || ys[i] == null ? [] : [[x, ys[i]] as const]));
  }, [columns, xName, yName]);
}
