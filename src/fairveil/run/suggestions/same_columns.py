"""Columns that say the same: one follows from the other, exactly or nearly, in some rows of the source.

>>> import numpy as np
>>> day, year = np.array([3, 1, 2, 0, 5, 4]), np.array([1, 0, 1, 0, 2, 2])
>>> follows_in_order(day, year), follows_in_order(year, day)
(True, False)

Two kinds of evidence count. Values with several rows each that always meet the same value of the other column; and,
for numbers and dates, which may have a row each, that both grow together: a date and its year, a wage and its log.
Columns are compared by their codes, which are in the order of the values. Most pairs are ruled out by a few rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairveil.run.suggestions.column_words import NAMED

if TYPE_CHECKING:
    from fairveil.data.table import Column
    from fairveil.engines import Source
    from fairveil.run.suggestions.fitting import Spec


class Coded(NamedTuple):
    """The codes of a column in some rows, how many values it has, and whether the last of them is missing."""

    codes: np.ndarray
    values: int
    missing: bool = False


Codes = Mapping[str, Coded]
COMPARED = 10_000
"""Rows in which columns are compared."""
TRIED = 2_000
"""Rows that rule out most pairs of columns at once."""
PER_VALUE = 5
"""Rows that a value must have on average to tell something."""
IN_ORDER = 8
"""The fewest values of a column that others follow in order."""
TOGETHER = 0.995
"""From this rank correlation on, two numbers say nearly the same: an age and a year of birth."""


def some_rows(source: Source, person: str | None = None) -> np.ndarray:
    """Some rows, neighbours among them; one of each person, whose rows agree in much that says nothing of others."""
    every = np.arange(source.rows)
    if person is not None:
        every = np.sort(np.unique(source.table.column(person).codes, return_index=True)[1])
    blocks = max(-(-len(every) // COMPARED), 1)
    return every if blocks == 1 else every[(np.arange(len(every)) // 100) % blocks == 0]


def codes_of(source: Source, names: Sequence[str], person: str | None = None) -> Codes:
    """Codes of columns in some rows; empty where rows do not leave the engine."""
    if not source.has_rows:
        return {}
    rows = some_rows(source, person)
    every = {
        name: np.unique(source.table.column(name).codes[rows], return_inverse=True) for name in dict.fromkeys(names)
    }
    blank = {name: len(source.table.column(name).values) - 1 for name in every if source.table.column(name).has_missing}
    return {name: Coded(codes.astype(np.int64), len(values), int(values[-1]) == blank.get(name))
            for name, (values, codes) in every.items() if len(values) > 1}  # fmt: skip


def told(codes: Codes, name: str, *, by: str) -> float:
    """The share of the doubt about a column that another takes, if its values are frequent enough to tell."""
    if name not in codes or by not in codes:
        return 0.0
    (column, size, _), (other, others, _) = codes[name], codes[by]
    if len(column) < PER_VALUE * others or size * others > len(column) * 1000:
        return 0.0
    last = np.zeros(others, dtype=np.int64)
    last[other[:TRIED]] = column[:TRIED]
    if (last[other[:TRIED]] == column[:TRIED]).mean() < 0.5:  # most pairs of columns end here
        return 0.0
    rows = np.bincount(other * size + column, minlength=size * others).reshape(others, size)
    doubt = len(column) - rows.sum(axis=0).max()
    return 1 - float(len(column) - rows.max(axis=1).sum()) / doubt if doubt >= NAMED else 0.0


def follows_in_order(fine: np.ndarray, coarse: np.ndarray) -> bool:
    """Whether one column determines another that grows, or falls, with it."""
    order = np.argsort(fine, kind="stable")
    change, same = np.diff(coarse[order]), np.diff(fine[order]) == 0
    return bool(not change[same].any() and ((change >= 0).all() or (change <= 0).all()))


def follows(codes: Codes, ordered: frozenset[str], name: str, *, by: str) -> bool:
    """Whether a column follows from another: it says nothing that the other does not say."""
    if name not in codes or by not in codes or codes[name][1] > codes[by][1]:
        return False
    if {name, by} <= ordered and codes[by][1] >= IN_ORDER and codes[name][1] >= 3:
        few = slice(0, 200)
        if follows_in_order(codes[by][0][few], codes[name][0][few]):
            return follows_in_order(codes[by][0], codes[name][0])
    return told(codes, name, by=by) >= 0.999


def nearly_same(codes: Codes, ordered: frozenset[str], name: str, other: str) -> bool:
    """Whether two numbers grow, or fall, together so closely that one nearly says the other."""
    if not {name, other} <= ordered or min(codes[name][1], codes[other][1]) < IN_ORDER:
        return False
    for rows in (slice(0, TRIED), slice(None)):
        one, two = (codes[column][0][rows].astype(float) for column in (name, other))
        if one.std() == 0 or two.std() == 0 or abs(np.corrcoef(one, two)[0, 1]) < TOGETHER:
            return False
    return True


def tied(fine: Column, coarse: Column, rows: np.ndarray) -> Spec | None:
    """A hierarchy of a column whose level 1 is another column, as a city's state; None if a value is missing, or fewer
    than NAMED rows hold it: a plan would name it."""
    if fine.has_missing or coarse.has_missing or not all(isinstance(value, str) for value in fine.domain):
        return None
    labels = coarse.values.to_pylist()
    parent = np.zeros(len(fine.values), dtype=np.int64)
    parent[fine.codes] = coarse.codes
    named = [str(labels[code]) for code in parent]
    held = np.bincount(fine.codes, minlength=len(fine.values))
    if held.min() < NAMED or {"*"} & {*named, *fine.domain} or rows.sum() == 0:
        return None
    return {"kind": "tree", "rows": [[value, label, "*"] for value, label in zip(fine.domain, named, strict=True)]}
