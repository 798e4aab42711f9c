"""Mondrian, Top-Down Greedy and Datafly as the programs that the paper names do them, restated from reading those.

They differ from the published algorithms, and so from ours:

Mondrian         numbers are cut at the median if half of the records are at least k; the other half may be fewer. Names
                 are split into all children of their node, if each child that occurs has k. A column that could not be
                 split may be tried again in the parts.
Top-Down Greedy  of two far-apart records (three rounds from a random one), every other record goes to the nearer one,
                 not to the group that it widens least; a part below k takes the nearest records of the other, or both
                 are one group for good, whichever costs less.
Datafly          the column with the most distinct values is generalized until at most k records are in classes below k,
                 which are left out. Its count of distinct values is that before the last step: a column is often
                 generalized once more than needed.

Numbers are ranges of numbers, or names of the authors' taxonomies as all else: the paper gave its taxonomies to all
three programs, and does not say whether as numbers or as names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from fairveil.counting.tuples import group_of
from fairveil.data.hierarchy import Levels
from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.data.table import Column, Table
from fairveil.methods.task import Task

Parts = list[np.ndarray]
"""The rows of each group."""


@dataclass
class Dimension:
    """One column: a code per row among its leaves, and numbers where it is a range."""

    name: str
    codes: np.ndarray
    levels: Levels
    numbers: np.ndarray | None = None
    _sizes: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._sizes = [np.bincount(codes, minlength=len(labels)) for codes, labels in
                       zip(self.levels.codes, self.levels.labels, strict=True)]  # fmt: skip

    @property
    def span(self) -> float:
        assert self.numbers is not None
        return float(np.ptp(self.numbers)) or 1.0

    def common(self, rows: np.ndarray) -> int:
        """The lowest level at which all rows agree."""
        codes = np.unique(self.codes[rows])
        return next(level for level, lookup in enumerate(self.levels.codes) if len(np.unique(lookup[codes])) == 1)

    def width(self, rows: np.ndarray) -> float:
        """The share of the domain that the published value of these rows stands for."""
        if self.numbers is not None:
            return float(np.ptp(self.numbers[rows])) / self.span
        level = self.common(rows)
        leaves = int(self._sizes[level][self.levels.codes[level][self.codes[rows[0]]]])
        return leaves / self.levels.leaves if level else 0.0

    def apart(self, rows: np.ndarray, low: float, high: float, codes: np.ndarray) -> np.ndarray:
        """The width of each row's value together with a range, or with these codes."""
        if self.numbers is not None:
            mine = self.numbers[rows]
            return np.asarray((np.maximum(mine, high) - np.minimum(mine, low)) / self.span)
        widths, open_rows = np.zeros(len(rows)), np.ones(len(rows), dtype=bool)
        for level, lookup in enumerate(self.levels.codes):
            target = np.unique(lookup[codes])
            agree = (
                open_rows & (lookup[self.codes[rows]] == target[0]) if len(target) == 1 else np.zeros_like(open_rows)
            )
            widths[agree] = self._sizes[level][target[0]] / self.levels.leaves if level else 0.0
            open_rows &= ~agree
        return widths


def dimensions(task: Task, ranges: bool) -> list[Dimension]:
    """The quasi columns; numbers are ranges if asked."""
    made = []
    for name, levels in task.levels.items():
        column = task.table.column(name)
        numbers = numbers_per_value(column)[column.codes] if ranges and is_measurable(column) else None
        made.append(Dimension(name, column.codes.astype(np.int64), levels, numbers))
    return made


def mondrian(columns: list[Dimension], rows: int, k: int, seed: int) -> Parts:
    """The groups of Basic Mondrian."""
    tops = [dimension.levels.height for dimension in columns]
    waiting: list[tuple[np.ndarray, list[int]]] = [(np.arange(rows), tops)]
    groups: Parts = []
    while waiting:
        part, nodes = waiting.pop()
        widths = [_node_width(dimension, part, node) for dimension, node in zip(columns, nodes, strict=True)]
        for place in np.argsort(-np.array(widths), kind="stable").tolist():
            pieces = _cut(columns[place], part, nodes[place], k)
            if pieces:
                down = [*nodes[:place], max(nodes[place] - 1, 0), *nodes[place + 1 :]]
                waiting += [(piece, down) for piece in pieces]
                break
        else:
            groups.append(part)
    return groups


def _node_width(dimension: Dimension, part: np.ndarray, level: int) -> float:
    if dimension.numbers is not None:
        return dimension.width(part)
    code = dimension.levels.codes[level][dimension.codes[part[0]]]
    return float((dimension.levels.codes[level] == code).sum() / dimension.levels.leaves)


def _cut(dimension: Dimension, part: np.ndarray, level: int, k: int) -> Parts:
    if dimension.numbers is None:
        if level == 0:
            return []
        below = dimension.levels.codes[level - 1][dimension.codes[part]]
        kinds, counts = np.unique(below, return_counts=True)
        return [part[below == kind] for kind in kinds] if counts.min() >= k else []
    values, counts = np.unique(dimension.numbers[part], return_counts=True)
    if len(part) // 2 < k or len(values) < 2:
        return []
    cut = int(np.searchsorted(np.cumsum(counts), len(part) // 2))
    if cut + 1 >= len(values):
        return []
    left = dimension.numbers[part] <= values[cut]
    return [part[left], part[~left]]


def top_down_greedy(columns: list[Dimension], rows: int, k: int, seed: int) -> Parts:
    """The groups of Top-Down Greedy Anonymization."""
    rng = np.random.default_rng(seed)
    waiting, groups = [np.arange(rows)], []
    while waiting:
        part = waiting.pop()
        if len(part) < 2 * k:
            groups.append(part)
            continue
        first = int(rng.integers(len(part)))
        for _ in range(3):
            distance = _apart(columns, part, part[[first]])
            distance[first] = -1.0
            first, second = int(distance.argmax()), first
        near = _apart(columns, part, part[[second]]) <= _apart(columns, part, part[[first]])
        near[[second, first]] = True, False
        sides = [part[near], part[~near]]
        short = next((place for place, side in enumerate(sides) if len(side) < k), None)
        if short is None:
            waiting += sides
            continue
        less, more = sides[short], sides[1 - short]
        nearest = np.argsort(_apart(columns, more, less), kind="stable")
        moved, rest = np.r_[less, more[nearest[: k - len(less)]]], more[np.sort(nearest[k - len(less) :])]
        if len(moved) * _cost(columns, moved) + len(rest) * _cost(columns, rest) <= len(part) * _cost(columns, part):
            waiting += [moved, rest]
        else:
            groups.append(part)
    return groups


def _apart(columns: list[Dimension], part: np.ndarray, group: np.ndarray) -> np.ndarray:
    total = np.zeros(len(part))
    for dimension in columns:
        numbers = dimension.numbers
        low, high = (0.0, 0.0) if numbers is None else (float(numbers[group].min()), float(numbers[group].max()))
        total += dimension.apart(part, low, high, dimension.codes[group])
    return total


def _cost(columns: list[Dimension], part: np.ndarray) -> float:
    return sum(dimension.width(part) for dimension in columns)


def datafly(columns: list[Dimension], rows: int, k: int, seed: int) -> tuple[list[int], np.ndarray]:
    """The levels of the columns, and the rows that are left."""
    levels = [0] * len(columns)
    counted = [len(np.unique(dimension.codes)) for dimension in columns]
    while True:
        codes = [d.levels.codes[level][d.codes] for d, level in zip(columns, levels, strict=True)]
        group, _ = group_of([(column, int(column.max()) + 1) for column in codes], rows)
        small = np.bincount(group)[group] < k
        if small.sum() <= k or max(counted) == 0:
            return levels, np.flatnonzero(~small)
        widest = int(np.argmax(counted))
        dimension = columns[widest]
        at_top = levels[widest] == dimension.levels.height
        counted[widest] = 0 if at_top else len(np.unique(codes[widest]))
        levels[widest] += 0 if at_top else 1


Program = Callable[[Task, int], Table]


def grouped(form: Callable[[list[Dimension], int, int, int], Parts], ranges: bool) -> Program:
    """A program that publishes what the rows of a group have in common."""

    def run(task: Task, k: int) -> Table:
        columns = dimensions(task, ranges)
        groups = form(columns, task.table.rows, k, task.seed)
        place = np.empty(task.table.rows, dtype=np.int64)
        for number, rows in enumerate(groups):
            place[rows] = number
        return task.table.with_columns(
            [_of_labels(dimension.name, list(_labels(dimension, groups)), place) for dimension in columns]
        )

    return run


def _labels(dimension: Dimension, groups: Parts) -> Iterator[str]:
    for rows in groups:
        if dimension.numbers is not None:
            low, high = dimension.numbers[rows].min(), dimension.numbers[rows].max()
            yield f"{low:g}" if low == high else f"{low:g},{high:g}"
        else:
            level = dimension.common(rows)
            yield str(dimension.levels.labels[level][dimension.levels.codes[level][dimension.codes[rows[0]]]])


def _of_labels(name: str, labels: list[str], place: np.ndarray) -> Column:
    values, codes = np.unique(np.array(labels), return_inverse=True)
    return Column(name, codes[place], pa.array(values.tolist()))


def run_datafly(task: Task, k: int) -> Table:
    columns = dimensions(task, False)
    levels, rows = datafly(columns, task.table.rows, k, task.seed)
    fresh = [
        _of_labels(d.name, [str(label) for label in d.levels.labels[level]], d.levels.codes[level][d.codes])
        for d, level in zip(columns, levels, strict=True)
    ]
    return task.table.with_columns(fresh).take(rows).compact()


PROGRAMS: dict[str, Program] = {
    "Mondrian, numbers as ranges": grouped(mondrian, True),
    "Mondrian, numbers by taxonomy": grouped(mondrian, False),
    "Top-Down Greedy, numbers as ranges": grouped(top_down_greedy, True),
    "Top-Down Greedy, numbers by taxonomy": grouped(top_down_greedy, False),
    "Datafly": run_datafly,
}
