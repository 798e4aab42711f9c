"""Cutting: rows on an engine into blocks of near records, from counts alone.

Each column along which blocks may be cut falls into a few ranges: numbers into such with about as many rows, names into
nodes of their hierarchy. The engine counts how many rows have which ranges. These cells are cut as Mondrian cuts rows,
at the median of the widest column, so that every block as a whole keeps the guards that look at one class at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.data.numeric import is_number
from fairveil.engines.blocked import BlockedSource
from fairveil.engines.lazy import LazySource
from fairveil.guards import Guard, looked_at
from fairveil.methods.method import Method
from fairveil.methods.task import Task

RANGES = 64
"""Ranges of a column, at most."""
MOST_CELLS = 1 << 20
"""Cells of ranges, at most: columns have fewer ranges where there are more."""


@dataclass(frozen=True)
class BlockCut:
    """The cells of ranges, the block of each, and the rows of each block. Neighbours have neighbouring numbers."""

    ranges: Mapping[str, np.ndarray]
    blocks: np.ndarray
    rows: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def _merged(self, fresh: np.ndarray) -> BlockCut:
        rows = np.bincount(fresh, weights=self.rows).astype(np.int64)
        return replace(self, blocks=fresh[self.blocks], rows=rows)

    def joining(self, undone: Sequence[int]) -> BlockCut:
        """Each of these blocks with the next one; the last with the one before."""
        starts = np.ones(len(self), dtype=bool)
        starts[[block + 1 if block + 1 < len(self) else block for block in undone]] = False
        return self._merged(np.cumsum(starts) - starts[0])

    def halved(self) -> BlockCut:
        """Two blocks at a time."""
        return self._merged(np.arange(len(self)) // 2)


def cut(method: Method, task: Task, names: Sequence[str], most: int) -> tuple[BlockedSource, BlockCut]:
    """The rows of a task in blocks of at most so many rows, unless more are alike or the guards need more."""
    assert isinstance(task.source, LazySource)
    guards = [guard for guard in task.other_guards if guard.per_class]
    columns = [name for name in looked_at(guards, task.schema) if name in task.source.names]
    mixed = method.mixes(task.schema)
    along = [name for name in task.levels if name not in mixed]
    ranges = RANGES
    while True:
        blocked = BlockedSource(task.source, tuple(names), _ranges(task, along, ranges))
        counted = blocked.count(columns, MOST_CELLS)
        if counted is not None:
            return blocked, _cut(task, guards, *counted, list(blocked.ranges), columns, most)
        ranges //= 2
        if not ranges:  # what guards look at is too much by itself: the whole will be judged
            ranges, guards, columns = RANGES, [], []


def _ranges(task: Task, names: Sequence[str], most: int) -> dict[str, np.ndarray]:
    """The range of each code of columns that have several."""
    found = {}
    for name in names:
        column = task.source.domain(name)
        if is_number(column):
            cells = task.source.count([name])
            rows = np.bincount(cells.codes[name], weights=cells.counts, minlength=len(column.values))
            middle = np.cumsum(rows) - rows / 2
            ranges = (middle * most / rows.sum()).astype(np.int64)
        else:
            levels = task.levels[name]
            level = next(level for level, labels in enumerate(levels.labels) if len(labels) <= max(most, 1))
            ranges = levels.codes[level][: len(column.values)]
        _, found[name] = np.unique(ranges, return_inverse=True)
    return {name: ranges.astype(np.int64) for name, ranges in found.items() if ranges.max(initial=0) > 0}


def _cut(
    task: Task,
    guards: Sequence[Guard],
    codes: Mapping[str, np.ndarray],
    rows: np.ndarray,
    along: Sequence[str],
    columns: Sequence[str],
    most: int,
) -> BlockCut:
    domains = {name: task.source.domain(name).values for name in columns}
    cells = Cells(
        {name: codes[name] for name in columns}, {name: len(values) for name, values in domains.items()}, rows,
        task.other_levels, domains,
    )  # fmt: skip
    blocks = np.zeros(len(rows), dtype=np.int64)
    waiting, number = [np.arange(len(rows))], 0
    while waiting:
        part = waiting.pop()
        halves = None
        if rows[part].sum() > most:
            by_width = sorted(along, key=lambda name: -_width(codes[name], part))
            halves = next((h for name in by_width if (h := _halves(codes[name], rows, part, task.k))
                           and _keep(cells, h, guards, task)), None)  # fmt: skip
        if halves:
            waiting += reversed(halves)
        else:
            blocks[part] = number
            number += 1
    sizes = np.bincount(blocks, weights=rows).astype(np.int64)
    return BlockCut(*_distinct({name: codes[name] for name in along}, blocks), sizes)


def _distinct(ranges: Mapping[str, np.ndarray], blocks: np.ndarray) -> tuple[Mapping[str, np.ndarray], np.ndarray]:
    """Each combination of ranges once: what guards look at does not decide on the block."""
    if not ranges:
        return {}, np.zeros(1, dtype=np.int64)
    _, first = np.unique(np.column_stack(list(ranges.values())), axis=0, return_index=True)
    return {name: of_cell[first] for name, of_cell in ranges.items()}, blocks[first]


def _width(ranges: np.ndarray, part: np.ndarray) -> float:
    inside = ranges[part]
    return float(inside.max() - inside.min()) / max(float(ranges.max()), 1.0)


def _halves(ranges: np.ndarray, rows: np.ndarray, part: np.ndarray, least: int) -> list[np.ndarray] | None:
    """The cells of a part below and above the median range; None where one would have too few rows."""
    inside = ranges[part]
    below = np.cumsum(np.bincount(inside, weights=rows[part]))
    total = below[-1]
    at = int(np.argmin(np.abs(below - total / 2)))
    if min(below[at], total - below[at]) < max(least, 1):
        return None
    return [part[inside <= at], part[inside > at]]


def _keep(cells: Cells, parts: Sequence[np.ndarray], guards: Sequence[Guard], task: Task) -> bool:
    """Whether each part keeps the guards as one class; all other rows are one more."""
    if not guards:
        return True
    ids = np.full(len(cells), len(parts), dtype=np.int64)
    for number, part in enumerate(parts):
        ids[part] = number
    classes = Classes.from_ids(ids, int(ids.max()) + 1, cells.counts, cells.codes, cells)
    return all(guard.passing(classes, task.schema)[: len(parts)].all() for guard in guards)
