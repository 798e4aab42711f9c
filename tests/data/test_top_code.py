"""Top and bottom coding: what is in the tails, whatever the type of the values."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data.hierarchy import from_dict, top_code
from fairveil.data.text_form import interval_of, position


def test_values_from_the_bound_on_are_the_top() -> None:
    labels = top_code(above=[85, 80], below=[16]).bind([12, 16, 79, 80, 84, 85, 103]).labels
    assert labels[1] == ("<16", "16", "79", "80", "84", "85+")
    assert labels[2] == ("<16", "16", "79", "80+")
    assert labels[3] == ("*",)


@pytest.mark.parametrize(
    ("bounds", "values", "labels"),
    [
        ({"above": [0.3]}, [0.1, 0.3, 0.30000000000000004], ["0.1", "0.3+", "0.3+"]),
        ({"above": [0.3]}, [Decimal("0.29"), Decimal("0.30")], ["0.29", "0.3+"]),
        ({"above": [Decimal("0.3")]}, [0.29, 0.3], ["0.29", "0.3+"]),
        ({"above": [2**53 + 1]}, [2**53, 2**53 + 1], [str(2**53), f"{2**53 + 1}+"]),
        ({"below": ["1935-01-01"]}, [date(1934, 12, 31), date(1935, 1, 1)], ["<1935-01-01", "1935-01-01"]),
        ({"below": [date(1935, 1, 1)]}, ["1934-12-31", "1935-01-01"], ["<1935-01-01", "1935-01-01"]),
        ({"above": ["2000-01-01"]}, [datetime(1999, 12, 31, 23), datetime(2000, 1, 1)],
         ["1999-12-31 23:00:00", "2000-01-01+"]),
        ({"above": [-5], "below": [-10]}, [-11, -10, -5], ["<-10", "-10", "-5+"]),
    ],
)  # fmt: skip
def test_each_type_is_compared_as_it_is_written(bounds: Any, values: list[Any], labels: list[str]) -> None:
    rule = top_code(**bounds)
    assert [path[0] for path in rule.paths(values)[0]] == labels
    assert from_dict(rule.to_dict()) == rule
    assert all(rule.fits(1, label) for label in labels)


@pytest.mark.parametrize(
    ("bounds", "sentence"),
    [
        ({}, "needs above or below"),
        ({"above": [80, 85]}, "above must decrease: 85 follows 80"),
        ({"below": [18, 16]}, "below must increase: 16 follows 18"),
        ({"above": [18], "below": [20]}, "below 20 overlaps with what is above 18"),
        ({"above": [80], "below": ["1935-01-01"]}, "all numbers or all dates"),
        ({"above": ["old"]}, "must be a number or a date such as 1935-01-01, not 'old'"),
        ({"above": [float("nan")]}, "must be a number or a date"),
        ({"above": [True]}, "must be a number or a date"),
    ],
)
def test_wrong_bounds_are_refused_in_one_sentence(bounds: Any, sentence: str) -> None:
    with pytest.raises(fv.BadInput, match=sentence):
        top_code(**bounds)


@given(
    st.lists(st.integers(-50, 150), min_size=1, unique=True),
    st.lists(st.integers(60, 100), max_size=3, unique=True),
    st.lists(st.integers(0, 60), min_size=1, max_size=3, unique=True),
)
def test_a_label_holds_exactly_the_values_that_carry_it(values: list[int], above: list[int], below: list[int]) -> None:
    rule = top_code(above=sorted(above, reverse=True), below=sorted(below))
    for level in range(1, rule.depth + 1):
        label_of = {value: path[level - 1] for value, path in zip(values, rule.paths(values)[0], strict=True)}
        for label in set(label_of.values()):
            interval = interval_of(label)
            assert interval is not None and rule.fits(level, label) and position(label) is not None
            inside = {
                value for value, fits in zip(values, interval.holds(np.array(values, dtype=float)), strict=True) if fits
            }
            assert inside == {value for value, own in label_of.items() if own == label}
        assert not rule.fits(level, "55+") and not rule.fits(level, "<-1") and not rule.fits(level, "old")


def test_a_release_with_coded_tails_verifies(tmp_path: Any) -> None:
    ages = [*(30 + i % 10 for i in range(100)), *range(20, 30), *range(70, 90)]
    table = pa.table({"age": ages, "job": ["clerk"] * len(ages)})
    schema = fv.Schema(quasi=["age", "job"], hierarchies={"age": top_code(above=[85, 60], below=[25, 30])})
    release = fv.search(table, schema, guards=[fv.KAnonymity(10)], method=fv.Incognito()).best("loss")
    release.save(tmp_path / "out")
    assert fv.verify(tmp_path / "out")
    assert release.recipe.level_of("age") == 2
    fresh = release.recipe.outcome(pa.table({"age": [19, 35, 99], "job": ["clerk"] * 3})).table
    assert fresh.column("age").to_arrow().to_pylist() == ["<30", "35", "60+"]
