"""What groups publish, and what is lost by it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.methods.microaggregation.aggregate import aggregate, how_to_publish, information_loss
from fairveil.methods.microaggregation.clusters import Clusters
from fairveil.recipes.microaggregated import costs
from fairveil.recipes.record_space import RecordSpace


def column(values: Sequence[object], kind: pa.DataType | None = None) -> Column:
    return Table.from_frame(pa.table({"x": pa.array(values, kind)})).column("x")


def clusters(*of_row: int) -> Clusters:
    return Clusters(np.array(of_row), np.zeros(len(of_row), dtype=int), max(of_row) + 1)


def published(held: Column, how: str, found: Clusters, integers: bool = False) -> list[object]:
    made = aggregate(held, found, how_to_publish(held, how), integers)  # type: ignore[arg-type]
    return made.column("x", found.of_row[found.of_row >= 0]).to_arrow().to_pylist()


TWO = clusters(0, 0, 0, 1, 1, -1)


@pytest.mark.parametrize(
    ("how", "integers", "expected"),
    [
        ("mean", False, [2.0, 4.5]),
        ("mean", True, [2, 4]),
        ("median", False, [1.0, 4.5]),
        ("interval", False, ["<5", "≥3"]),
    ],
)
def test_numbers(how: str, integers: bool, expected: list[object]) -> None:
    found = published(column([1, 1, 4, 4, 5, 99]), how, TWO, integers)
    assert found == [expected[0]] * 3 + [expected[1]] * 2
    assert type(found[0]) is type(expected[0])


def test_categories_publish_their_mode_and_ties_the_lowest() -> None:
    assert published(column(["b", "a", "b", "d", "c", "z"]), "mean", TWO) == ["b", "b", "b", "c", "c"]


def test_missing_values_are_published_where_most_are_missing() -> None:
    found = published(column([1.0, None, None, 4.0, None, 7.0]), "mean", TWO)
    assert found == [None, None, None, 4.0, 4.0]
    assert published(column(["a", None, None, "b", "b", "b"]), "mean", TWO) == [None, None, None, "b", "b"]


def test_dates_publish_a_date() -> None:
    days = [dt.date(2024, 1, day) for day in (1, 2, 6, 10, 12, 31)]
    assert published(column(days), "mean", TWO) == [dt.date(2024, 1, 3)] * 3 + [dt.date(2024, 1, 11)] * 2
    assert published(column(days), "interval", TWO)[0] == "<2024-01-08"


def test_a_strange_way_to_publish_is_refused() -> None:
    with pytest.raises(BadInput, match="did you mean 'median'"):
        how_to_publish(column([1]), "medium")  # type: ignore[arg-type]


def test_costs() -> None:
    numbers, found = column([1, 1, 4, 4, 5, 99]), TWO
    made = aggregate(numbers, found, "mean").column("x", found.of_row[:5])
    inside = np.arange(5)
    loss, bits = costs(numbers.take(inside), found.of_row[:5], made, measured=True)
    assert loss.tolist() == pytest.approx([3 / 98] * 3 + [1 / 98] * 2)
    assert bits.tolist() == pytest.approx([0.9182958340544896] * 3 + [1.0] * 2)  # H(1/3), H(1/2)
    letters = column(["b", "a", "b", "d", "c", "z"])
    modes = aggregate(letters, found, "mode").column("x", found.of_row[:5])
    loss, _ = costs(letters.take(inside), found.of_row[:5], modes, measured=False)
    assert loss.tolist() == pytest.approx([1 / 4] * 5)


@given(st.data())
def test_information_loss_equals_the_definition_on_the_one_hot_matrix(data: st.DataObject) -> None:
    rows = data.draw(st.integers(2, 20))
    frame = pd.DataFrame(
        {
            "n": data.draw(st.lists(st.integers(0, 9), min_size=rows, max_size=rows)),
            "c": data.draw(st.lists(st.sampled_from("abc"), min_size=rows, max_size=rows)),
        }
    )
    of_row = np.array(data.draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows)))
    of_row = np.unique(of_row, return_inverse=True)[1]
    table = Table.from_frame(frame)
    got = information_loss(RecordSpace.of(table, table.names).points(table), clusters(*of_row.tolist()))
    scale = frame["n"].std(ddof=0)
    matrix = pd.get_dummies(frame[["c"]]).astype(float).assign(n=(frame["n"] - frame["n"].mean()) / (scale or 1.0))
    sse = ((matrix - matrix.groupby(of_row).transform("mean")) ** 2).to_numpy().sum()
    sst = ((matrix - matrix.mean()) ** 2).to_numpy().sum()
    assert got["information_loss"] == pytest.approx(np.sqrt(sse / rows), abs=1e-3)
    assert got["sse_over_sst"] == pytest.approx(sse / sst if sst else 0.0, abs=1e-3)


def test_a_majority_is_more_than_half() -> None:
    """As one-hot columns whose means are rounded: half to even, so a half is no majority."""
    held = column(["a", "a", "b", "a", "b", "c", None, None, "b"])
    groups = clusters(0, 0, 0, 1, 1, -1, 2, 2, 2)
    majority = aggregate(held, groups, how_to_publish(held, "mean", categories="majority"))
    assert majority.column("x", np.array([0, 1, 2])).to_arrow().to_pylist() == ["a", None, None]
    assert published(held, "mean", groups)[3] == "a"  # the mode: ties to the lowest
