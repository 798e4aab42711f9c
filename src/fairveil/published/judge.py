"""Judging a change before anything is published: which classes must be suppressed, and whether the guards then hold.

Where equal values of a column are always published as the same value, counted cells suffice and no row is read.

Suppressed are the classes that break a guard, then those that break it on the remaining table (suppression changes
the distribution that t-closeness compares with), and so on until none does. Guards on the whole release must hold on
the rest; no class is suppressed for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fairveil.counting.cells import Classes, classes_of
from fairveil.counting.summary import Summary
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.display import Displayable
from fairveil.engines.relation import Source, suppressed_cells
from fairveil.guards import Guard, Verdict, guarded_columns
from fairveil.guards.projections import Projections
from fairveil.recipes.change import Change
from fairveil.recipes.outcome import Outcome


@dataclass(frozen=True, repr=False)
class Judged(Displayable):
    """A change with its suppressed rows, what it publishes (of cells or of rows), and the guards' verdicts.

    `classes` are the published classes; None where the columns are split.
    """

    change: Change
    outcome: Outcome
    schema: Schema
    classes: Classes | None
    verdicts: tuple[Verdict, ...]

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
        return self.outcome.summary(self.schema, self.classes)


def judge(source: Source, schema: Schema, guards: Sequence[Guard], change: Change, also: Sequence[str] = ()) -> Judged:
    """Return what a change would publish; classes that break a guard are suppressed as far as the guards allow.

    `also` names columns that describe the classes besides those that the guards look at.
    """
    if change.staged:
        from fairveil.published.judge_groups import judge_groups

        return judge_groups(source, schema, guards, change, also)
    if change.recipe.splits:
        outcome = change.outcome(source.table)
        parts = Projections.published(list(outcome.tables.values()), schema)
        change = replace(change, recipe=change.recipe.shown(outcome.tables))
        return Judged(change, outcome, schema, None, parts.check(guards))
    columns: tuple[str, ...] = ()
    if change.recipe.groups_rows:
        outcome = change.outcome(source.table)
    else:
        columns = judged_columns(schema, guards, source.names, also)
        cells = source.count(columns)
        suppressed = suppressed_cells(source, change, cells)
        outcome = change.of_rows(cells.table(), np.flatnonzero(~suppressed), cells.counts)
    described = [*guarded_columns(guards, schema), *also]
    classes, class_of_row = classes_of(outcome.table, schema, outcome.counts, described)
    budget = max((guard.budget(source.rows) for guard in guards), default=0) - (source.rows - outcome.published_rows)
    left = publishable(classes, schema, guards, 0 if change.recipe.groups_rows else budget)
    if left is not None and not left.published.all():
        passing = left.published[class_of_row]
        suppressed[np.flatnonzero(~suppressed)[~passing]] = True
        outcome, classes = outcome.take(np.flatnonzero(passing)), left.classes
    if columns and suppressed.any():
        change = replace(change, columns=columns, suppressed=suppressed)
    if outcome.published_rows < source.rows or schema.learns:
        change = change.recalibrated(source.rows, outcome.published_rows)
        table, counts = (cells.table(), cells.counts) if columns else (source.table, None)
        change, fresh = of_published(change, table, counts)
        outcome = fresh.measured_as(outcome)
        classes, _ = classes_of(outcome.table, schema, outcome.counts, described)
    return Judged(change, outcome, schema, classes, tuple(guard.verdict(classes, schema) for guard in guards))


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
    return tuple(name for name in dict.fromkeys(needed) if name in names)


@dataclass(frozen=True)
class Publishable:
    """`published` marks the classes of a table that are published; `classes` has only these."""

    published: np.ndarray
    classes: Classes


def publishable(classes: Classes, schema: Schema, guards: Sequence[Guard], budget: int) -> Publishable | None:
    """Suppress the classes that break a guard until none does; None if that takes more than `budget` rows."""
    published, remaining = np.ones(len(classes), dtype=bool), classes
    once = all(guard.alone for guard in guards if guard.per_class)  # the rest then keeps every guard
    while not (passing := passing_classes(remaining, schema, guards)).all():
        published[published] = passing
        if int(classes.rows[~published].sum()) > budget:
            return None
        remaining = remaining.keep(passing)
        if once:
            break
    return Publishable(published, remaining)


def passing_classes(classes: Classes, schema: Schema, guards: Sequence[Guard]) -> np.ndarray:
    """Which classes keep every guard that judges each class by itself."""
    passing = np.ones(len(classes), dtype=bool)
    for guard in guards:
        if guard.per_class:
            passing &= guard.passing(classes, schema)
    return passing
