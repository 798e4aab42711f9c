"""Which columns are numbers, which can be measured, and the numbers behind their values."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest

from fairveil.data.numeric import is_measurable, is_number, numbers_per_value
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
