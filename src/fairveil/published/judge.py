"""Judging a change before anything is published: which classes must be suppressed, and whether the guards then hold.

Where equal values of a column are always published as the same value, counted cells suffice and no row is read.

Suppressed are the classes that break a guard, then those that break it on the remaining table (suppression changes
the distribution that t-closeness compares with), and so on until none does. Where the schema says who a record is
about, all records of a person are suppressed together. Guards on the whole release must hold on the rest; no class is
suppressed for them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells, Classes, numbered_classes
from fairveil.data.schema import Schema
from fairveil.display import Displayable
from fairveil.engines.relation import Source, suppressed_cells
from fairveil.guards import Guard, Verdict, guarded_columns
from fairveil.guards.guard import EARLIER
from fairveil.published.judge_sizes import judge_sizes, only_sizes
from fairveil.recipes.change import Change
from fairveil.recipes.outcome import Outcome, PersonCounts

if TYPE_CHECKING:
    from fairveil.counting.summary import Summary
    from fairveil.data.table import Table


@dataclass(frozen=True, repr=False)
class Judged(Displayable):
    """A change with its suppressed rows, what it publishes (of cells or of rows), and the guards' verdicts.

    `sized` are the published classes; None where the columns are split. Where their sizes were enough to judge, they do
    not say whose records they have: `whole` describes them so.
    """

    change: Change
    outcome: Outcome
    schema: Schema
    sized: Classes | None
    verdicts: tuple[Verdict, ...]
    whole: Callable[[], Classes] | None = None

    @cached_property
    def classes(self) -> Classes | None:
        """The published classes, with all columns that guards look at; None where the columns are split."""
        return self.sized if self.whole is None else self.whole()

    def _headline(self) -> str:
        return f"Judged: {self.change._headline()}"

    @property
    def holds(self) -> bool:
        return all(self.verdicts)

    @property
    def suppressed(self) -> int:
        return self.outcome.rows - self.outcome.published_rows

    @cached_property
    def summary(self) -> Summary:
        return self.outcome.summary(self.schema, self.sized)


def judge(source: Source, schema: Schema, guards: Sequence[Guard], change: Change, also: Sequence[str] = ()) -> Judged:
    """Return what a change would publish; classes that break a guard are suppressed as far as the guards allow.

    `also` names columns that describe the classes besides those that the guards look at.
    """
    if change.staged:
        from fairveil.published.judge_groups import judge_groups

        return judge_groups(source, schema, guards, change, also)
    if change.recipe.splits:
        from fairveil.guards.projections import Projections

        outcome = change.outcome(source.table)
        parts = Projections.published(list(outcome.tables.values()), schema)
        change = replace(change, recipe=change.recipe.shown(outcome.tables))
        return Judged(change, outcome, schema, None, parts.check(guards))
    columns: tuple[str, ...] = ()
    described = [*guarded_columns(guards, schema), *also]
    if change.recipe.groups_rows:
        table, counts = getattr(source, "judged_table", None) or source.table, None
        outcome = change.outcome(without_hidden(table))
    else:
        columns = judged_columns(schema, guards, source.names, also)
        cells = source.count(columns)
        if only_sizes(schema, guards, change, cells):
            sized = judge_sizes(schema, guards, change, cells, described)
            if sized is not None:
                verdicts = tuple(guard.verdict(sized[1], schema) for guard in guards)
                return Judged(
                    change, sized[0], schema, sized[1], verdicts, lambda: _whole(change, cells, schema, described)
                )
        table, counts = cells.table(), cells.counts
        suppressed = suppressed_cells(source, change, cells)
        outcome = change.of_rows(without_hidden(table), np.flatnonzero(~suppressed), counts)
    classes, cell_of_row = numbered_classes(with_hidden(outcome, table, schema), schema, outcome.counts, described)
    given, gone = source.rows, source.rows - outcome.published_rows
    if schema.person is not None:
        persons = PersonCounts.of(table.column(schema.person).codes, outcome.source_rows)
        given, gone = persons.source, persons.suppressed
    budget = max((guard.budget(given) for guard in guards), default=0) - gone
    left = publishable(classes, schema, guards, 0 if change.recipe.groups_rows else budget)
    if left is not None and not left.published.all():
        passing = left.published[cell_of_row]
        suppressed[np.flatnonzero(~suppressed)[~passing]] = True
        outcome, classes = outcome.take(np.flatnonzero(passing)), left.classes
    if schema.person is not None:
        outcome = outcome.by_person(table.column(schema.person))
    if columns and suppressed.any():
        change = replace(change, columns=columns, suppressed=suppressed)
    if outcome.published_rows < source.rows or schema.learns:
        units, people = (source.rows, outcome.published_rows), outcome.persons  # a weight belongs to a person
        change = change.recalibrated(*(units if people is None else (people.source, people.published)))
        schema = replace(schema, weight_factor=change.recipe.schema.weight_factor)
        change, fresh = of_published(change, without_hidden(table), counts)
        outcome = fresh.measured_as(outcome)
        classes, _ = numbered_classes(with_hidden(outcome, table, schema), schema, outcome.counts, described)
    return Judged(change, outcome, schema, classes, tuple(guard.verdict(classes, schema) for guard in guards))


def _whole(change: Change, cells: Cells, schema: Schema, described: Sequence[str]) -> Classes:
    """The classes of cells that are all published, which say who they are about."""
    table = cells.table()
    hidden = with_hidden(change.outcome(table, cells.counts), table, schema)
    return numbered_classes(hidden, schema, cells.counts, described)[0]


def with_hidden(outcome: Outcome, table: Table, schema: Schema) -> Table:
    """The only table of an outcome, with the columns of the source (or its cells) that say who a record is about, of
    which household, and in which classes of earlier releases: to be judged, not published."""
    names = [name for name in (schema.person, schema.household, EARLIER) if name is not None and name in table]
    if not names:
        return outcome.table
    rows = table.select(names) if outcome.source_rows is None else table.select(names).take(outcome.source_rows)
    others = outcome.table.drop(names)
    return replace(others, columns=(*others.columns, *rows.columns))


def without_hidden(table: Table) -> Table:
    """The table without the column of earlier classes, which no schema names."""
    return table.drop([EARLIER]) if EARLIER in table else table


def of_published(change: Change, table: Table, counts: np.ndarray | None) -> tuple[Change, Outcome]:
    """The change and its outcome as if the source had only the rows (or cells with counts) that it publishes.

    A release must not depend on suppressed rows.
    """
    if change.groups is not None:
        index = np.flatnonzero(change.groups >= 0)
    else:
        index = np.arange(table.rows) if change.suppressed is None else np.flatnonzero(~change.suppressed)
    change = change.narrowed(table, index, counts)
    outcome = change.of_rows(table, index, counts)
    return replace(change, recipe=change.recipe.shown(outcome.tables)), outcome


def judged_columns(
    schema: Schema, guards: Sequence[Guard], names: Sequence[str], also: Sequence[str] = ()
) -> tuple[str, ...]:
    """The columns of a source that guards and measures need, and those that are `also` named."""
    decision = [schema.decision] if schema.decision else []
    needed = [*schema.quasi, *guarded_columns(guards, schema), *decision, *also]
    return tuple(name for name in dict.fromkeys(needed) if name in names or name == EARLIER)


@dataclass(frozen=True)
class Publishable:
    """`published` marks the cells of classes that are published."""

    published: np.ndarray
    judged: Classes

    @cached_property
    def classes(self) -> Classes:
        """The published classes, of published cells alone."""
        return self.judged if self.published.all() else self.judged.keep(self.published)

    def described(self, names: Collection[str | None]) -> Classes:
        """The published classes, described by these columns only."""
        codes = {name: column for name, column in self.judged.codes.items() if name in names}
        return replace(self, judged=replace(self.judged, codes=codes)).classes


def publishable(classes: Classes, schema: Schema, guards: Sequence[Guard], budget: int) -> Publishable | None:
    """Suppress the classes that break a guard, and persons in them, until none does; None if that takes more than
    `budget` rows, or persons where these are counted."""
    person = schema.person
    if person is None and all(guard.alone and not guard.across for guard in guards if guard.per_class):
        return _publishable_at_once(classes, schema, guards, budget)
    left, free = Publishable(np.ones(len(classes.ids), dtype=bool), classes), max(budget, 0)
    while True:
        remaining = left.classes
        breaking = np.zeros(len(remaining.ids), dtype=bool)
        for guard in guards:
            if guard.per_class:
                breaking |= guard.breaking(remaining, schema)
                if remaining.units(breaking, person) > free:
                    return None  # whatever the other guards say
        if not breaking.any():
            return left
        published = left.published.copy()
        published[published] = ~remaining.with_persons_of(breaking, person)
        left, free = Publishable(published, classes), budget - classes.units(~published, person)
        if free < 0:
            return None


def _publishable_at_once(classes: Classes, schema: Schema, guards: Sequence[Guard], budget: int) -> Publishable | None:
    """The same if no guard compares a class with others, and no person is in several: the rest keeps every guard."""
    breaking = np.zeros(len(classes), dtype=bool)
    for guard in guards:
        if guard.per_class:
            breaking |= ~guard.passing(classes, schema)
            if int(classes.rows[breaking].sum()) > max(budget, 0):
                return None  # whatever the other guards say
    return Publishable(~breaking[classes.ids], classes)
