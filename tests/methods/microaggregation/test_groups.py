"""Who is favoured, and how many of each group sit in a fairlet."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.methods.microaggregation.protected_groups import ProtectedGroups, find_groups


def found(*columns: list[str], good: list[int], size: int = 10, favoured: object = None) -> ProtectedGroups:
    table = Table.from_frame(pa.table({f"p{i}": column for i, column in enumerate(columns)}))
    return find_groups(table.columns, np.array(good, dtype=bool), size, favoured)


def test_the_group_with_the_highest_positive_ratio_is_favoured() -> None:
    groups = found(list("ffmm"), good=[0, 0, 1, 0])
    assert groups.labels == ("f", "m")
    assert groups.labels[groups.favoured] == "m"
    assert found(list("fffmm"), good=[1, 1, 0, 1, 0]).favoured == 0
    assert found(list("ffmm"), good=[0, 0, 1, 0], favoured="f").favoured == 0


def test_several_columns_cross_and_rare_groups_join() -> None:
    first, second = list("a" * 12 + "b" * 8), list("x" * 11 + "y" + "x" * 7 + "y")
    groups = found(first, second, good=[1] * 11 + [0] * 9, size=4)
    assert groups.labels == ("a / x", "a / y | b / y", "b / x") or len(groups.labels) == 2
    assert groups.counts.sum() == 20
    assert int(groups.seats(4).sum()) == 4


def test_a_favoured_group_is_never_joined() -> None:
    groups = found(list("a" * 50 + "b" * 40 + "c"), good=[1] * 91, size=10, favoured="c")
    assert groups.labels[groups.favoured] == "c"


@given(st.lists(st.integers(1, 500), min_size=2, max_size=6), st.integers(6, 60))
def test_seats_add_up_and_nobody_is_left_out(counts: list[int], size: int) -> None:
    of_row = np.repeat(np.arange(len(counts)), counts)
    groups = ProtectedGroups(of_row, tuple(map(str, range(len(counts)))), 0)
    seats = groups.seats(size)
    assert seats.sum() == size
    assert seats.min() >= 1


def test_a_composition_is_checked() -> None:
    groups = found(list("ffmm"), good=[0, 0, 1, 0])
    assert groups.seats(3, (1, 2)).tolist() == [1, 2]
    assert groups.seats(3, {"m": 1, "f": 2}).tolist() == [2, 1]
    with pytest.raises(BadInput, match="did you mean 'f'"):
        groups.seats(3, {"F": 1, "m": 1})
    with pytest.raises(BadInput, match="group 'm'"):
        groups.seats(3, {"f": 1})
    with pytest.raises(BadInput, match="at least one record"):
        groups.seats(3, (0, 2))


def test_one_group_is_not_enough() -> None:
    with pytest.raises(BadInput, match="all records are 'f' in 'p0'"):
        found(list("fff"), good=[0, 1, 1])
