"""feasibility: verdicts of guards on unchanged data, and the columns to blame.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> [answer] = GuardFeasibility(credit.table, credit.schema).of([fv.KAnonymity(3)])
>>> answer.verdict.holds, answer.reachable, answer.blame[0].column
(False, True, 'Sex')

It is fast enough to run while a slider moves: the data is counted once, and every query works on cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.tuples import group_of
from fairveil.engines import source_of
from fairveil.engines.repeated_persons import person_problems
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards import Guard, Verdict
from fairveil.run.check import checked_columns

if TYPE_CHECKING:
    from fairveil.data.dialect import Missing
    from fairveil.data.schema import Schema


@dataclass(frozen=True)
class ColumnBlame:
    """How many records would still break a guard if this column were left out."""

    column: str
    broken_rows: int


@dataclass(frozen=True)
class FeasibilityResult:
    """The verdict of a guard. `reachable`: it holds if every quasi column is left out, within its budget.

    `blame` are the columns whose removal helps, the most helpful first. `problem` says why there is no verdict.
    """

    guard: Guard
    verdict: Verdict | None
    reachable: bool = False
    blame: tuple[ColumnBlame, ...] = ()
    problem: str | None = None


class GuardFeasibility:
    """Data with roles, counted once, for queries about any guards."""

    def __init__(self, table: Any, schema: Schema, *, missing: Missing = "category") -> None:
        source = source_of(table, missing=missing)
        if not schema.quasi:
            raise BadInput("no column is quasi: name those that can be linked to other data")
        refuse([suggest(name, source.names, "column") for name in schema.quasi if name not in source.names])
        self.source, self.schema = source.at_levels(schema), schema
        self._cells: dict[tuple[str, ...], Cells] = {}
        self._classes: dict[tuple[str, ...], Classes] = {}

    @cached_property
    def _person_problems(self) -> list[str]:
        return person_problems(self.source, self.schema)

    def _counted(self, names: tuple[str, ...]) -> Cells:
        if names not in self._cells:
            leaves = {*self.schema.quasi, *self.schema.levels}  # guards need no hierarchy of these
            others = {n: rule for n, rule in self.schema.hierarchies.items() if n in names and n not in leaves}
            levels = {name: rule.bind(self.source.domain(name).domain, name) for name, rule in others.items()}
            self._cells[names] = self.source.count(names, levels)
        return self._cells[names]

    def of(self, guards: Sequence[Guard]) -> list[FeasibilityResult]:
        """The results of these guards, in order."""
        return [self._of(guard) for guard in guards]

    def _of(self, guard: Guard) -> FeasibilityResult:
        problems = [*guard.check_schema(self.schema), *guard.check_rows(self.source.rows), *self._person_problems]
        if problems:
            return FeasibilityResult(guard, None, problem=problems[0])
        try:
            verdict = guard.verdict(self._without(guard), self.schema)
            if verdict.holds:
                return FeasibilityResult(guard, verdict, reachable=True)
            reachable = self._kept(guard, self._without(guard, *self.schema.quasi))
            return FeasibilityResult(guard, verdict, reachable, self._blame(guard, verdict))
        except BadInput as problem:
            return FeasibilityResult(guard, None, problem=str(problem))

    def _kept(self, guard: Guard, classes: Classes) -> bool:
        """Whether a guard holds after the suppression it allows."""
        if not guard.per_class:
            return guard.holds(classes, self.schema)
        person = self.schema.person
        units = self.source.rows if person is None else self.source.sizes([person]).distinct
        return classes.units(self._breaking(guard, classes), person) <= guard.budget(units)

    def _breaking(self, guard: Guard, classes: Classes) -> np.ndarray:
        """The cells of classes that break a guard, and of the persons in them."""
        return classes.with_persons_of(guard.breaking(classes, self.schema), self.schema.person)

    def _broken(self, guard: Guard, classes: Classes) -> int:
        """The number of records of these cells."""
        return int(classes.counts[self._breaking(guard, classes)].sum())

    def _blame(self, guard: Guard, verdict: Verdict) -> tuple[ColumnBlame, ...]:
        if not guard.per_class or len(self.schema.quasi) < 2:
            return ()
        left = [ColumnBlame(name, self._broken(guard, self._without(guard, name))) for name in self.schema.quasi]
        helping = [blame for blame in left if blame.broken_rows < verdict.broken_rows]
        return tuple(sorted(helping, key=lambda blame: blame.broken_rows))

    def _without(self, guard: Guard, *names: str) -> Classes:
        """The equivalence classes of the data without these quasi columns; cached."""
        columns = tuple(checked_columns(self.schema, [guard], self.source.names))
        key = (*columns, "", *names)
        if key not in self._classes:
            cells = self._counted(columns)
            quasi = [name for name in self.schema.quasi if name not in names]
            ids, total = group_of([(cells.codes[name], cells.sizes[name]) for name in quasi], len(cells))
            gone = np.zeros(len(cells), dtype=np.int64)  # a single value
            codes = {name: gone if name in names else column for name, column in cells.codes.items()}
            self._classes[key] = Classes.from_ids(ids, total, cells.counts, codes, cells)
        return self._classes[key]
