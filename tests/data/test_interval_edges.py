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
    Edges,
    Grid,
    calendar_start,
    calendar_unit,
    exact_edges,
    from_json,
    text_of,
    to_json,
)

KINDS = st.one_of(
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
def test_fewer_numbers_have_the_same_grid_or_one_with_all_its_points(numbers: list[Any], data: Any) -> None:
    left = [number for number in numbers if data.draw(st.booleans())]
    if len(left) > 3:
        steps = [grid.factor * Fraction(10) ** grid.power for grid in map(Grid.of, (numbers, left))]
        assert steps[0] % steps[1] == 0


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
    assert [cents.below(cell) for cell in range(1, cents.count)] == [1, 1.5, 50, 100]
    money = Edges([Decimal("0.10"), Decimal("0.20"), Decimal("0.30"), Decimal("0.45")])
    assert [money.below(cell) for cell in range(1, 4)] == [Decimal("0.2"), Decimal("0.3"), Decimal("0.4")]


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
    def unit(days: int) -> str:
        start = date(1950, 1, 1)
        return calendar_unit([start, start, start + timedelta(days), start + timedelta(days)])

    assert [*map(unit, (10, 500, 2000, 5000, 20_000))] == ["day", "week", "month", "quarter", "year"]
    assert calendar_start(date(2024, 5, 17), "quarter") == date(2024, 4, 1)
    assert calendar_start(date(2024, 12, 17), "month", 1) == date(2025, 1, 1)
    assert calendar_start(date(2024, 5, 17), "week") == date(2024, 5, 13)
    assert calendar_start(date(9999, 12, 31), "day", 1) == date.max
