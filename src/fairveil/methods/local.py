"""What Mondrian and Top-Down Greedy share: the table as codes for the kernels, and regions as proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.summary import Summary
from fairveil.errors import Infeasible
from fairveil.guards import Guard
from fairveil.methods.base import Method, Proposal
from fairveil.methods.task import Task
from fairveil.recipes.base import Recipe, classes_of
from fairveil.recipes.regions import numbers_of, spans_columns

if TYPE_CHECKING:
    from fairveil.counting.kernels.regions import Axes


def axes_of(task: Task, numeric: bool) -> Axes:
    """The quasi columns as the kernels want them, in the order of the task's levels."""
    from fairveil.counting.kernels.regions import Axes

    names = list(task.levels)
    cut = spans_columns(task.table, task.schema, numeric)
    kinds = np.array([name in cut for name in names])
    columns = [task.table.column(name) for name in names]
    widest = max((len(c.values) for c, kind in zip(columns, kinds, strict=True) if kind), default=1)
    named = [task.levels[name] for name, kind in zip(names, kinds, strict=True) if not kind]
    shape = (
        len(names),
        max((lv.height + 1 for lv in named), default=1),
        max((lv.leaves for lv in named), default=1),
    )
    values, spans = np.zeros((len(names), widest)), np.zeros(len(names))
    lookups, leaves = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    for a, (name, column) in enumerate(zip(names, columns, strict=True)):
        if kinds[a]:
            numbers = numbers_of(column)
            spans[a] = float(np.nanmax(numbers) - np.nanmin(numbers)) if np.isfinite(numbers).any() else 0.0
            values[a, : len(numbers)] = np.nan_to_num(numbers, nan=np.nanmax(numbers, initial=0.0))
            continue
        levels = task.levels[name]
        for level in range(levels.height + 1):
            lookups[a, level, : levels.leaves] = levels.codes[level]
            leaves[a, level, : len(levels.labels[level])] = levels.widths[level] / levels.leaves
    codes = np.array([column.codes for column in columns], dtype=np.int64)
    return Axes(codes, kinds, values, spans, leaves, lookups)


def propose(task: Task, method: Method, recipe: Recipe, note: str) -> Proposal:
    """One recipe as a proposal; refuses where its release breaks a guard."""
    outcome = recipe.apply(task.table)
    classes, _ = classes_of(outcome.table, task.schema)
    broken = [verdict for verdict in (guard.verdict(classes, task.schema) for guard in task.guards) if not verdict]
    if broken:
        reasons = "; ".join(f"{verdict.guard.kind}: {verdict.sentence}" for verdict in broken)
        raise Infeasible(f"{method.kind} found no release that keeps the guards ({reasons})")

    def summary(gain: bool) -> Summary:
        return outcome.summary(task.schema)

    return Proposal(method, [recipe], summary, False, (note,))


def other_guards(task: Task) -> Sequence[Guard]:
    return [guard for guard in task.guards if guard is not task.anonymity]
