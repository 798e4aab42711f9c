"""Edges: where learnt intervals of numbers end. Never on one person's value, but on a short number between two values.

>>> between(34, 61), between(39603.47, 98765432.19), between(1.0, 1.0000000000000002)
(50, 50000000, Decimal('1.0000000000000001'))
>>> Edges([18, 34, 35, 61], [1, 4, 2, 1]).all()
[30, 35, 50]
>>> Edges([34, 35], [1, 1]).all()
[34.5]

All comparisons are exact, whatever the size of the numbers: two different values are always told apart.
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
SMALLEST = -400
"""No two floats are so near that no multiple of 10^SMALLEST lies between them."""


class Edges:
    """The edges between the neighbouring numbers of a column, each found when it is first asked for.

    A whole number may be an edge of whole numbers only if that does not name the value of a single row: the edge 35 is
    published as "…-34" and "35-…". Else, and always if `strict`, the edge lies between the two numbers.
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
        """Those of the values that rows hold; `counts`: how many rows each row stands for."""
        rows = np.bincount(column.codes, weights=counts, minlength=len(column.values))
        held = [(value, n) for value, n in zip(column.domain, rows, strict=True) if n and value is not None]
        return cls([value for value, _ in held], [int(n) for _, n in held], strict=strict)

    def below(self, place: int) -> Number | None:
        """The edge below the number at this place; None: there is no other number below it, or none at this place."""
        if not 0 < place < len(self.numbers):
            return None
        if place not in self._known:
            low, high = self.numbers[place - 1], self.numbers[place]
            single = self.rows[place - 1] < 2, self.rows[place] < 2
            loose = self.whole and not self.strict
            self._known[place] = _whole_edge(int(low), int(high), single) if loose else between(low, high)
        return self._known[place]

    def near(self, edge: Number) -> Number | None:
        """The edge that tells the same of these numbers apart as a given one; None if it tells none apart."""
        return self.below(bisect_left(self.numbers, edge))

    def all(self) -> list[Number]:
        return [edge for place in range(1, len(self.numbers)) if (edge := self.below(place)) is not None]


def between(low: Number, high: Number) -> Number:
    """The shortest number strictly between two others: fewest digits, then nearest to their middle."""
    a, b = _finite(low, high)
    power = max(len(str(abs(int(a)))), len(str(abs(int(b)))))
    while power > SMALLEST:
        step = Fraction(10) ** power
        first, last = a // step + 1, -(-b // step) - 1
        if first <= last:
            return _plain(_middle(int(first), int(last), (a + b) / (2 * step)), power, low, high)
        power -= 1
    raise AssertionError(f"nothing lies between {low!r} and {high!r}")


def _whole_edge(low: int, high: int, single: tuple[bool, bool]) -> Number:
    """An edge of whole numbers; half a number further up where every whole one would name a single row's value."""
    first, last = low + 1 + single[0], high - single[1]
    if first > last:
        return between(low, low + 1)
    for power in range(len(str(max(abs(low), abs(high)))), -1, -1):
        step = 10**power
        lowest, highest = -(-first // step), last // step
        if lowest <= highest:
            return _middle(lowest, highest, Fraction(low + high, 2 * step)) * step
    raise AssertionError(f"nothing lies between {low!r} and {high!r}")


def _middle(first: int, last: int, target: Fraction) -> int:
    return min(max(round(target), first), last)


def _plain(digits: int, power: int, low: Number, high: Number) -> Number:
    """digits · 10^power as a whole number or a float where that is exact enough, else as a decimal number."""
    if power >= 0:
        return digits * 10**power
    number = Decimal(f"{digits}E{power}")
    nearest = float(number)
    return nearest if low < nearest < high else number


def _finite(low: Number, high: Number) -> tuple[Fraction, Fraction]:
    """Both ends as fractions, as they are and as they are written (0.1 is neither a tenth nor written otherwise).

    An infinite end is taken for one that is far away.
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
    """A number as it is published: whole ones whole, all others with as many digits as they have."""
    if isinstance(number, Decimal):
        return f"{number:f}"
    return str(int(number)) if _is_whole(number) else repr(number)


def to_json(number: Number | None) -> Any:
    """A number as JSON keeps it exactly: decimal numbers as text."""
    return str(number) if isinstance(number, Decimal) else number


def from_json(content: Any) -> Any:
    """What `to_json` wrote."""
    return Decimal(content) if isinstance(content, str) else content
