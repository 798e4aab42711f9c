import { type Filters, guardName, NO_FILTERS } from "../../candidates/filters";
import type { CandidateColumns } from "../../api/types";
import { Button } from "../../components/Button";
import { Checkbox } from "../../components/Checkbox";
import { Select } from "../../components/Select";
import { useStudio } from "../../studio/context";

interface Props {
  columns: CandidateColumns;
  filters: Filters;
  onChange: (filters: Filters) => void;
}

const ANY = "any";

/** What is shown: by method, run, promise; ranges are set on the parallel coordinates. */
export function FilterBar({ columns, filters, onChange }: Props) {
  const { session } = useStudio();
  const runs = session.runs.filter((run) => columns.runs.includes(run.id));
  const guards = [...new Set(runs.flatMap((run) => run.guards.map(guardName)))];
  const touched = filters !== NO_FILTERS;
  const toggled = (set: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> =>
    new Set(on ? [...set].filter((other) => other !== name) : [...set, name]);
  return (
    <section className="card filter-bar" aria-label="Filters">
      <div className="filter-group" role="group" aria-label="Methods">
        <span className="label">Methods</span>
        {columns.methods.map((method) => (
          <Checkbox
            key={method}
            isSelected={!filters.hiddenMethods.has(method)}
            onChange={(on) => onChange({ ...filters, hiddenMethods: toggled(filters.hiddenMethods, method, on) })}
          >
            {method}
          </Checkbox>
        ))}
      </div>
      {runs.length > 1 && (
        <div className="filter-group" role="group" aria-label="Runs">
          <span className="label">Runs</span>
          {runs.map((run) => (
            <Checkbox
              key={run.id}
              isSelected={!filters.hiddenRuns.has(run.id)}
              onChange={(on) => onChange({ ...filters, hiddenRuns: toggled(filters.hiddenRuns, run.id, on) })}
            >
              {run.name || run.id}
            </Checkbox>
          ))}
        </div>
      )}
      <Select
        label="Promise kept"
        options={[{ id: ANY, label: "any" }, ...guards.map((guard) => ({ id: guard, label: guard }))]}
        value={filters.guard ?? ANY}
        onChange={(id) => onChange({ ...filters, guard: id === ANY ? null : id })}
      />
      <Checkbox isSelected={filters.feasible} onChange={(on) => onChange({ ...filters, feasible: on })}>
        Only what keeps today’s promises
      </Checkbox>
      <Button size="s" variant="quiet" isDisabled={!touched} onPress={() => onChange(NO_FILTERS)}>
        Show all
      </Button>
    </section>
  );
}
