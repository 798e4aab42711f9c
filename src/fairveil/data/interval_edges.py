"""The edges of learnt intervals of numbers: points of a grid that no single value decides on.

The steps of a grid are 1 or 5 times a power of ten, the largest that make at least MIN_STEPS over the range of the
values without the smallest and the largest. Values in one cell of the grid count as one: no interval ends between them.
Between two cells, the edge is the roundest grid point, nearest to the middle; not beside one of the two cells, if there
are others:

>>> incomes = Edges([1000, 1934, 1966, 1972, 4170, 4300, 8142, 9999])
>>> incomes.cells.tolist(), [incomes.below(cell) for cell in range(1, 6)]
([0, 1, 2, 2, 3, 4, 5, 6], [1500, 1950, 3000, 4250, 5000])
>>> ages = Edges([18, 34, 35, 61])
>>> [ages.below(cell) for cell in range(1, 4)]
[30, 35, 50]

A range that loses people keeps its grid or gets one that separates at least as much, because each step divides all
larger ones: edges learnt from all rows have their places among the published rows, too. All comparisons are exact,
whatever the size of the numbers.
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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from fairveil.data.table import Column

Number = int | float | Decimal
MIN_STEPS = 100
"""Minimum number of steps of a grid over the range of the numbers."""
MIN_UNITS = 50
"""Minimum number of calendar units over the range of dates."""
MAX_EXACT = 10**14
"""Numbers and indices up to this have points that are exact as floats, or rounded as they are written."""


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
        """Return the grid of ascending numbers, not finer than their own digits; that fine if they are too few to have
        a range."""
        decimals = any(isinstance(number, Decimal) for number in numbers)
        if _Grids.exact or len(numbers) < 4:
            return cls(1, min((_exponent(number) for number in numbers), default=0), decimals)
        width = (Fraction(str(numbers[-2])) - Fraction(str(numbers[1]))) / MIN_STEPS
        power = (Decimal(width.numerator) / Decimal(width.denominator)).adjusted()
        if power < 0 and len(numbers) <= 2 * MIN_STEPS and power < (finest := min(map(_exponent, numbers))):
            return cls(1, finest, decimals)  # so many numbers have more digits
        return cls(5 if 5 * Fraction(10) ** power <= width else 1, power, decimals)

    def point(self, index: int) -> Number:
        return self.written(index * self.factor)

    def written(self, digits: int) -> Number:
        """Return digits · 10^power."""
        scale: int = 10 ** abs(self.power)
        if self.power >= 0 or digits % scale == 0:
            return digits * scale if self.power >= 0 else digits // scale
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

        with np.errstate(over="ignore"):
            index = np.floor(values / point(np.ones(1)))
        if not max(np.abs(values).max(initial=0), np.abs(index).max(initial=0)) < MAX_EXACT:
            return None
        index -= point(index) > values
        index += point(index + 1) <= values
        index -= upper & (point(index) == values)
        return np.asarray(index, dtype=np.int64)

    def _index(self, number: Number, upper: bool) -> int:
        index = int(Fraction(number) // (self.factor * Fraction(10) ** self.power))
        while self.point(index) > number:
            index -= 1
        while self.point(index + 1) <= number:
            index += 1
        return index - (upper and self.point(index) == number)

    def short(self, first: int, last: int) -> Number:
        """Return the roundest point from the first to the last of these, nearest to their middle."""
        low, high = first * self.factor, last * self.factor
        steps = [5 ** (n % 2) * 10 ** (n // 2) for n in range(2 * len(str(max(abs(low), abs(high)))), 0, -1)]
        for step in (*steps, self.factor):  # 10, 5, 1
            lowest, highest = -(-low // step), high // step
            if lowest <= highest:
                return self.written(min(max(round(Fraction(low + high, 2 * step)), lowest), highest) * step)
        raise AssertionError(f"there is no point from {first} to {last}")


class Calendar(NamedTuple):
    """The starts of calendar units, as the grid of dates; `days` for days and weeks, else `months`."""

    days: int
    months: int = 0

    @classmethod
    def of(cls, dates: Sequence[date]) -> Calendar:
        """Return the longest of year, quarter, month, week and day of which there are enough."""
        spread = (dates[-2] - dates[1]).days if len(dates) > 3 else 0
        units = [cls(365, 12), cls(91, 3), cls(30, 1), cls(7)]
        return next((unit for unit in units if spread >= MIN_UNITS * unit.days), cls(1))

    def indices(self, dates: Sequence[date], upper: bool = False) -> np.ndarray:
        if self.months:
            return np.array([(day.year * 12 + day.month - 1) // self.months for day in dates], dtype=np.int64)
        return np.array([(day.toordinal() - 1) // self.days for day in dates], dtype=np.int64)

    def short(self, first: int, last: int) -> date:
        """Return the start of the middle one of some units."""
        middle = (first + last) // 2
        if self.months:
            return date(middle * self.months // 12, middle * self.months % 12 + 1, 1)
        return date.fromordinal(middle * self.days + 1)


class Edges:
    """The edges between the cells of a column's grid that have numbers; `numbers` ascend, and may be dates.

    upper  a number on an edge lies below it: intervals have their upper end, "(30-40]", not their lower one, "[30, 40)"
    given  edges that the owner named: they divide cells, too
    """

    def __init__(self, numbers: Sequence[Any], *, upper: bool = False, given: Sequence[Number] = ()) -> None:
        self.numbers, self.upper, self.given = list(numbers), upper, given
        self.dated = isinstance(next(iter(self.numbers), None), date)
        self.whole = not self.dated and all(_is_whole(number) for number in self.numbers)
        self._known: dict[int, Number] = {}

    @classmethod
    def of(cls, column: Column, *, upper: bool = False) -> Edges:
        """The edges of the finite values that occur."""
        values = [value for value in column.compact().domain if value is not None]
        return cls([value for value in values if isinstance(value, date) or not isinf(value)], upper=upper)

    @cached_property
    def grid(self) -> Any:
        return Calendar.of(self.numbers) if self.dated else Grid.of(self.numbers)

    @cached_property
    def _indices(self) -> np.ndarray:
        return np.asarray(self.grid.indices(self.numbers, self.upper))

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
            if low > high:
                self._known[cell] = self.given[bisect_right(self.given, self.numbers[position]) - 1]
            else:  # neither beside a number nor on it, if there is a choice
                self._known[cell] = self.grid.short(
                    low + (high > low + (not self.upper)), high - (high > low + self.upper)
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


def _exponent(number: Number) -> int:
    """The power of ten of the last digit behind the point; 0 for integers."""
    if _is_whole(number):
        return 0
    return int(Decimal(str(number)).normalize().as_tuple().exponent)


def _is_whole(number: Number) -> bool:
    return not isinf(number) and number == int(number)


def text_of(number: Any) -> str:
    """A number as published: integers without a fraction, all others with as many digits as they have. Or a date."""
    if isinstance(number, Decimal | date):
        return f"{number:f}" if isinstance(number, Decimal) else str(number)
    return str(int(number)) if _is_whole(number) else repr(number)


def to_json(number: Number | None) -> Any:
    """A number as exact JSON: Decimals as text."""
    return str(number) if isinstance(number, Decimal) else number


def from_json(content: Any) -> Any:
    """The inverse of `to_json`."""
    return Decimal(content) if isinstance(content, str) else content
