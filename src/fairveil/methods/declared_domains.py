"""Domains: what a column can hold, known without looking at the data.

A method that promises differential privacy may not learn from the data which values there are, how they are spelled or
of which type they are. A `DeclaredDomain` states it, from what the owner has declared; each value of the data then has
an index in it, or none. Where a value's row goes depends on that value alone, never on other rows: one row with a text
among numbers turns the whole column into text, so 17, 17.0 and "17" have the same index.

>>> from fairveil.data import hierarchy
>>> ages = DeclaredDomain.listed("age", ["17", "18"], suppress())
>>> ages.positions([17.0, "18", 19, None]).tolist()
[0, 1, -1, -1]

Of numbers, a range is enough. The first and the last interval take what lies outside, and their labels say so.

>>> ages = DeclaredDomain.ranged("age", hierarchy.intervals([0, 100], widths=(25, 50)))
>>> [ages.levels.labels[1][ages.levels.codes[1, position]] for position in ages.positions([-3, 24.5, "60", 104])]
['<25', '<25', '50-74', '≥75']
"""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from decimal import Decimal
from functools import cached_property, partial
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.data.hierarchy import TOP, Hierarchy, Intervals, Levels, from_rows, suppress
from fairveil.data.text_form import as_text, text_or_none
from fairveil.errors import BadInput

UNKNOWN = (TOP, "…")
"""Stand-ins for the values of a column that must stay unknown; with two of them, the top loses everything."""
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}.*")
_SWAPPED = str.maketrans(",.", ".,")
MAX_DIGITS = 400
"""Characters of a number at most; more digits than any type of number has are not one."""


@dataclass(frozen=True)
class DeclaredDomain:
    """The values of a column in a fixed order, and its hierarchy, which is published from the level `lowest` up."""

    name: str
    values: pa.Array
    rule: Hierarchy
    lowest: int = 0
    known: bool = True

    @classmethod
    def hidden(cls, name: str) -> DeclaredDomain:
        """Return the domain of a column of which nothing is published but its top: it contains any value."""
        return cls(name, pa.array(UNKNOWN), suppress(), lowest=1, known=False)

    @classmethod
    def listed(cls, name: str, values: Sequence[Any], rule: Hierarchy) -> DeclaredDomain:
        """Return the domain of these values, each once."""
        distinct = list({(type(value), value): value for value in values}.values())
        if not distinct:
            raise BadInput(f"the list of public values of {name!r} is empty: list the values that the column can have")
        return cls(name, _typed(distinct), rule)

    @classmethod
    def ranged(cls, name: str, rule: Intervals, *, missing: bool = False) -> DeclaredDomain:
        """Return the domain of all numbers, in intervals with open ends; `missing`: it includes missing values."""
        try:
            opened = rule.opened()
        except BadInput as problem:
            raise BadInput(f"hierarchy of {name!r}: {problem}") from None
        numbers = opened.stand_ins()
        return cls(name, pa.array([*numbers, None] if missing else numbers), opened, lowest=1)

    @cached_property
    def levels(self) -> Levels:
        return self.rule.bind(self.values.to_pylist(), self.name)

    def spelled_out(self) -> DeclaredDomain:
        """Return the domain with a hierarchy that lists the values, so that they and each level's loss are known."""
        if self.lowest or self.rule.extra_leaves():
            return self
        levels = [[as_text(label) for label in labels] for labels in self.levels.labels]
        paths = [[names[code] for names, code in zip(levels, codes, strict=True)] for codes in self.levels.codes.T]
        known = [path for path, value in zip(paths, self.values, strict=True) if value.is_valid]
        return replace(self, rule=from_rows(known)) if known else self

    def positions(self, values: Sequence[Any], decimal: str = ".") -> np.ndarray:
        """Return the index of each value; -1 for a value outside the domain, whose rows are not counted. `decimal` is
        the decimal separator of numbers that are text."""
        if not self.known:
            return np.zeros(len(values), dtype=np.int64)
        indices = map(partial(self._interval if self.lowest else self._exactly, decimal=decimal), values)
        return np.fromiter(indices, dtype=np.int64, count=len(values))

    def _interval(self, value: Any, decimal: str) -> int:
        """Return the index of the finest interval of a number: each interval has one stand-in."""
        if value is None:
            return len(self.values) - 1 if self.values.null_count else -1
        number = _key(value, decimal)
        return bisect_right(self._edges, number) if isinstance(number, Decimal) else -1

    @cached_property
    def _edges(self) -> list[Decimal]:
        """The edges between the finest intervals, as decimal numbers: 0.1 is exactly 0.1."""
        assert isinstance(self.rule, Intervals)
        return [Decimal(str(edge)) for edge in self.rule.levels[0]]

    def _exactly(self, value: Any, decimal: str) -> int:
        exact, alike = self._listed
        return exact.get(text_or_none(value), alike.get(_key(value, decimal), -1))

    @cached_property
    def _listed(self) -> tuple[dict[str | None, int], dict[Hashable, int]]:
        """The indices by the text of a value, and by the key that all its spellings share."""
        leaves = self.values.to_pylist()
        exact = {text_or_none(leaf): position for position, leaf in enumerate(leaves)}
        alike: dict[Hashable, int] = {}
        for position, leaf in enumerate(leaves):
            key = _key(leaf)
            alike[key] = -1 if key in alike else position  # "7" and "07" are both listed: only the exact text decides
        return exact, alike


def _typed(values: Sequence[Any]) -> pa.Array:
    """Return the values in one type, which follows from them alone; values of several types become text."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return pa.nulls(len(values), pa.string())
    return pa.array(values if len(kinds) == 1 else list(map(text_or_none, values)))


def _key(value: Any, decimal: str = ".") -> Hashable:
    """Return the same key for all ways in which a value may be read from a file or a frame.

    >>> _key(13.5) == _key("13,50", ",") == _key(" 13.5"), _key("13,5")
    (True, '13,5')
    """
    text = str(value).strip()
    number = text.translate(_SWAPPED) if decimal == "," and isinstance(value, str) else text
    if len(number) <= MAX_DIGITS and _NUMBER.fullmatch(number):
        return Decimal(number)
    if _MOMENT.fullmatch(text):
        with contextlib.suppress(ValueError):  # it is no date
            moment = datetime.fromisoformat(text)
            return moment.date().isoformat() if moment.tzinfo is None and moment.time() == time() else str(moment)
    return text.lower() if text.lower() in ("true", "false") else text
