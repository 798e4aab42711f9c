import { useCallback, useMemo, useState } from "react";
import { Parallel } from "../../charts/Parallel";
import { positionsOf, type ViewProps } from "../../candidates/columns";
import type { Filters } from "../../candidates/filters";
import { pick, useSelection } from "../../candidates/selection";
import { Button, Checkbox, Section } from "../../components";
import { useStudio } from "../../studio";
import { withMember } from "../../words";

const SHOWN_AT_FIRST = 6;

interface Props extends ViewProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** A line per candidate across the measures; a range on an axis filters all views. */
export function ParallelPlot({ columns, positions, positionOf, filters, onChange }: Props) {
  const { session, titleOf } = useStudio();
  const selection = useSelection(session.id);
  const names = Object.keys(columns.measures);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(names.slice(SHOWN_AT_FIRST)));
  const axes = useMemo(
    () =>
      Object.entries(columns.measures)
        .filter(([name]) => !hidden.has(name))
        .map(([name, values]) => ({ name, title: titleOf(name), values })),
    [columns, hidden, titleOf],
  );
  const all = useMemo(() => columns.id.map((_, position) => position), [columns]);
  const selected = useMemo(() => positionsOf(selection.ids, positionOf), [selection.ids, positionOf]);
  const onPick = useCallback((position: number, extend: boolean) => pick(columns.id[position] ?? "", extend), [columns]);
  const onRange = (name: string, range: readonly [number, number] | null): void => {
    const { [name]: _, ...others } = filters.ranges;
    onChange({ ...filters, ranges: range ? { ...others, [name]: range } : others });
  };
  const hasRanges = Object.keys(filters.ranges).length > 0;
  return (
    <Section
      title="Parallel coordinates"
      hint="Drag the ends of an axis to filter all views by a range."
      aside={
        <Button
          size="s"
          variant="quiet"
          isDisabled={!hasRanges}
          onPress={() => onChange({ ...filters, ranges: {} })}
          label="Clear ranges"
        />
      }>
      <Parallel
        axes={axes}
        all={all}
        positions={positions}
        group={columns.method}
        selected={selected}
        ranges={filters.ranges}
        onRange={onRange}
        onPick={onPick}
      />
      {names.length > 2 && (
        <div className="row small" role="group" aria-label="Axes">
          {names.map((name) => (
            <Checkbox
              key={name}
              isSelected={!hidden.has(name)}
              isDisabled={!hidden.has(name) && axes.length <= 2}
              onChange={(on) => setHidden(withMember(hidden, name, !on))}>
              {titleOf(name)}
            </Checkbox>
          ))}
        </div>
      )}
    </Section>
  );
}
