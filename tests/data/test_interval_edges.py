"""Edges are points of a grid, short, exact, and no single value decides on the grid."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairveil.data.interval_edges import (
    Calendar,
    Edges,
    Grid,
    exact_edges,
    from_json,
    text_of,
    to_json,
)

KINDS: st.SearchStrategy[list[Any]] = st.one_of(
    st.lists(st.integers(-60, 60)),
    st.lists(st.integers(-(2**63), 2**64)),
    st.lists(st.integers(-(10**6), 10**7).map(lambda cents: cents / 100)),
    st.lists(st.floats(allow_nan=False, allow_infinity=False)),
    st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=12)),
)
NUMBERS = KINDS.map(lambda numbers: sorted(set(numbers)))


@settings(max_examples=400, deadline=None)
@given(NUMBERS, st.booleans())
def test_every_edge_is_a_point_of_the_grid_and_separates_as_apply_compares(numbers: list[Any], upper: bool) -> None:
    edges = Edges(numbers, upper=upper)
    step = edges.grid.factor * Fraction(10) ** edges.grid.power
    for position in range(1, len(numbers)):
        low, high = numbers[position - 1 : position + 1]
        if edges.cells[position - 1] == edges.cells[position]:
            assert Fraction(high) - Fraction(low) <= step
            continue
        edge = edges.below(int(edges.cells[position]))
        assert edge is not None and (low <= edge < high if upper else low < edge <= high)
        assert from_json(to_json(edge)) == edge == edges.near(edge)
        assert Fraction(text_of(edge)) % step == 0
    assert edges.below(0) is edges.below(edges.count) is None


@settings(max_examples=200, deadline=None)
@given(NUMBERS, st.data())
def test_what_the_grid_of_all_numbers_separates_that_of_fewer_does(numbers: list[Any], data: Any) -> None:
    """So an edge that was learnt from all rows moves to one on the grid of the published rows."""
    cell = dict(zip(numbers, Edges(numbers).cells.tolist(), strict=True))
    left = [number for number in numbers if data.draw(st.booleans())]
    of_left = Edges(left)
    for low, high, a, b in zip(left, left[1:], of_left.cells, of_left.cells[1:], strict=False):
        assert a < b or cell[low] == cell[high]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=5, max_size=30, unique=True), st.data())
def test_no_single_number_decides_on_the_grid(values: list[int], data: Any) -> None:
    numbers = sorted(values)
    grid = Grid.of(numbers)
    assert Grid.of([*numbers[:-1], data.draw(st.integers(numbers[-1], 10**30))]) == grid  # an outlier
    inside = data.draw(st.integers(numbers[1], numbers[-2]))
    moved = sorted({*numbers[:2], *numbers[3:], inside})
    assert Grid.of(moved) == grid or len(moved) < 5


def test_the_steps() -> None:
    def grid(low: float, high: float) -> Any:
        return tuple(Grid.of([low, low, high, high]))[:2]

    assert grid(1000, 9999) == (5, 1) and grid(0, 1_000_000) == (1, 4) and grid(0.0, 4.99) == (1, -2)
    ages = Edges(range(17, 91))
    assert [ages.below(cell) for cell in range(1, 74)] == list(range(18, 91))
    assert all(isinstance(ages.below(cell), int) for cell in range(1, 74))


def test_they_are_short() -> None:
    cents = Edges([0.01, 1.0, 1.33, 1.78, 90.0, 90.01, 150.55])
    assert [cents.below(cell) for cell in range(1, cents.count)] == [0.5, 1.5, 50, 100]
    money = Edges([Decimal("0.10"), Decimal("0.20"), Decimal("0.30"), Decimal("0.45")])
    assert [money.below(cell) for cell in range(1, 4)] == [Decimal("0.15"), Decimal("0.25"), Decimal("0.4")]


def test_an_owners_edges_divide_cells_too() -> None:
    gains = Edges([0, 1, 114, 5_013, 99_999, 100_000], given=(0, 1, 5_000))
    assert gains.grid[:2] == (5, 2) and gains.cells.tolist() == [0, 1, 1, 2, 3, 4]
    assert [gains.below(cell) for cell in range(1, 5)] == [1, 3000, 50_000, 100_000]


@settings(max_examples=100, deadline=None)
@given(NUMBERS)
def test_exact_edges_tell_any_two_values_apart(numbers: list[Any]) -> None:
    with exact_edges():
        assert Edges(numbers).cells.tolist() == list(range(len(numbers)))
    assert tuple(Grid.of([1, 2, 30_000, 40_000])) != (1, 0, False)  # and it ends


def test_the_grid_of_many_numbers_is_that_of_each() -> None:
    rng = np.random.default_rng(0)
    for numbers in (rng.normal(0, 1e4, 500).round(2), rng.lognormal(8, 2, 500), rng.integers(-(10**9), 10**9, 500)):
        ascending = sorted(set(numbers.tolist()))
        grid = Grid.of(ascending)
        for upper in (False, True):
            assert grid.indices(ascending, upper).tolist() == [grid._index(number, upper) for number in ascending]


def test_calendar_units() -> None:
    start = date(1950, 1, 1)
    for days, unit in ((10, (1, 0)), (500, (7, 0)), (2000, (30, 1)), (5000, (91, 3)), (20_000, (365, 12))):
        dates = [start, start, start + timedelta(days), start + timedelta(days)]
        assert Calendar.of(dates) == unit
    for calendar in (Calendar(1), Calendar(7), Calendar(30, 1), Calendar(91, 3), Calendar(365, 12)):
        for day in (date.min, date(2024, 5, 17), date(2024, 12, 31), date.max):
            [index] = calendar.indices([day]).tolist()
            first = calendar.short(index, index)
            assert first <= day and calendar.indices([first]).tolist() == [index]
    assert Calendar(7).short(*[105_596] * 2).weekday() == 0
    months = Edges([start + timedelta(days) for days in (0, 1, 2, 40, 44, 2000, 2001, 2002)])
    assert [str(months.below(cell)) for cell in range(1, months.count)] == ["1950-02-01", "1952-10-01"]
