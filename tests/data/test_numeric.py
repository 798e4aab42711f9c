"""Which columns are numbers, which can be measured, and the numbers behind their values."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.data.numeric import exact_sum, is_measurable, is_number, numbers_per_value, significant
from fairveil.data.table import Column, Table

DAY = dt.date(1970, 1, 3)


@pytest.mark.parametrize(
    ("values", "number", "measurable"),
    [
        ([1, 2], True, True),
        ([0.5, None], True, True),
        ([Decimal("1.5")], True, True),
        ([DAY], False, True),
        ([dt.datetime(1970, 1, 1)], False, True),
        ([True, False], False, False),
        (["1", "x"], False, False),
    ],
)
def test_kinds(values: list, number: bool, measurable: bool) -> None:
    column = Table.from_frame(pa.table({"x": values})).column("x")
    assert (is_number(column), is_measurable(column)) == (number, measurable)


def test_numbers_are_per_value_and_missing_is_not_a_number() -> None:
    column = Table.from_frame(pa.table({"x": [3, None, 1, 3]})).column("x")
    assert numbers_per_value(column).tolist() == pytest.approx([1, 3, float("nan")], nan_ok=True)
    assert numbers_per_value(column)[column.codes].tolist() == pytest.approx([3, float("nan"), 1, 3], nan_ok=True)
    decimals = Column("x", column.codes[:1] * 0, pa.array([Decimal("0.1")]))
    assert numbers_per_value(decimals).tolist() == [0.1]
    days = Table.from_frame(pa.table({"x": [DAY]})).column("x")
    assert numbers_per_value(days).tolist() == [2.0]


FLOATS = st.floats(-1e12, 1e12)


@given(st.lists(FLOATS, max_size=40), st.randoms())
def test_a_sum_does_not_depend_on_the_order_of_its_terms(terms: list[float], random: object) -> None:
    shuffled = sorted(terms, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert exact_sum(np.array(terms)) == exact_sum(np.array(shuffled))
    assert exact_sum(np.array([1e308, 1e308])) == np.inf


@given(st.lists(st.floats(1e-100, 1e12) | st.floats(-1e12, -1e-100), min_size=1, max_size=20))
def test_what_is_equal_but_for_rounding_becomes_equal(numbers: list[float]) -> None:
    plain = np.array([float(f"{number:.9g}") for number in numbers])
    for near in (np.nextafter(plain, np.inf), np.nextafter(plain, -np.inf)):
        assert significant(near).tolist() == significant(plain).tolist()
    rounded = significant(numbers)
    assert rounded == pytest.approx(np.array(numbers), rel=1e-11, abs=0)
    assert significant(rounded).tolist() == rounded.tolist()


def test_infinite_and_missing_numbers_stay_what_they_are() -> None:
    odd = np.array([np.nan, np.inf, -np.inf, 0.0, 0.1 + 0.2])
    assert str(significant(odd).tolist()) == "[nan, inf, -inf, 0.0, 0.3]"
