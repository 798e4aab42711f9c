"""The edges of learnt intervals of numbers: never one person's value, but a short number between two values.

>>> between(34, 61), between(39603.47, 98765432.19), between(1.0, 1.0000000000000002)
(50, 50000000, Decimal('1.0000000000000001'))
>>> Edges([18, 34, 35, 61], [1, 4, 2, 1]).all()
[30, 35, 50]
>>> Edges([34, 35], [1, 1]).all()
[34.5]

All comparisons are exact, whatever the size of the numbers: two different values are always distinguished.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import isinf
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fairveil.data.table import Column

Number = int | float | Decimal
MIN_POWER = -400
"""Between any two floats there is a multiple of 10^MIN_POWER."""


class Edges:
    """The edges between neighbouring numbers of a column, each computed on first access.

    An integer may be an edge of integers only if it does not name the value of a single row: the edge 35 is published
    as "…-34" and "35-…". Otherwise, and always if `strict`, the edge lies between the two numbers.
    """

    def __init__(
        self, numbers: Sequence[Number], rows: Sequence[int] | np.ndarray | None = None, *, strict: bool = False
    ) -> None:
        self.numbers, self.strict = list(numbers), strict
        self.rows = [1] * len(self.numbers) if rows is None else [int(count) for count in rows]
        self.whole = all(_is_whole(number) for number in self.numbers)
        self._known: dict[int, Number] = {}

    @classmethod
    def of(cls, column: Column, counts: np.ndarray | None = None, *, strict: bool = False) -> Edges:
        """The edges of the values that occur; `counts`: how many rows each row stands for."""
        rows = np.bincount(column.codes, weights=counts, minlength=len(column.values))
        occurring = [(value, n) for value, n in zip(column.domain, rows, strict=True) if n and value is not None]
        return cls([value for value, _ in occurring], [int(n) for _, n in occurring], strict=strict)

    def below(self, position: int) -> Number | None:
        """The edge below the number at this position; None if there is no number below it, or none at this position."""
        if not 0 < position < len(self.numbers):
            return None
        if position not in self._known:
            low, high = self.numbers[position - 1], self.numbers[position]
            single = self.rows[position - 1] < 2, self.rows[position] < 2
            loose = self.whole and not self.strict
            self._known[position] = _integer_edge(int(low), int(high), single) if loose else between(low, high)
        return self._known[position]

    def near(self, edge: Number) -> Number | None:
        """The edge that separates these numbers as a given one does; None if it separates none."""
        return self.below(bisect_left(self.numbers, edge))

    def all(self) -> list[Number]:
        return [edge for position in range(1, len(self.numbers)) if (edge := self.below(position)) is not None]


def between(low: Number, high: Number) -> Number:
    """The shortest number strictly between two others: fewest digits, then nearest to the midpoint."""
    a, b = _finite(low, high)
    power = max(len(str(abs(int(a)))), len(str(abs(int(b)))))
    while power > MIN_POWER:
        step = Fraction(10) ** power
        first, last = a // step + 1, -(-b // step) - 1
        if first <= last:
            digits = _middle(int(first), int(last), (a + b) / (2 * step))
            if power >= 0:
                return digits * int(step)
            number = Decimal(f"{digits}E{power}")  # as a float if that is exact enough
            return float(number) if low < float(number) < high else number
        power -= 1
    raise AssertionError(f"there is no number between {low!r} and {high!r}")


def _integer_edge(low: int, high: int, single: tuple[bool, bool]) -> Number:
    """An edge of integers; just above `low`, between two integers, if every integer would name a single row's value."""
    first, last = low + 1 + single[0], high - single[1]
    if first > last:
        return between(low, low + 1)
    for power in range(len(str(max(abs(low), abs(high)))), -1, -1):
        step: int = 10**power
        lowest, highest = -(-first // step), last // step
        if lowest <= highest:
            return _middle(lowest, highest, Fraction(low + high, 2 * step)) * step
    raise AssertionError(f"there is no number between {low!r} and {high!r}")


def _middle(first: int, last: int, target: Fraction) -> int:
    return min(max(round(target), first), last)


def _finite(low: Number, high: Number) -> tuple[Fraction, Fraction]:
    """Both ends as fractions that are inside the interval both by value and as written (0.1 as a float is not a tenth).

    An infinite end is replaced by one that is far away.
    """
    if isinf(low) and isinf(high):
        return Fraction(-1), Fraction(1)
    if isinf(low):
        b = min(Fraction(high), Fraction(str(high)))
        return b - abs(b) - 2, b
    a = max(Fraction(low), Fraction(str(low)))
    return a, a + abs(a) + 2 if isinf(high) else min(Fraction(high), Fraction(str(high)))


def _is_whole(number: Number) -> bool:
    return not isinf(number) and number == int(number)


def text_of(number: Any) -> str:
    """A number as published: integers without a fraction, all others with as many digits as they have."""
    if isinstance(number, Decimal):
        return f"{number:f}"
    return str(int(number)) if _is_whole(number) else repr(number)


def to_json(number: Number | None) -> Any:
    """A number as exact JSON: Decimals as text."""
    return str(number) if isinstance(number, Decimal) else number


def from_json(content: Any) -> Any:
    """The inverse of `to_json`."""
    return Decimal(content) if isinstance(content, str) else content
