"""Cutting the rows of an engine into blocks of similar records, from counts alone.

Each column along which blocks may be cut is divided into a few ranges: numbers into ranges with about equally many
rows, names into nodes of their hierarchy. The engine counts the rows of every combination of ranges. These cells are
cut as Mondrian cuts rows, at the median of the widest column, such that every block as one class keeps the guards that
judge each class by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.data.numeric import is_number
from fairveil.engines.blocked import BlockedSource
from fairveil.guards import Guard, guarded_columns

if TYPE_CHECKING:
    from fairveil.methods.method import Method
    from fairveil.methods.task import Task

RANGES = 64
"""Maximum number of ranges of a column."""
MAX_CELLS = 1 << 20
"""Maximum number of cells; if there are more, columns get fewer ranges."""


@dataclass(frozen=True)
class BlockCut:
    """The ranges and block of each cell, and the rows of each block. Neighbouring blocks have successive numbers."""

    ranges: Mapping[str, np.ndarray]
    blocks: np.ndarray
    rows: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def _merged(self, fresh: np.ndarray) -> BlockCut:
        rows = np.bincount(fresh, weights=self.rows).astype(np.int64)
        return replace(self, blocks=fresh[self.blocks], rows=rows)

    def joining(self, undone: Sequence[int]) -> BlockCut:
        """Merge each of these blocks with the next one, the last block with the one before it."""
        starts = np.ones(len(self), dtype=bool)
        starts[[block + 1 if block + 1 < len(self) else block for block in undone]] = False
        return self._merged(np.cumsum(starts) - starts[0])

    def halved(self) -> BlockCut:
        """Merge every two neighbouring blocks."""
        return self._merged(np.arange(len(self)) // 2)


def cut(method: Method, task: Task, names: Sequence[str], max_rows: int) -> tuple[BlockedSource, BlockCut]:
    """Cut the rows of a task into blocks of at most `max_rows`, unless more are alike or the guards need more."""
    source = task.source.engine
    assert source is not None, "blocks are cut by an engine"
    guards = [guard for guard in task.other_guards if guard.per_class and not guard.across]
    columns = [name for name in guarded_columns(guards, task.schema) if name in task.source.names]
    mixed = method.mixes(task.schema)
    along = [name for name in task.levels if name not in mixed]
    ranges = RANGES
    blocked = BlockedSource(source, tuple(names), _ranges(task, along, ranges))
    while (counted := blocked.count(columns, MAX_CELLS)) is None:
        ranges //= 2
        if not ranges:  # what guards look at has too many cells by itself: only the whole release is judged
            ranges, guards, columns = RANGES, [], []
        blocked = replace(blocked, ranges=_ranges(task, along, ranges))
    (codes, rows), along = counted, list(blocked.ranges)
    domains = {name: task.source.domain(name).values for name in columns}
    sizes = {name: len(values) for name, values in domains.items()}
    cells = Cells({name: codes[name] for name in columns}, sizes, rows, task.other_levels, domains)
    blocks = np.zeros(len(rows), dtype=np.int64)
    waiting, finished = [np.arange(len(rows))], 0
    while waiting:
        part = waiting.pop()
        halves = None
        if rows[part].sum() > max_rows:
            by_width = sorted(along, key=lambda name: -np.ptp(codes[name][part]) / max(codes[name].max(), 1))
            halves = next((h for name in by_width if (h := _halves(codes[name], rows, part, task.k))
                           and _keep(cells, h, guards, task)), None)  # fmt: skip
        if halves:
            waiting += reversed(halves)
        else:
            blocks[part] = finished
            finished += 1
    block_rows = np.bincount(blocks, weights=rows).astype(np.int64)
    if not along:
        return blocked, BlockCut({}, np.zeros(1, dtype=np.int64), block_rows)
    # each combination of ranges once: what guards look at does not decide on the block
    _, first = np.unique(np.column_stack([codes[name] for name in along]), axis=0, return_index=True)
    return blocked, BlockCut({name: codes[name][first] for name in along}, blocks[first], block_rows)


def _ranges(task: Task, names: Sequence[str], max_ranges: int) -> dict[str, np.ndarray]:
    """The range of each code, for columns that have several ranges."""
    range_of_code = {}
    for name in names:
        column = task.source.domain(name)
        if is_number(column):
            cells = task.source.count([name])
            rows = np.bincount(cells.codes[name], weights=cells.counts, minlength=len(column.values))
            middle = np.cumsum(rows) - rows / 2
            ranges = (middle * max_ranges / rows.sum()).astype(np.int64)
        else:
            levels = task.levels[name]
            level = next(level for level, labels in enumerate(levels.labels) if len(labels) <= max(max_ranges, 1))
            ranges = levels.codes[level][: len(column.values)]
        _, numbered = np.unique(ranges, return_inverse=True)
        if numbered.max(initial=0) > 0:
            range_of_code[name] = numbered.astype(np.int64)
    return range_of_code


def _halves(ranges: np.ndarray, rows: np.ndarray, part: np.ndarray, min_rows: int) -> list[np.ndarray] | None:
    """The cells of a part below and above the median range; None if one of the halves would have too few rows."""
    inside = ranges[part]
    below = np.cumsum(np.bincount(inside, weights=rows[part]))
    total = below[-1]
    at = int(np.argmin(np.abs(below - total / 2)))
    if min(below[at], total - below[at]) < max(min_rows, 1):
        return None
    return [part[inside <= at], part[inside > at]]


def _keep(cells: Cells, parts: Sequence[np.ndarray], guards: Sequence[Guard], task: Task) -> bool:
    """Whether each part keeps the guards as one class; all other rows form another class."""
    if not guards:
        return True
    ids = np.full(len(cells), len(parts), dtype=np.int64)
    for number, part in enumerate(parts):
        ids[part] = number
    classes = Classes.from_ids(ids, int(ids.max()) + 1, cells.counts, cells.codes, cells)
    return all(guard.passing(classes, task.schema)[: len(parts)].all() for guard in guards)
