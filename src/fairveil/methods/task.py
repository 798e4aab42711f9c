"""Task: one request, validated once. This is all that methods see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from fairveil.counting.lattice import Lattice
from fairveil.counting.ordering import content_order
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.engines import Source, source_of
from fairveil.engines.repeated_persons import person_notes, person_problems, unseen_persons
from fairveil.errors import refuse
from fairveil.guards import Guard
from fairveil.progress import Progress, Report
from fairveil.published.judge import Judged, judge, judged_columns
from fairveil.recipes.change import Change

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells
    from fairveil.data.table import Table
    from fairveil.recipes.recipe import Recipe

T = TypeVar("T")


def shared(compute: Callable[[Task], T]) -> cached_property[T]:
    """A property that a task and its twins (`reporting_to`) compute once: the first thread that asks, others wait."""

    def of(task: Task) -> T:
        lock, values = task._shared
        with lock:
            if compute.__name__ not in values:
                values[compute.__name__] = compute(task)
            value: T = values[compute.__name__]
            return value

    of.__doc__ = compute.__doc__
    return cached_property(of)


@dataclass(frozen=True)
class Task:
    """What to publish, under which guards. `levels` are the bound hierarchies of the quasi columns.

    `private` are notes for the owner only. Where values were `merged`, those say how, and `margins` have the rows of
    each value. A task that does not suppress leaves out nobody, whatever its guards allow.
    """

    source: Source
    schema: Schema
    guards: tuple[Guard, ...]
    levels: dict[str, Levels]
    other_levels: dict[str, Levels]
    seed: int = 0
    progress: Progress = field(default_factory=Progress)
    private: tuple[str, ...] = ()
    margins: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False)
    merged: bool = False
    suppresses: bool = True

    @classmethod
    def of(
        cls,
        data: Source | Table,
        schema: Schema,
        guards: Sequence[Guard],
        seed: int = 0,
        progress: Progress | Report | None = None,
        *,
        bind: bool = True,
        whole_domains: bool = False,
        counts: bool = False,
    ) -> Task:
        """Validate the request before any work; refuse it with everything that is wrong.

        Without `bind`, for methods that declare their domains, nothing is refused because of the values that occur,
        and `levels` are empty. With `whole_domains`, for methods that generalize all values of a column alike, values
        may be merged before they are counted, where an engine has too many (`engines/coarser.py`). With `counts`, for
        methods that look at cells, an engine counts these first: no column is then counted by itself.
        """
        source, settings = source_of(data), (seed, Progress.of(progress))
        with source.snapshot.explaining():
            return cls._of(source, schema, guards, *settings, bind=bind, whole_domains=whole_domains, counts=counts)

    @classmethod
    def _of(
        cls, source: Source, schema: Schema, guards: Sequence[Guard], seed: int, progress: Progress, *,
        bind: bool, whole_domains: bool, counts: bool,
    ) -> Task:  # fmt: skip
        schema = replace(schema, read=getattr(source, "dialect", None) or schema.read.remembered())
        if schema.population is not None and bind:  # otherwise the number of rows is not to be told
            people, unit = source.rows, "row"
            if schema.person is not None:
                people, unit = source.sizes([schema.person]).distinct, "person"
            schema = replace(schema, population=schema.population.of_sample(people, unit))
        unnamed = schema.name_problems(source.names)
        if counts and bind and source.engine is not None and not unnamed:
            source.engine.count_together(judged_columns(schema, guards, source.names), schema.person)
        if bind:
            schema.check(source)
        else:
            refuse(unnamed)
        source.need(schema.published)
        problems = [problem for guard in guards for problem in guard.check_schema(schema)]
        if not guards:
            problems.append("no guard is given: name at least one promise that the release must keep")
        by_size = [guard.kind for guard in guards if guard.by_size]
        if len(by_size) > 1:
            problems.append(f"{by_size[0]} is asked for twice: keep the larger k")
        if bind:
            problems += [problem for guard in guards for problem in guard.check_rows(source.rows)]
        refuse([*problems, *(person_problems(source, schema) if bind else ())])
        simple = [guard.simplest(schema) for guard in guards]
        guards = simple if sum(guard.by_size for guard in simple) <= 1 else guards
        private = person_notes(source, schema) if bind else unseen_persons(schema)
        if not bind:
            return cls(source, schema, tuple(guards), {}, {}, seed, progress, private)
        source = source.at_levels(schema)
        bound = schema.bind(source)
        quasi = {name: bound.pop(name) for name in schema.quasi}
        task = cls(source, schema, tuple(guards), quasi, bound, seed, progress, private)
        if not whole_domains or source.has_rows:
            return task
        from fairveil.engines.coarser import coarsened

        columns = judged_columns(schema, guards, source.names)
        coarse, margins, note = coarsened(source, columns, quasi, task.k, task.budget_rows)
        return replace(task, source=coarse, margins=margins, merged=True, private=(*private, note)) if note else task

    @cached_property
    def rows(self) -> int:
        return self.source.rows

    @cached_property
    def k(self) -> int:
        """The rows that every class must have at least."""
        return max((guard.least_rows for guard in self.guards), default=1)

    @cached_property
    def budget(self) -> int:
        """How many rows may be suppressed, or how many persons where these are counted."""
        person, guards = self.schema.person, self.guards if self.suppresses else ()
        units = self.rows if person is None or not guards else self.source.sizes([person]).distinct
        return max((guard.budget(units) for guard in guards), default=0)

    @cached_property
    def budget_rows(self) -> int:
        """How many rows may be suppressed at most: those of the persons who have the most, where persons are counted.

        A class of fewer than k rows has fewer than k persons, so searches that know rows alone rule out nothing else.
        """
        person = self.schema.person
        return self.budget if person is None or not self.budget else self.source.sizes([person]).most(self.budget)

    @cached_property
    def other_guards(self) -> list[Guard]:
        """The guards that the numbers of records in classes alone do not decide."""
        return [guard for guard in self.guards if not guard.by_size or self.persons_repeat]

    @cached_property
    def persons_repeat(self) -> bool:
        """Whether a person has several records."""
        person = self.schema.person
        return person is not None and self.source.sizes([person]).distinct < self.rows

    def reporting_to(self, progress: Progress) -> Task:
        """The same task for one of several methods that report apart; what both need is computed once."""
        twin = replace(self, progress=progress)
        twin.__dict__["_shared"] = self._shared
        return twin

    def leaving_out_nobody(self, rows: Source | None = None) -> Task:
        """The same task without suppression; with `rows`, about these rows of the source (or cells of it) only."""
        twin = replace(self, suppresses=False)
        twin.__dict__["_shared"] = self._shared
        if rows is not None:
            named = [name for name in (*self.levels, *self.other_levels) if name in rows.names]
            cells = {name: rows.count([name]) for name in named}
            schema = self.schema.narrowed_each(
                lambda name: (cells[name].table().column(name), cells[name].counts) if name in cells else None
            )
            bound = {name: schema.hierarchy(name).bind(rows.domain(name).domain, name) for name in named}
            levels, others = ({n: bound[n] for n in of if n in bound} for of in (self.levels, self.other_levels))
            twin = replace(twin, source=rows, schema=schema, levels=levels, other_levels=others)
        return twin

    @cached_property
    def _shared(self) -> tuple[RLock, dict[str, Any]]:
        return RLock(), {}

    @shared
    def cells(self) -> Cells:
        """The distinct tuples of everything that guards and measures look at."""
        columns = judged_columns(self.schema, self.guards, self.source.names)
        cells = self.source.count(columns, self.other_levels)
        return replace(cells, margins=self.margins) if self.margins else cells

    @shared
    def source_table(self) -> Table:
        """All rows of the source in its own order: cells are numbered in this order."""
        return self.source.table

    @cached_property
    def table(self) -> Table:
        """All rows, for methods that need rows, in the order of what is published of them.

        So ties go to the first row by content, and nothing depends on the order of the source.
        """
        return self.source_table.take(self.order)

    @cached_property
    def shuffled(self) -> np.ndarray:
        """The rows of the source by content, then shuffled, for models: those must not learn from an order either."""
        return self.order[np.random.default_rng(self.seed).permutation(self.rows)]

    @shared
    def order(self) -> np.ndarray:
        """The row of the source behind each row of the table."""
        schema = self.schema
        unseen = {*schema.columns} - {*schema.published, *schema.protected}
        seen = self.source_table.drop(unseen)
        if (
            schema.person is not None and schema.person in unseen
        ):  # of equal rows, whose they are decides in which groups persons are
            seen = replace(seen, columns=(*seen.columns, self.source_table.column(schema.person)))
        return content_order(seen)

    def change(
        self,
        recipe: Recipe,
        groups: np.ndarray,
        positions: np.ndarray | None = None,
        corrected: Mapping[str, np.ndarray] | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> Change:
        """The change of the source that puts the rows of the table into groups."""

        def of_source(codes: np.ndarray) -> np.ndarray:
            turned = np.empty_like(codes)
            turned[self.order] = codes
            return turned

        corrected = {name: of_source(codes) for name, codes in (corrected or {}).items()}
        return Change(recipe, of_source(groups.astype(np.int64)), positions, corrected, facts or {})

    def change_of_part(self, change: Change, rows: np.ndarray) -> Change:
        """The change of the source that is this change of some rows of the table, and leaves out the others."""
        assert change.groups is not None
        groups, at = np.full(self.rows, -1, dtype=np.int64), self.order[rows]
        groups[at] = change.groups
        corrected = {}
        for name, codes in change.corrected.items():
            corrected[name] = self.source_table.column(name).codes.copy()
            corrected[name][at] = codes
        facts = {**change.facts, "left_over": self.rows - len(rows)}
        return replace(change, groups=groups, corrected=corrected, facts=facts)

    @cached_property
    def lattice(self) -> Lattice:
        return Lattice(self.cells, self.levels, self.progress)

    def judge(self, change: Change, also: Sequence[str] = ()) -> Judged:
        """What a change would publish of the source, and how the guards judge it; its classes are described by the
        columns that these look at, and by those that are `also` named, if they are published, or a household."""
        known = (*self.schema.published, self.schema.household)
        also = tuple(name for name in also if name in known and name in self.source.names)
        if change.groups is None and not change.staged:
            return judge(self.source, self.schema, self.guards, change, also)
        key = (id(change), also)
        if key not in self._judged:  # it takes a pass over the rows: once is enough
            self._judged[key] = (change, judge(self.source, self.schema, self.guards, change, also))
        return self._judged[key][1]

    @cached_property
    def _judged(self) -> dict[tuple[int, tuple[str, ...]], tuple[Change, Judged]]:
        """Changes judged so far; keeping them makes sure that their ids are not used again."""
        return {}

    def offer(self, proposal: Callable[[], Any]) -> None:
        """Say what would be proposed if the search ended now."""
        self.progress.offer(proposal)

    def report(self, share: float, what: str) -> None:
        """Report how far the search is; raises Cancelled if it should stop."""
        self.progress.tell(share, what)
