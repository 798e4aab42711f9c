"""Edges lie between values, are short, and tell every two values apart."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from fairveil.data.interval_edges import Edges, between, from_json, text_of, to_json

NUMBERS = st.one_of(
    st.integers(-(2**63), 2**63),
    st.floats(allow_nan=False),
    st.decimals(allow_nan=False, allow_infinity=False, places=12),
)


@settings(max_examples=300, deadline=None)
@given(NUMBERS, NUMBERS)
def test_between_lies_strictly_between_also_as_it_is_written(one: float, other: float) -> None:
    low, high = sorted((one, other))
    if low == high:
        return
    edge = between(low, high)
    assert low < edge < high
    assert from_json(to_json(edge)) == edge
    assert text_of(edge) not in (text_of(low), text_of(high))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-60, 60), min_size=2, max_size=40))
def test_edges_of_whole_numbers_name_no_single_rows_value(values: list[int]) -> None:
    numbers = sorted(set(values))
    rows = [values.count(number) for number in numbers]
    edges = Edges(numbers, rows)
    for place, (low, high) in enumerate(pairwise(numbers), start=1):
        edge = edges.below(place)
        assert edge is not None and low < edge <= high
        named = {edge, edge - 1} if isinstance(edge, int) else {edge}  # "…-34" and "35-…"
        assert not any(number in named and count == 1 for number, count in zip(numbers, rows, strict=True))
        assert edges.near(high) == edges.near(edge) == edge


def test_they_are_short() -> None:
    assert [between(18, 61), between(0.123456, 0.187654), between(-3, 5), between(99.99, 100.01)] == [40, 0.16, 0, 100]
    assert between(Decimal("1.1"), Decimal("1.10000000000000000002")) == Decimal("1.10000000000000000001")
    assert between(2**53, 2**53 + 1) == Decimal(2**53) + Decimal("0.5")
