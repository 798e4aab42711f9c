"""Narrow intervals for sensitive numbers: how finely amounts can be published that nearly name people as they are.

ℓ-diversity must not count amounts as different that are nearly the same, so it judges them in wide intervals
(`guards/judged.py`). What is published can be narrower, as long as many people share every interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import ceil, floor, log10
from typing import TYPE_CHECKING

import numpy as np

from fairveil.data.numeric import numbers_per_value

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.run.suggestions.fitting import Spec

SHARED = 100
"""The fewest people who share a narrow interval."""
JOINED = 0.1
"""The share of the people of a wide interval who may be in narrow ones that fewer share, before these are joined."""
MAX_DIGITS = 6
"""Digits by which a narrow interval may be shorter than a wide one."""


def finer_intervals(source: Source, name: str, spec: Spec, person: str | None) -> Spec | None:
    """The intervals of a column with a finer level that many people share; None if there is none, or rows stay on an
    engine."""
    if not source.has_rows or spec["kind"] != "intervals":
        return None
    column = source.table.column(name)
    numbers = numbers_per_value(column)[column.codes]
    known = np.isfinite(numbers)
    people = np.arange(source.rows) if person is None else source.table.column(person).codes
    return narrower(spec, numbers[known], people[known].astype(np.int64))


def narrower(spec: Spec, numbers: np.ndarray, people: np.ndarray) -> Spec | None:
    """The intervals with a finer level below, given different numbers and people who have them; None if none fits.

    Each interval is cut at multiples of the smallest round number for which nearly all narrow intervals have SHARED
    people; those with fewer are joined with the next ones. So all parts of an interval are shared by many, also of
    skewed amounts, and no exact amount is published.

    >>> amounts, people = np.arange(1000.0), np.arange(1000)
    >>> narrower({"kind": "intervals", "levels": [[500]], "open_ended": True}, amounts, people)["levels"]
    [[100, 200, 300, 400, 500, 600, 700, 800, 900], [500]]
    """
    wide = spec["levels"][0]
    ends = [float(numbers.min()), *wide, float(numbers.max())]
    edges = {*wide}
    width = min((high - low for low, high in pairwise(wide)), default=max(ends[-1] - wide[-1], wide[0] - ends[0]))
    for low, high in pairwise(ends):
        inside = (numbers >= low) & ((numbers < high) | (high == ends[-1]))
        edges |= {*_cut(low, high, width, numbers[inside], people[inside])}
    finest = [int(edge) if edge == int(edge) else edge for edge in sorted(edges)]
    return {**spec, "levels": [finest, *spec["levels"]]} if len(finest) > len(wide) else None


def _cut(low: float, high: float, width: float, numbers: np.ndarray, people: np.ndarray) -> list[float]:
    """Round edges inside an interval, so that many people share what lies between each two."""
    if len(numbers) < 2 * SHARED:  # two parts cannot both be shared
        return []
    everybody, power = int(people.max(initial=0)) + 1, floor(log10(width))
    few = JOINED * len(np.unique(people))
    edges, of_number = list[float](), np.zeros(len(numbers), dtype=np.int64)
    for exponent, step in product(range(power, power - MAX_DIGITS, -1), (5, 2, 1)):
        digits = max(-exponent, 0)
        narrow = round(step * 10.0**exponent, digits)
        if narrow >= width or abs(width / narrow - round(width / narrow)) > 1e-9:
            continue
        finer = [round(place * narrow, digits) for place in range(floor(low / narrow) + 1, ceil(high / narrow))]
        of_finer = np.searchsorted(np.array(finer), numbers, side="right")
        shared = np.bincount(np.unique(of_finer * everybody + people) // everybody, minlength=len(finer) + 1)
        if shared[shared < SHARED].sum() > few:
            break
        edges, of_number = finer, of_finer
    return _joined_edges(edges, of_number, people)


def _joined_edges(edges: Sequence[float], of_number: np.ndarray, people: np.ndarray) -> list[float]:
    """The edges that are left if intervals with too few people are joined with the next ones."""
    order = np.argsort(of_number, kind="stable")
    places, firsts = np.unique(of_number[order], return_index=True)  # empty intervals change nothing
    members = np.split(people[order], firsts[1:])
    kept: list[float] = []
    open_, groups = set[int](), list[set[int]]()
    for place, inside in zip(places.tolist(), members, strict=True):
        open_ |= {*inside.tolist()}
        if len(open_) >= SHARED and place < len(edges):
            kept.append(edges[place])
            groups.append(open_)
            open_ = set()
    while kept and len(open_) < SHARED:  # the last interval
        kept.pop()
        open_ |= groups.pop()
    return kept
