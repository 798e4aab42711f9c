import { useCallback, useMemo, useState } from "react";
import { Parallel } from "../../charts/Parallel";
import type { Filters } from "../../candidates/filters";
import { pick, useSelection } from "../../candidates/selection";
import { Button } from "../../components/Button";
import { Checkbox } from "../../components/Checkbox";
import { Section } from "../../components/Section";
import { useStudio } from "../../studio/context";
import { placesOf, type Shared } from "./shared";

const MOST_AT_FIRST = 6;

interface Props extends Shared {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** A line per candidate over the measures; a range on an axis is a filter for everything. */
export function ParallelPlot({ columns, positions, positionOf, filters, onChange }: Props) {
  const { session } = useStudio();
  const selection = useSelection(session.id);
  const names = Object.keys(columns.measures);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(names.slice(MOST_AT_FIRST)));
  const axes = useMemo(
    () => Object.entries(columns.measures).filter(([name]) => !hidden.has(name)).map(([name, values]) => ({ name, title: name, values })),
    [columns, hidden],
  );
  const all = useMemo(() => columns.id.map((_, position) => position), [columns]);
  const selected = useMemo(() => placesOf(selection.ids, positionOf), [selection.ids, positionOf]);
  const onPick = useCallback((position: number, extend: boolean) => pick(columns.id[position] ?? "", extend), [columns]);
  const onRange = (name: string, range: readonly [number, number] | null): void => {
    const { [name]: _, ...others } = filters.ranges;
    onChange({ ...filters, ranges: range ? { ...others, [name]: range } : others });
  };
  const brushed = Object.keys(filters.ranges).length > 0;
  return (
    <Section
      title="Parallel coordinates"
      hint="Drag the ends of an axis to keep only a range. The other views follow."
      aside={<Button size="s" variant="quiet" isDisabled={!brushed} onPress={() => onChange({ ...filters, ranges: {} })}>Clear ranges</Button>}
    >
      <Parallel
        axes={axes} all={all} positions={positions} group={columns.method} selected={selected}
        ranges={filters.ranges} onRange={onRange} onPick={onPick}
      />
      {names.length > 2 && (
        <div className="row small" role="group" aria-label="Axes">
          {names.map((name) => (
            <Checkbox
              key={name}
              isSelected={!hidden.has(name)}
              isDisabled={!hidden.has(name) && axes.length <= 2}
              onChange={(on) => setHidden((before) => new Set(on ? [...before].filter((other) => other !== name) : [...before, name]))}
            >
              {name}
            </Checkbox>
          ))}
        </div>
      )}
    </Section>
  );
}
