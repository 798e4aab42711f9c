import type { CandidateColumns } from "../../api/types";
import { type Filters, guardName, NO_FILTERS } from "../../candidates/filters";
import { usedMethods } from "../../candidates/useCandidates";
import { Button, Checkbox, Checkboxes, Select } from "../../components";
import { useStudio } from "../../studio";

interface Props {
  columns: CandidateColumns;
  filters: Filters;
  onChange: (filters: Filters) => void;
}

const ANY = "any";

/** Filters by method, run and promise; ranges are set in the parallel coordinates. */
export function FilterBar({ columns, filters, onChange }: Props) {
  const { session, catalog } = useStudio();
  const methods = usedMethods(columns).map((own) => columns.methods[own] ?? "");
  const runs = session.runs.filter((run) => columns.runs.includes(run.id));
  const guards = [...new Set(runs.flatMap((run) => run.guards.map((guard) => guardName(guard, catalog.guards))))];
  const shown = (all: readonly string[], hidden: ReadonlySet<string>) => all.filter((id) => !hidden.has(id));
  const hide = (all: readonly string[], visible: readonly string[]) => new Set(all.filter((id) => !visible.includes(id)));
  const runIds = runs.map(({ id }) => id);
  return (
    <section className="card filter-bar" aria-label="Filters">
      <Checkboxes
        label="Methods"
        value={shown(methods, filters.hiddenMethods)}
        onChange={(visible) => onChange({ ...filters, hiddenMethods: hide(methods, visible) })}
        options={methods.map((id) => ({ id, label: id }))}
      />
      {runs.length > 1 && (
        <Checkboxes
          label="Runs"
          value={shown(runIds, filters.hiddenRuns)}
          onChange={(visible) => onChange({ ...filters, hiddenRuns: hide(runIds, visible) })}
          options={runs.map(({ id, name }) => ({ id, label: name || id }))}
        />
      )}
      <Select
        label="Promise"
        options={[{ id: ANY, label: "any" }, ...guards.map((guard) => ({ id: guard, label: guard }))]}
        value={filters.guard ?? ANY}
        onChange={(id) => onChange({ ...filters, guard: id === ANY ? null : id })}
      />
      <Checkbox isSelected={filters.feasible} onChange={(on) => onChange({ ...filters, feasible: on })}>
        Only candidates that keep the current promises
      </Checkbox>
      <Button size="s" variant="quiet" isDisabled={filters === NO_FILTERS} onPress={() => onChange(NO_FILTERS)} label="Show all" />
    </section>
  );
}
