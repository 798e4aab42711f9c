"""Domains: what a column can hold, known without looking at the data.

A method that promises differential privacy may not learn from the data which values there are, how they are spelled or
of which type they are. A Domain says it once, from what the owner has declared; each value of the data then finds
its place in it, or none. Where a value's row goes depends on that value alone, never on other rows: one row with a
text among numbers turns the whole column into text, so 17, 17.0 and "17" have the same place.

>>> from fairveil.data import hierarchy
>>> ages = Domain.listed("age", ["17", "18"], suppress())
>>> ages.places([17.0, "18", 19, None]).tolist()
[0, 1, -1, -1]

Of numbers, a range is enough. The first and the last interval take what lies outside, and their labels say so.

>>> ages = Domain.ranged("age", hierarchy.intervals([0, 100], widths=(25, 50)))
>>> [ages.levels.labels[1][ages.levels.codes[1, place]] for place in ages.places([-3, 24.5, "60", 104])]
['<25', '<25', '50-74', '≥75']
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from math import ceil, floor
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.data.hierarchy import TOP, Hierarchy, Intervals, Levels, suppress
from fairveil.errors import BadInput

UNKNOWN = (TOP, "…")
"""Stand-ins for the values of a column that nobody may know; with two of them, publishing its top loses everything."""
MOST_NUMBERS = 10_000
"""Whole numbers of a range that are counted one by one in losses; of more, each finest interval counts as one value."""
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?")


@dataclass(frozen=True)
class Domain:
    """The values of a column in a fixed order, and its hierarchy, which is published from the level `lowest` up."""

    name: str
    values: pa.Array
    rule: Hierarchy
    lowest: int = 0
    known: bool = True

    @classmethod
    def hidden(cls, name: str) -> Domain:
        """A column of which nothing is published: any value is in it, and only its top is shown."""
        return cls(name, pa.array(UNKNOWN), suppress(), lowest=1, known=False)

    @classmethod
    def listed(cls, name: str, values: Sequence[Any], rule: Hierarchy) -> Domain:
        """These values, each once."""
        distinct = list({(type(value), value): value for value in values}.values())
        if not distinct:
            raise BadInput(f"the public values of {name!r} are none: list what the column can hold")
        return cls(name, _typed(distinct), rule)

    @classmethod
    def ranged(cls, name: str, rule: Intervals, *, missing: bool = False) -> Domain:
        """All numbers, in intervals whose first and last are open; a missing value has a place if `missing`."""
        opened = rule.opened()
        numbers = _stand_ins(opened, rule.range)
        return cls(name, pa.array([*numbers, None] if missing else numbers), opened, lowest=1)

    @cached_property
    def levels(self) -> Levels:
        return self.rule.bind(self.values.to_pylist(), self.name)

    def places(self, values: Sequence[Any]) -> np.ndarray:
        """The place of each value; -1 where it has none, so that its rows are not counted."""
        if not self.known:
            return np.zeros(len(values), dtype=np.int64)
        found = map(self._interval if self.lowest else self._exactly, values)
        return np.fromiter(found, dtype=np.int64, count=len(values))

    def _interval(self, value: Any) -> int:
        """The first number of the interval that a number is in."""
        if value is None:
            return len(self.values) - 1 if self.values.null_count else -1
        edges, firsts = self._intervals
        number = _key(value)
        return firsts[bisect_right(edges, number)] if isinstance(number, Decimal) else -1

    @cached_property
    def _intervals(self) -> tuple[list[Decimal], list[int]]:
        """The edges between the finest intervals, and the place of the first number of each, from the lowest up."""
        assert isinstance(self.rule, Intervals)
        edges = [Decimal(str(edge)) for edge in self.rule.levels[0]]  # as values are compared: 0.1 is 0.1
        return edges, np.unique(self.levels.codes[1], return_index=True)[1].tolist()

    def _exactly(self, value: Any) -> int:
        exact, alike = self._listed
        return exact.get(None if value is None else str(value), alike.get(_key(value), -1))

    @cached_property
    def _listed(self) -> tuple[dict[str | None, int], dict[Hashable, int]]:
        """The places by the text of a value, and by what all its spellings share."""
        leaves = self.values.to_pylist()
        exact = {None if leaf is None else str(leaf): place for place, leaf in enumerate(leaves)}
        alike: dict[Hashable, int] = {}
        for place, leaf in enumerate(leaves):
            key = _key(leaf)
            alike[key] = -1 if key in alike else place  # "7" and "07" are both listed: only the exact text decides
        return exact, alike


def _stand_ins(opened: Intervals, declared: tuple[Any, Any] | None) -> list[int] | list[float]:
    """Ascending numbers, at least one in each finest interval: every whole number of the range where these are few."""
    edges = opened.levels[0]
    whole = opened.whole and all(edge == floor(edge) for edge in edges)
    if declared is not None:
        low, high = declared
    elif whole:  # no range, because the ends are open
        low, high = edges[0] - 1, edges[-1] + 1
    else:
        low, high = (float(edge) + side * max(1.0, abs(float(edge))) for side, edge in ((-1, edges[0]), (1, edges[-1])))
    if whole and high - low <= MOST_NUMBERS:
        return list(range(floor(low), ceil(high)))
    return [(float(start) + float(end)) / 2 for start, end in pairwise((low, *edges, high))]


def _typed(values: Sequence[Any]) -> pa.Array:
    """The values in one type, which follows from them alone; of several types as text."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return pa.nulls(len(values), pa.string())
    if len(kinds) > 1:
        return pa.array([None if value is None else str(value) for value in values])
    return pa.array(values)


def _key(value: Any) -> Hashable:
    """The same for all ways in which one value may be read from a file or a frame."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime) and value.tzinfo is None and value.time() == time():
        return value.date().isoformat()
    text = str(value)
    if text.lower() in ("true", "false"):
        return text.lower()
    return Decimal(text) if _NUMBER.fullmatch(text) else text
