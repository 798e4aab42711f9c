"""What Mondrian and Top-Down Greedy share: the table as codes for the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairveil.data.numeric import is_number, offsets_per_value
from fairveil.methods.task import Task

if TYPE_CHECKING:
    from fairveil.methods.region_kernels import Axes


def axes_of(task: Task, numeric: bool) -> Axes:
    """Return the quasi columns in the layout of the kernels, in the order of the task's levels."""
    from fairveil.methods.region_kernels import Axes

    names = list(task.levels)
    columns = [task.table.column(name) for name in names]
    kinds = np.array([numeric and is_number(column) for column in columns], dtype=bool)
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
            numbers = offsets_per_value(column)
            low, high = np.nanmin(numbers, initial=np.inf), np.nanmax(numbers, initial=-np.inf)
            spans[a] = max(float(high - low), 0.0)
            values[a, : len(numbers)] = np.nan_to_num(numbers, nan=max(float(high), 0.0))
            continue
        levels = task.levels[name]
        for level in range(levels.height + 1):
            lookups[a, level, : levels.leaves] = levels.codes[level]
            leaves[a, level, : len(levels.labels[level])] = levels.widths[level] / levels.leaves
    codes = np.array([column.codes for column in columns], dtype=np.int64)
    return Axes(codes, kinds, values, spans, leaves, lookups)
