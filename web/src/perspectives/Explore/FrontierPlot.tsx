import { useCallback, useMemo, useState } from "react";
import { extent } from "../../charts/range";
import { frontierOf } from "../../charts/frontier";
import { type Axis, Scatter } from "../../charts/Scatter";
import { nameOf, positionsOf, type ViewProps } from "../../candidates/columns";
import { pick, pickAll, useSelection } from "../../candidates/selection";
import { usedMethods } from "../../candidates/useCandidates";
import { Button, Section, Select, showError } from "../../components";
import { useStudio } from "../../studio";
import { sentence } from "../../words";
import { Legend } from "./Legend";

const NONE = "none";

/** The scatter plot and the measures on its axes. */
export function FrontierPlot({ columns, positions, positionOf }: ViewProps) {
  const { session, measure, ask } = useStudio();
  const selection = useSelection(session.id);
  const names = Object.keys(columns.measures);
  const [asked, setAsked] = useState<Record<string, string>>({});
  const [reason, setReason] = useState("");
  const axis = useAxis(columns.measures);
  const xName = names.includes(asked.x ?? "") ? asked.x! : (names.find((name) => name === "loss") ?? names[0] ?? "");
  const others = names.filter((name) => name !== xName);
  const yName = names.includes(asked.y ?? "") ? asked.y! : (others.find((name) => measure(name)?.family !== "loss") ?? others[0] ?? xName);
  const [x, y, size, colour] = [axis(xName), axis(yName), axis(asked.size), axis(asked.colour)];
  const front = useMemo(
    () => (x && y ? frontierOf(positions, x.values, y.values, [x.better ?? "lower", y.better ?? "lower"]) : []),
    [positions, x, y],
  );
  const selected = useMemo(() => positionsOf(selection.ids, positionOf), [selection.ids, positionOf]);
  const name = useCallback((position: number) => nameOf(columns, position), [columns]);
  const onPick = useCallback((position: number, extend: boolean) => pick(columns.id[position] ?? "", extend), [columns]);
  const onBrush = useCallback((brushed: number[]) => pickAll(brushed.map((position) => columns.id[position] ?? "")), [columns]);
  const options = names.map((id) => ({ id, label: measure(id)?.title ?? id, hint: measure(id)?.meaning }));
  const more = [{ id: NONE, label: "–" }, ...options];
  const suggest = async (which: "knee" | "useful"): Promise<void> => {
    try {
      const found = await ask("POST /api/sessions/{session}/front", { body: { measures: [xName, yName], runs: [] } });
      const id = found[which];
      if (id) pick(id);
      setReason(which === "knee" ? found.reason : "Of all candidates that keep your promises, this one keeps most information.");
    } catch (problem) {
      showError(problem);
    }
  };
  if (!x || !y) return null;
  const choose = (which: string) => (id: string) => setAsked((before) => ({ ...before, [which]: id }));
  return (
    <Section
      title="Frontier"
      hint="Each point is a candidate; the dashed line joins those that no other dominates. Drag to select several.">
      <div className="row-s">
        <Button size="s" onPress={() => void suggest("knee")} label="Suggest a compromise" />
        <Button size="s" onPress={() => void suggest("useful")} label="As useful as possible within my promises" />
      </div>
      {reason && (
        <p className="small" role="status">
          {sentence(reason)}
        </p>
      )}
      <div className="axis-bar">
        <Select label="Horizontal" options={options} value={xName} onChange={choose("x")} />
        <Select label="Vertical" options={options} value={yName} onChange={choose("y")} />
        <Select label="Size" options={more} value={size ? asked.size! : NONE} onChange={choose("size")} />
        <Select
          label="Colour"
          options={[{ id: NONE, label: "method" }, ...options]}
          value={colour ? asked.colour! : NONE}
          onChange={choose("colour")}
        />
      </div>
      <Scatter
        x={x}
        y={y}
        size={size}
        colour={colour}
        groups={columns.methods}
        group={columns.method}
        positions={positions}
        frontier={front}
        selected={selected}
        name={name}
        onPick={onPick}
        onBrush={onBrush}
      />
      <Legend
        methods={columns.methods}
        used={usedMethods(columns)}
        falseValues={columns.false_values}
        colour={colour}
        positions={positions}
      />
    </Section>
  );
}

/** A measure as an axis, logarithmic where its values span several powers of ten. */
function useAxis(measures: Record<string, (number | null)[]>): (name: string | undefined) => Axis | null {
  const { catalog, titleOf } = useStudio();
  return useMemo(() => {
    const better = new Map(catalog.measures.map((measure) => [measure.name, measure.better]));
    const axes = new Map<string, Axis>();
    for (const [name, values] of Object.entries(measures)) {
      const [low, high] = extent(values, [...values.keys()]) ?? [0, 0];
      axes.set(name, { title: titleOf(name), better: better.get(name) ?? null, values, log: low > 0 && high / low > 200 });
    }
    return (name) => axes.get(name ?? "") ?? null;
  }, [measures, catalog, titleOf]);
}
