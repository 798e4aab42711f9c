"""OrderedDomain: the ordered values of one column, as free grouping sees them (Dewri et al., sections 3 and 7.1).

A *slot* is one place in the order: a value, the numbers in one cell of their grid (`data/interval_edges.py`), or a band
of numbers where a granularity is given. Categories are in the order in which the hierarchy lists its leaves (preorder,
so every node of the hierarchy is a run of neighbours), other values in their own order. Missing values have a slot of
their own, the last one.

>>> from fairveil.data import hierarchy
>>> wage = OrderedDomain.of("wage", [1, 4, 9, 12], hierarchy.intervals([0, 20], widths=(10,)), granularity=5)
>>> wage.labels, wage.slots.tolist()
(('0-4', '5-9', '10-14', '15-19'), [0, 0, 1, 2])
>>> wage.levels.labels
(('0-4', '5-9', '10-14', '15-19'), ('0-9', '10-19'), ('*',))
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.hierarchy import TOP, Hierarchy, Levels
from fairveil.data.interval_edges import Edges
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput
from fairveil.messages import literal, option
from fairveil.recipes.free_grouping import ColumnGroups, distinct_labels, given_range
from fairveil.recipes.group_orders import MISSING, Bands

if TYPE_CHECKING:
    from fairveil.data.table import Column


@dataclass(frozen=True)
class Slots:
    """The first value of each slot, in order; None, a missing value, may be one of them."""

    values: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.values)

    def low(self, slot: int) -> Any:
        return self.values[slot]

    def label(self, start: int, stop: int) -> str:
        """Return the name of a run of slots during the search."""
        return " | ".join(MISSING if value is None else str(value) for value in self.values[start:stop])


@dataclass(frozen=True)
class OrderedDomain:
    """The slots of a column, the slot of each leaf, and the levels of its hierarchy that do not split slots.

    `levels` start with every slot by itself and end with all in one; their leaves are the slots, in order.
    """

    name: str
    order: Slots | Bands
    slots: np.ndarray
    levels: Levels
    bound: Levels

    @classmethod
    def of(cls, name: str, values: Sequence[Any], rule: Hierarchy, granularity: float | None = None) -> OrderedDomain:
        """Return the domain of a column with these distinct values, in code order."""
        bound = rule.bind(values, name)
        leaves = [bound.labels[0][code] for code in bound.codes[0]]
        order: Slots | Bands
        if granularity is not None:
            order, slots = _banded(name, leaves, rule, granularity)
        else:
            ordered, slots = _preorder(bound, rule, leaves), np.empty(len(leaves), dtype=np.int64)
            starts = np.diff(_cells(leaves, rule)[ordered], prepend=-1) != 0
            slots[ordered] = np.cumsum(starts) - 1
            order = Slots(tuple(leaves[leaf] for leaf in ordered[starts]))
        return cls(name, order, slots, _levels(order, slots, bound, rule), bound)

    @property
    def size(self) -> int:
        """|Σ|, the number of slots."""
        return len(self.order)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.order.label(slot, slot + 1) for slot in range(self.size))

    def cuts_of_level(self, level: int) -> np.ndarray:
        """Return the bits of a level: True between neighbours that it separates."""
        cuts: np.ndarray = np.diff(self.levels.codes[level]) != 0
        return cuts

    def groups(self, column: Column, rule: Hierarchy, starts: Sequence[int]) -> ColumnGroups:
        """Return the groups that start at these slots, as published."""
        if isinstance(self.order, Bands):
            labels = [self._label(a, b) for a, b in zip(starts, (*starts[1:], self.size), strict=True)]
            return ColumnGroups(replace(self.order, starts=tuple(starts)), distinct_labels(labels))
        leaves = [text_or_none(self.bound.labels[0][code]) for code in self.bound.codes[0]]
        group_of = {leaf: bisect_right(starts, slot) - 1 for leaf, slot in zip(leaves, self.slots, strict=True)}
        return ColumnGroups.learnt(column, rule, group_of, self.bound)

    def _label(self, start: int, stop: int) -> str:
        """Return the label of a group of bands: its node of the hierarchy, if it is one."""
        if stop - start == 1:
            return self.order.label(start, stop)
        if self.order.low(stop - 1) is None:
            return f"{self._label(start, stop - 1)} or {MISSING}"
        for codes, labels in zip(self.levels.codes[1:], self.levels.labels[1:], strict=True):
            code = codes[start]
            if (codes[start:stop] == code).all() and (codes == code).sum() == stop - start:
                return str(labels[code])
        return self.order.label(start, stop)


def _cells(leaves: Sequence[Any], rule: Hierarchy) -> np.ndarray:
    """Return the cell of each leaf in the grid of numbers; one for each, if they are not numbers."""
    numbers = [leaf for leaf in leaves if isinstance(leaf, int | float | Decimal) and isfinite(leaf)]
    if len(numbers) < len(leaves) - (None in leaves[-1:]) or rule.extra_leaves() or bool in map(type, numbers):
        return np.arange(len(leaves))
    return np.append(Edges(numbers, given=rule.edges).cells, [len(leaves)] * (len(leaves) - len(numbers)))


def _preorder(bound: Levels, rule: Hierarchy, leaves: Sequence[Any]) -> np.ndarray:
    """Return the leaves in preorder, with siblings in the order in which they are listed."""
    listed = {str(leaf): rank for rank, leaf in enumerate(rule.extra_leaves())}
    last = len(leaves)  # the rank of a missing value
    ranks = np.array([last if leaf is None else listed.get(str(leaf), rank) for rank, leaf in enumerate(leaves)])
    keys = [ranks]
    for codes, labels in zip(bound.codes[1:], bound.labels[1:], strict=True):
        first = np.full(len(labels), last + 1)
        np.minimum.at(first, codes, ranks)
        keys.append(first[codes])
    return np.lexsort(keys)


def _banded(name: str, leaves: Sequence[Any], rule: Hierarchy, width: float) -> tuple[Bands, np.ndarray]:
    """Return bands of one width over the range that the hierarchy names, or that the values span."""
    present = [leaf for leaf in leaves if leaf is not None]
    if any(isinstance(leaf, bool) or not isinstance(leaf, int | float) for leaf in present):
        raise BadInput(
            f"{option('granularity')} applies to numbers only, and column {name!r} has other values: remove it"
        )
    if not width > 0:
        raise BadInput(f"{option('granularity')} of {name!r} must be above 0, not {literal(width)}")
    low, high = min(present, default=0), max(present, default=0)
    spanned = np.floor(low / width) * width, (np.floor(high / width) + 1) * width
    bounds: tuple[Any, Any] = given_range(rule) or spanned
    start, end = bounds
    if width == int(width) and not all(float(leaf).is_integer() for leaf in (start, *present)):
        width = float(width)
    elif width == int(width):
        start, width = int(start), int(width)
    count = int(np.ceil((end - start) / width - 1e-9))
    order = Bands(start, width, count, missing=None in leaves)
    return order, np.array([order.slot(leaf) for leaf in leaves], dtype=np.int64)


def _levels(order: Slots | Bands, slots: np.ndarray, bound: Levels, rule: Hierarchy) -> Levels:
    """Return the levels of a hierarchy that neither split a slot nor group slots that are not neighbours."""
    size = len(order)
    codes = [np.arange(size)]
    labels: list[tuple[Any, ...]] = [tuple(order.label(slot, slot + 1) for slot in range(size))]
    for level in range(1, bound.height + 1):
        runs = _runs(order, slots, bound, rule, level)
        if runs is not None and runs[-1] + 1 < len(labels[-1]):
            names = {int(runs[s]): bound.labels[level][bound.codes[level, leaf]] for leaf, s in enumerate(slots)}
            codes.append(runs)
            labels.append(tuple(names.get(run, _span(order, runs, run)) for run in range(int(runs[-1]) + 1)))
    if len(labels[-1]) > 1:
        codes.append(np.zeros(size, dtype=np.int64))
        labels.append((TOP,))
    return Levels(np.array(codes), tuple(labels), bound.notes)


def _runs(order: Slots | Bands, slots: np.ndarray, bound: Levels, rule: Hierarchy, level: int) -> np.ndarray | None:
    """Return the group of each slot at one level; None if the level splits a slot or skips one.

    A band without values belongs where the hierarchy puts its lower end, or else to its neighbour.
    """
    at: list[Any] = [_UNSEEN] * len(order)
    for leaf, slot in enumerate(slots):
        label = bound.labels[level][bound.codes[level, leaf]]
        if at[slot] not in (_UNSEEN, label):
            return None
        at[slot] = label
    for slot, label in enumerate(at):
        if label is _UNSEEN:
            (path,), problems = rule.paths([order.low(slot)])
            at[slot] = (path[level - 1] if level <= len(path) else TOP) if not problems else at[max(slot - 1, 0)]
    changes = [slot for slot in range(1, len(at)) if at[slot] != at[slot - 1]]
    if len({at[slot] for slot in [0, *changes]}) <= len(changes):
        return None
    runs = np.zeros(len(at), dtype=np.int64)
    runs[changes] = 1
    return np.cumsum(runs)


_UNSEEN: Any = object()
"""Marks a band without values."""


def _span(order: Slots | Bands, runs: np.ndarray, run: int) -> str:
    inside = np.flatnonzero(runs == run)
    return order.label(int(inside[0]), int(inside[-1]) + 1)
