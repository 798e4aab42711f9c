"""The edges of learnt intervals of numbers: points of a grid that no single value decides on.

The steps of a grid are 1 or 5 times a power of ten, the largest that make at least MIN_STEPS over the range of the
values without the smallest and the largest. Values in one cell of the grid count as one: no interval ends between them.
Between two cells, the edge is the grid point with the fewest digits, nearest to the middle:

>>> incomes = Edges([1000, 1934, 1966, 1972, 4170, 4300, 8142, 9999])
>>> incomes.cells.tolist(), [incomes.below(cell) for cell in range(1, 6)]
([0, 1, 2, 2, 3, 4, 5, 6], [1500, 1950, 3000, 4200, 6000])
>>> ages = Edges([18, 34, 35, 61])
>>> [ages.below(cell) for cell in range(1, 4)]
[30, 35, 50]

A range that loses people keeps its grid or gets a finer one, which has every point of the one before: edges learnt from
all rows are edges of the published rows, too. All comparisons are exact, whatever the size of the numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isinf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from fairveil.data.table import Column

Number = int | float | Decimal
MIN_STEPS = 100
"""Minimum number of steps of a grid over the range of the numbers."""
MIN_DATES = 50
"""Minimum number of calendar units over the range of dates."""
MAX_EXACT = 1 << 50
"""Integers up to a few times this are floats without rounding."""


class _Grids:
    """How all grids are chosen; not a context variable, because searches run in threads of their own."""

    exact = False


@contextmanager
def exact_edges() -> Iterator[None]:
    """Tell any two values apart meanwhile: how published experiments cut numbers, and not for releases."""
    before, _Grids.exact = _Grids.exact, True
    try:
        yield
    finally:
        _Grids.exact = before


class Grid(NamedTuple):
    """The multiples of factor · 10^power; as Decimals if the numbers are, otherwise as floats where exact enough."""

    factor: int
    power: int
    decimals: bool = False

    @classmethod
    def of(cls, numbers: Sequence[Number]) -> Grid:
        """Return the grid of ascending numbers; the finest one that they need, if they are too few to have a range."""
        decimals = any(isinstance(number, Decimal) for number in numbers)
        if _Grids.exact or len(numbers) < 4:
            return cls(1, min((_exponent(number) for number in numbers), default=0), decimals)
        width = (Fraction(str(numbers[-2])) - Fraction(str(numbers[1]))) / MIN_STEPS
        power = (Decimal(width.numerator) / Decimal(width.denominator)).adjusted()
        return cls(5 if 5 * Fraction(10) ** power <= width else 1, power, decimals)

    def point(self, index: int) -> Number:
        return self.written(index * self.factor)

    def written(self, digits: int) -> Number:
        """Return digits · 10^power."""
        if self.power >= 0:
            return digits * 10**self.power
        if digits % 10**-self.power == 0:
            return digits // 10**-self.power
        number = Decimal(f"{digits}E{self.power}")
        return number if self.decimals or abs(digits) >= 10**15 else float(number)

    def indices(self, numbers: Sequence[Number], upper: bool) -> np.ndarray:
        """Return for each number the index of the last point that is not above it; with `upper`, that is below it."""
        fast = self._by_floats(numbers, upper) if {*map(type, numbers)} <= {int, float} else None
        if fast is not None:
            return fast
        return np.array([self._index(number, upper) for number in numbers], dtype=object)

    def _by_floats(self, numbers: Sequence[Any], upper: bool) -> np.ndarray | None:
        """Return the indices of many numbers at once; None where floats would be rounded."""
        if not -22 <= self.power <= 15:
            return None
        try:
            values = np.array(numbers, dtype=np.float64)
        except OverflowError:
            return None
        scale = float(10 ** abs(self.power))

        def point(index: np.ndarray) -> np.ndarray:
            return index * self.factor * scale if self.power >= 0 else index * self.factor / scale

        index = np.floor(values / point(np.ones(1)))
        if not max(np.abs(values).max(initial=0), np.abs(index).max(initial=0)) < MAX_EXACT:
            return None
        index -= point(index) > values
        index += point(index + 1) <= values
        return (index - (upper & (point(index) == values))).astype(np.int64)

    def _index(self, number: Number, upper: bool) -> int:
        index = int(Fraction(number) // (self.factor * Fraction(10) ** self.power))
        while self.point(index) > number:
            index -= 1
        while self.point(index + 1) <= number:
            index += 1
        return index - (upper and self.point(index) == number)

    def short(self, first: int, last: int) -> Number:
        """Return the point with the fewest digits from the first to the last of these, nearest to their middle."""
        low, high = first * self.factor, last * self.factor
        for power in range(len(str(max(abs(low), abs(high)))), -1, -1):
            step: int = 10**power if power else self.factor
            lowest, highest = -(-low // step), high // step
            if lowest <= highest:
                return self.written(min(max(round(Fraction(low + high, 2 * step)), lowest), highest) * step)
        raise AssertionError(f"there is no point from {first} to {last}")


class Edges:
    """The edges between the cells of a column's grid that have numbers; `numbers` ascend.

    upper  a number on an edge lies below it: intervals have their upper end, "(30-40]", not their lower one, "[30, 40)"
    given  edges that the owner named: they divide cells, too
    """

    def __init__(self, numbers: Sequence[Number], *, upper: bool = False, given: Sequence[Number] = ()) -> None:
        self.numbers, self.upper, self.given = list(numbers), upper, given
        self.whole = all(_is_whole(number) for number in self.numbers)
        self._known: dict[int, Number] = {}

    @classmethod
    def of(cls, column: Column, *, upper: bool = False) -> Edges:
        """The edges of the finite values that occur."""
        values = column.compact().domain
        return cls([value for value in values if value is not None and not isinf(value)], upper=upper)

    @cached_property
    def grid(self) -> Grid:
        return Grid.of(self.numbers)

    @cached_property
    def _indices(self) -> np.ndarray:
        return self.grid.indices(self.numbers, self.upper)

    @cached_property
    def cells(self) -> np.ndarray:
        """The cell of each number, counted from 0, without empty cells."""
        changes = self._indices[1:] != self._indices[:-1]
        if self.given:
            changes |= np.diff([bisect_right(self.given, number) for number in self.numbers]) > 0
        return np.cumsum(np.concatenate([[0], changes]).astype(np.int64))[: len(self.numbers)]

    @cached_property
    def _firsts(self) -> np.ndarray:
        """The position of the first number of each cell."""
        return np.flatnonzero(np.diff(self.cells, prepend=-1))

    @property
    def count(self) -> int:
        """The number of cells."""
        return len(self._firsts)

    def below(self, cell: int) -> Number | None:
        """The edge below a cell; None if there is no cell below it, or no such cell."""
        if not 0 < cell < self.count:
            return None
        if cell not in self._known:
            position = int(self._firsts[cell])
            low, high = int(self._indices[position - 1]) + 1, int(self._indices[position])
            self._known[cell] = (
                self.grid.short(low, high)
                if low <= high
                else self.given[bisect_right(self.given, self.numbers[position]) - 1]
            )
        return self._known[cell]

    def near(self, edge: Number) -> Number | None:
        """The edge that separates these numbers as a given one does, or else that one; None if it separates none."""
        position = (bisect_right if self.upper else bisect_left)(self.numbers, edge)
        if not 0 < position < len(self.numbers):
            return None
        low, high = self.cells[position - 1 : position + 1]
        return self.below(int(high)) if low < high else edge

    def by_code(self, column: Column) -> np.ndarray:
        """The cell of each code of the column with these numbers; missing values have the cell after the last."""
        cells = np.full(len(column.values), self.count, dtype=np.int64)
        occurring = np.flatnonzero(np.bincount(column.codes, minlength=len(cells)))
        cells[occurring[: len(self.numbers)]] = self.cells
        return cells


Unit = Literal["day", "week", "month", "quarter", "year"]
_DAYS: dict[Unit, float] = {"year": 365.25, "quarter": 91.3, "month": 30.4, "week": 7}


def calendar_unit(days: Sequence[date]) -> Unit:
    """The unit of intervals of ascending dates: the longest of which there are enough, as in the grid of numbers."""
    spread = (days[-2] - days[1]).days if len(days) > 3 else 0
    return next((unit for unit, length in _DAYS.items() if spread >= MIN_DATES * length), "day")


def calendar_start(day: date, unit: Unit, later: int = 0) -> date:
    """The first day of the unit in which a day lies, or of the one `later`; the last possible day at most."""
    try:
        if unit in ("day", "week"):
            width = 7 if unit == "week" else 1
            return date.fromordinal(max(day.toordinal() - (day.weekday() if width == 7 else 0) + width * later, 1))
        width = {"month": 1, "quarter": 3, "year": 12}[unit]
        months = ((day.year * 12 + day.month - 1) // width + later) * width
        return date(months // 12, months % 12 + 1, 1)
    except (ValueError, OverflowError):
        return date.max


def _exponent(number: Number) -> int:
    """The power of ten of the last digit behind the point; 0 for integers."""
    if _is_whole(number):
        return 0
    return int(Decimal(str(number)).normalize().as_tuple().exponent)


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
