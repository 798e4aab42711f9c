import { useCallback, useMemo, useState } from "react";
import { frontier as frontierOf } from "../../charts/frontier";
import { type Axis, Scatter } from "../../charts/Scatter";
import { pick, pickAll, useSelection } from "../../candidates/selection";
import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { Select } from "../../components/Select";
import { complain } from "../../components/toasts";
import { useStudio } from "../../studio/context";
import { Legend } from "./Legend";
import { nameOf, placesOf, type Shared } from "./shared";

const NONE = "none";

/** The scatter and what is on its axes. */
export function FrontierPlot({ columns, positions, positionOf }: Shared) {
  const { session, catalog, ask } = useStudio();
  const selection = useSelection(session.id);
  const names = Object.keys(columns.measures);
  const [asked, setAsked] = useState<Record<string, string>>({});
  const axis = useAxis(columns.measures);
  const xName = names.includes(asked.x ?? "") ? asked.x! : (names.find((name) => name === "loss") ?? names[0] ?? "");
  const yName = names.includes(asked.y ?? "")
    ? asked.y!
    : (names.find((name) => name !== xName && catalog.measures.find((m) => m.name === name)?.family !== "loss") ??
      names.find((name) => name !== xName) ??
      xName);
  const [x, y, size, colour] = [axis(xName), axis(yName), axis(asked.size), axis(asked.colour)];
  const front = useMemo(
    () => (x && y ? frontierOf(positions, x.values, y.values, [x.better ?? "lower", y.better ?? "lower"]) : []),
    [positions, x, y],
  );
  const selected = useMemo(() => placesOf(selection.ids, positionOf), [selection.ids, positionOf]);
  const name = useCallback((position: number) => nameOf(columns, position), [columns]);
  const onPick = useCallback((position: number, extend: boolean) => pick(columns.id[position] ?? "", extend), [columns]);
  const onBrush = useCallback((places: number[]) => pickAll(places.map((place) => columns.id[place] ?? "")), [columns]);
  const options = names.map((id) => ({ id, label: id, hint: catalog.measures.find((m) => m.name === id)?.meaning }));
  const more = [{ id: NONE, label: "–" }, ...options];
  const compromise = async (): Promise<void> => {
    try {
      const { knee } = await ask("POST /api/sessions/{session}/front", { body: { measures: [xName, yName], runs: [] } });
      if (knee) pick(knee);
    } catch (problem) {
      complain(problem);
    }
  };
  if (!x || !y) return null;
  const choose = (which: string) => (id: string) => setAsked((before) => ({ ...before, [which]: id }));
  return (
    <Section
      title="Frontier"
      hint="A point is a candidate; no other beats those on the dashed line. Drag to select many."
      aside={<Button size="s" onPress={() => void compromise()}>Suggest a compromise</Button>}
    >
      <div className="axis-bar">
        <Select label="Across" options={options} value={xName} onChange={choose("x")} />
        <Select label="Up" options={options} value={yName} onChange={choose("y")} />
        <Select label="Size" options={more} value={size ? asked.size! : NONE} onChange={choose("size")} />
        <Select label="Colour" options={[{ id: NONE, label: "method" }, ...options]} value={colour ? asked.colour! : NONE} onChange={choose("colour")} />
      </div>
      <Scatter
        x={x} y={y} size={size} colour={colour}
        groups={columns.methods} group={columns.method}
        positions={positions} frontier={front} selected={selected}
        name={name} onPick={onPick} onBrush={onBrush}
      />
      <Legend methods={columns.methods} falseValues={columns.false_values} colour={colour} positions={positions} />
    </Section>
  );
}

/** A measure as an axis; one that spans several powers of ten is drawn on a logarithmic scale. */
function useAxis(measures: Record<string, (number | null)[]>): (name: string | undefined) => Axis | null {
  const { catalog } = useStudio();
  return useMemo(() => {
    const made = new Map<string, Axis>();
    for (const [name, values] of Object.entries(measures)) {
      const finite = values.filter((value) => value !== null);
      const [low, high] = [finite.reduce((a, b) => Math.min(a, b), Infinity), finite.reduce((a, b) => Math.max(a, b), 0)];
      const better = catalog.measures.find((measure) => measure.name === name)?.better ?? null;
      made.set(name, { title: name, better, values, log: low > 0 && high / low > 200 });
    }
    return (name) => made.get(name ?? "") ?? null;
  }, [measures, catalog]);
}
