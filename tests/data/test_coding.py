"""Codes of columns that are read in pieces: whatever waits to be looked up, a column has the values that were added."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.data import coding
from fairveil.data.coding import Coder

KINDS = {
    "integers": (pa.int64(), st.integers(0, 9)),
    "texts": (pa.string(), st.sampled_from("abcdefg")),
    "fractions": (pa.float64(), st.integers(0, 20).map(lambda number: number / 2)),
    "truths": (pa.bool_(), st.booleans()),
    "moments": (pa.timestamp("us", "UTC"), st.datetimes(timezones=st.just(UTC))),
}


@pytest.mark.parametrize("kind", KINDS)
@given(draws=st.data(), waiting=st.sampled_from([0, 1, 5, coding.WAITING]))
def test_a_column_has_the_values_of_its_pieces(kind: str, draws: st.DataObject, waiting: int) -> None:
    arrow_type, values = KINDS[kind]
    pieces = draws.draw(st.lists(st.lists(st.none() | values, max_size=8), min_size=1, max_size=6))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coding, "WAITING", waiting)
        coder = Coder("x")
        for piece in pieces:
            array = pa.array(piece, arrow_type)
            coder.add(array.dictionary_encode("encode") if draws.draw(st.booleans()) else array)
            if draws.draw(st.booleans()):
                assert coder.known is not None and coder.size == len(coder.known) + 1
        in_order: dict[Any, None] = dict.fromkeys(value for piece in pieces for value in piece if value is not None)
        assert coder.known is not None and coder.known.to_pylist() == list(in_order)
        column = coder.finish()
    assert [column.domain[code] for code in column.codes] == [value for piece in pieces for value in piece]
    assert column.values.drop_null().to_pylist() == sorted(in_order)


def test_pieces_of_other_types_widen_those_that_wait() -> None:
    coder = Coder("x")
    for piece in (pa.array([2, None, 1]), pa.array([0.5, 2.0]), pa.array([None, None], pa.string())):
        coder.add(piece)
    column = coder.finish()
    assert [column.domain[code] for code in column.codes] == [2.0, None, 1.0, 0.5, 2.0, None, None]


def test_distinct_values_are_looked_up_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = []

    def counted(coder: Coder) -> None:
        looked_up.append(sum(len(values) for values, _ in coder._waiting) + len(coder._known or ()))
        look_up(coder)

    look_up = Coder._look_up
    monkeypatch.setattr(Coder, "_look_up", counted)
    monkeypatch.setattr(coding, "WAITING", 10)
    coder, pieces, rows = Coder("x"), 200, 10
    for piece in range(pieces):
        coder.add(pa.array(range(piece * rows, (piece + 1) * rows)))
    coder.finish()
    assert sum(looked_up) < 10 * pieces * rows  # one by one: more than a hundred times as many
