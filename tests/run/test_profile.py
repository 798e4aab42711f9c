"""profile: the counts equal plain counting, and the suggestions have their reasons."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil.errors import BadInput, Cancelled

cells = st.tuples(st.integers(0, 3), st.sampled_from(["a", "b", None]), st.integers(0, 30), st.booleans())


@given(st.lists(cells, min_size=1, max_size=40))
def test_the_counts_equal_plain_counting(rows: list[tuple[int, str | None, int, bool]]) -> None:
    columns = list(zip(*rows, strict=True))
    profile = fv.profile(
        pa.table({str(i): list(column) for i, column in enumerate(columns)} | {"row": range(len(rows))})
    )
    columns.append(tuple(range(len(rows))))
    names = ["0", "1", "2", "3", "row"]
    for name, column in zip(names, columns, strict=True):
        counts, got = Counter(column), profile.column(name)
        assert got.missing == counts[None]
        assert got.distinct == len(set(column) - {None})
        assert got.unique == pytest.approx(sum(n == 1 for n in counts.values()) / len(rows))
        assert got.risk == pytest.approx(len(counts) / len(rows))
        assert got.commonest_share == pytest.approx(max(counts.values()) / len(rows))
    assert len(profile.pairs) == 10
    for one, other in combinations(range(5), 2):
        counts = Counter(zip(columns[one], columns[other], strict=True))
        pair = profile.pair(names[one], names[other])
        assert pair.distinct == len(counts)
        assert pair.unique == pytest.approx(sum(n == 1 for n in counts.values()) / len(rows))
        assert pair.risk == pytest.approx(len(counts) / len(rows))
    assert [pair.unique for pair in profile.pairs] == sorted((pair.unique for pair in profile.pairs), reverse=True)


def test_types_are_said_in_words() -> None:
    frame = pa.table({"n": [1], "x": [0.5], "t": ["a"], "d": [date(2000, 1, 1)], "b": [True]})
    types = [column.type for column in fv.profile(frame).columns]
    assert types == ["integers", "numbers", "text", "dates", "true/false"]


def test_pairs_can_be_left_out_and_work_can_be_cancelled() -> None:
    frame = pa.table({"a": [1, 1], "b": [1, 2]})
    assert fv.profile(frame, pairs=False).pairs == ()
    with pytest.raises(Cancelled):
        fv.profile(frame, progress=lambda share, what: False)
    with pytest.raises(BadInput, match="no column 'c'"):
        fv.profile(frame).pair("a", "c")


def test_roles_that_are_given_are_not_suggested_again() -> None:
    """A column of weights that nothing else would show to be one."""
    table = pa.table({
        "age": [20 + n % 9 for n in range(60)], "w": [n % 7 + 1.25 for n in range(60)],
        "home": [n // 3 for n in range(60)], "code": [f"x{n // 2}" for n in range(60)],
    })  # fmt: skip
    profile = fv.profile(table, schema=fv.Schema(quasi=["age"], person="code", household="home"))
    found = {name: profile.column(name).roles for name in table.column_names}
    assert (found["code"], found["home"]) == (("person",), ("household",))
    assert fv.profile(table, schema=fv.Schema(quasi=["age"], weight="w")).column("w").roles == ("weight",)
    assert found["w"] == fv.profile(table).column("w").roles != ("weight",)
