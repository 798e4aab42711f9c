"""Cells with persons from one number per row are those that grouping gives, whatever the type of persons."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Sequence
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.engines.duckdb import DuckDB
from fairveil.engines.lazy import LazySource
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.person_cells import person_cells
from fairveil.engines.relation import TooManyCells
from fairveil.engines.value_dictionary import CellReader

WHO: dict[str, Sequence[Any]] = {
    "integers": range(-20, 20),
    "few integers far apart": [-(2**62), 0, 2**62],
    "texts": [f"p{number}" for number in range(40)],
    "with missing values": [None, *range(30)],
    "texts with missing values": [None, "", "a", "b"],
    "days": [dt.date(2024, 1, 1), dt.date(2024, 2, 1), None],
    "floats": [0.5, -0.0, 0.0, float("nan"), None],
    "unsigned": pa.array([0, 2**63, 2**64 - 1], pa.uint64()),
    "nobody": pa.nulls(3, pa.int64()),
}
READERS = {
    "as it stands": CellReader(),
    "with a missing value": CellReader(missing_values=["3", "a", "p3"]),
    "kept as text": CellReader(kept={"who"}),
}


def source_of(who: Sequence[Any], reader: CellReader = CellReader(), budget: MemoryBudget | None = None) -> LazySource:  # noqa: B008
    rng, rows = np.random.default_rng(0), 500
    values = who if isinstance(who, pa.Array) else pa.array(who)
    table = pa.table({
        "age": pa.array(rng.integers(0, 9, rows), mask=rng.random(rows) < 0.1),
        "who": values.take(pa.array(rng.integers(0, len(values), rows))),
        "sex": pa.array(["f", "m", None]).take(pa.array(rng.integers(0, 3, rows))),
    })  # fmt: skip
    relation = duckdb.connect().from_arrow(table)
    options = {} if budget is None else {"budget": budget}
    return LazySource.of(nw.from_native(relation), DuckDB.of(relation), cell_reader=reader, **options)


@pytest.mark.parametrize("order", [("age", "sex", "who"), ("who", "age"), ("age", "who", "sex")])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("who", WHO)
def test_cells_are_those_of_grouping(who: str, reader: str, order: tuple[str, ...]) -> None:
    grouped = source_of(WHO[who], READERS[reader]).count(order)
    cells = person_cells(source_of(WHO[who], READERS[reader]), order, "who")
    assert cells is not None
    assert dict(cells.sizes) == dict(grouped.sizes)
    assert cells.counts.tolist() == grouped.counts.tolist()
    for name in order:
        assert cells.codes[name].tolist() == grouped.codes[name].tolist()
        assert cells.labels[name].equals(grouped.labels[name])


def test_what_does_not_fit_is_left_to_the_engine_or_refused() -> None:
    small = source_of(range(40), budget=MemoryBudget(20_000))
    assert person_cells(small, ("age", "who"), "who") is None
    with pytest.raises(TooManyCells, match="'age', 'who' have more than"):
        person_cells(source_of(range(40), budget=MemoryBudget(50_000)), ("age", "who"), "who")


def test_count_together_makes_the_count_that_is_asked_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_of(range(40))
    source.count_together(["age", "sex", "who"], "who")
    monkeypatch.setattr(LazySource, "fetch", lambda *_: pytest.fail("another query"))
    assert source.count(["age", "sex", "who"]).rows == 500
    assert len(source.domain("who").values) == 40


def test_check_counts_persons_as_memory_does() -> None:
    rng = np.random.default_rng(1)
    who = rng.integers(0, 80, 600)
    table = pa.table(
        {"age": who % 7, "sex": rng.choice(["f", "m"], 600), "got": rng.choice(["y", "n"], 600), "who": who}
    )
    for roles in ({}, {"decision": "got"}, {"sensitive": ["got"]}, {"plain": ["who"]}):
        schema = fv.Schema(quasi=["sex", "age"], person="who", **roles)
        for guards in ([fv.KAnonymity(9)], [fv.KAnonymity(3, keys=[["sex"], ["age", "sex"]])]):
            here, there = (fv.check(data, schema, *guards) for data in (table, duckdb.connect().from_arrow(table)))
            assert [str(verdict) for verdict in there] == [str(verdict) for verdict in here]
            for one, other in zip(here, there, strict=True):
                assert (one.worst, one.broken_classes) == (other.worst, other.broken_classes)
                assert one.broken_rows == other.broken_rows


@pytest.mark.parametrize("kind", [pa.int8(), pa.int16(), pa.int64(), pa.uint8()])
def test_integers_of_any_width_and_range(kind: pa.DataType) -> None:
    smallest, largest = (
        (0, 255) if kind == pa.uint8() else (-(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1) - 1)
    )
    ages = pa.array([smallest, largest, smallest + 3, 5, 5, largest], kind)
    who = pa.array([1, 1, 2, 2, 2, 3])
    for piece in (ages, ages.take(pa.array([3, 3, 4])), ages.take(pa.array([0, 2])), pa.array([5, None], kind)):
        relation = duckdb.connect().from_arrow(pa.table({"age": piece, "who": who[: len(piece)]}))
        options = [LazySource.of(nw.from_native(relation), DuckDB.of(relation)) for _ in range(2)]
        grouped, cells = options[0].count(("age", "who")), person_cells(options[1], ("age", "who"), "who")
        assert cells is not None and cells.counts.tolist() == grouped.counts.tolist()
        for name in ("age", "who"):
            assert cells.codes[name].tolist() == grouped.codes[name].tolist()
            assert cells.labels[name].equals(grouped.labels[name])


NUMBERED: dict[str, list[str | None]] = {
    "as long": [f"P-{number:05d}" for number in range(40)],
    "of any length": [f"p{number}" for number in range(120)],
    "with zeros": ["x7", "x07", "x007", "x0", "x00", "x10"],
    "digits alone": [str(number * 37 % 1000) for number in range(60)],
    "some missing": ["p1", None, "p20", None, "p3"],
    "some empty": ["p1", "", "p2"],
    "another beginning": ["p1", "q2", "p3"],
    "letters behind": ["p1a", "p2b"],
    "far apart": ["p1", "p99999999999999999"],
    "more digits than an integer has": ["1" * 30, "2" * 30],
    "accents": ["é1", "é2", "é10"],
    "other digits": ["p٣", "p٤"],
    "one": ["p1"],
    "UUIDs": [str(uuid.UUID(bytes=np.random.default_rng(number).bytes(16))) for number in range(50)],
    "UUIDs that begin alike": [f"urn:uuid:{number:032x}" for number in range(0, 4000, 77)],
    "words": ["", "a", "aa", "a\0", "abcdefgh", "abcdefghi", "abcdefgh\0", "abcdefgi", "é", "日本", "🙂", "Z", None],
}


@pytest.mark.parametrize("hashes", ["as they are", "all alike", "of lengths"])
@pytest.mark.parametrize("case", NUMBERED)
def test_texts_have_the_codes_of_their_values(case: str, hashes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever their hashes are: different texts may have the same."""
    if hashes != "as they are":

        def bad(ends: np.ndarray, texts: np.ndarray, out: np.ndarray) -> None:
            out[:] = np.diff(ends) if hashes == "of lengths" else 7

        monkeypatch.setattr("fairveil.engines.person_cells.hashes_of_texts", bad)
    rng = np.random.default_rng(1)
    texts = [NUMBERED[case][place] for place in rng.integers(0, len(NUMBERED[case]), 500)]
    rows = pa.table(
        {"who": pa.array([*NUMBERED[case], *texts], pa.string()), "age": rng.integers(0, 3, 500 + len(NUMBERED[case]))}
    )
    with duckdb.connect() as connection:
        relation = connection.from_arrow(rows)
        cells = person_cells(LazySource.of(nw.from_native(relation), DuckDB.of(relation)), ("age", "who"), "who")
    assert cells is not None
    labels = [cells.labels["who"][int(code)].as_py() for code in cells.codes["who"]]
    known = [text for text in dict.fromkeys(labels) if text is not None]
    assert sorted(known, key=lambda text: text.encode()) == [
        value for value in cells.labels["who"].to_pylist() if value is not None
    ]
    counted = dict(
        zip(
            zip(cells.labels["age"].take(pa.array(cells.codes["age"])).to_pylist(), labels, strict=True),
            cells.counts.tolist(),
            strict=True,
        )
    )
    assert counted == dict(Counter(zip(rows["age"].to_pylist(), rows["who"].to_pylist(), strict=True)))
