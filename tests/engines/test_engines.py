"""Every engine gives what memory gives: names, values, types, cells, verdicts, solutions and published rows."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import fairveil as fv
from fairveil.engines import InMemoryTable, PublishedTable, Source, lazy_rows, source_of
from fairveil.engines.lazy import LazySource
from fairveil.engines.lazy_rows import LazyRows
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.relation import arrow_schema
from fairveil.errors import BadInput
from fairveil.published.parquet import ParquetTable
from fairveil.recipes.outcome import ONLY
from tests.known import ANY_DANGER

DAY, MOMENT = datetime.date(2020, 2, 28), datetime.datetime(2020, 2, 28, 23, 59, 58)
ODD = [
    "a", "é", "", None, 'q"x', "two\nlines", "NA", "007", "a", "A", "it's", " ", "ä" * 5000, "a ", " a", "a\r\n", "a\t",
    "e\u0301", "\U0001f469\u200d\U0001f52c", "\ufeffa", "nan", "null", "NULL", "\\N", "\\", "%_", "${x}", "ß", "ss",
    "İ", "i", "ı", "\u200b", "\x1f", "\uffff", "\U0010ffff", "-0", "1e3", "true", "´`'", "ﬁ", "fi", "\u202eabc",
]  # fmt: skip
"""Texts that are easily confused. PostgreSQL's cannot hold a NUL."""
WHOLE = [1, 2, None, -5, 2**40, 2**63 - 1, -(2**63), 2**53, 2**53 + 1, 0]
NUMBERS = [1.5, float("nan"), None, 0.0, -0.0, 1e300, float("inf"), -float("inf"), 5e-324, 0.1 + 0.2, 0.3, -1e-300]
DAYS = [DAY, DAY + datetime.timedelta(1), None, datetime.date(1899, 12, 31), datetime.date(1, 1, 1),
        datetime.date(9999, 12, 31), datetime.date(1582, 10, 10)]  # fmt: skip
MOMENTS = [MOMENT, MOMENT + datetime.timedelta(microseconds=1), None, datetime.datetime(1900, 1, 1),
           datetime.datetime(2020, 3, 29, 2, 30), datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)]  # fmt: skip
AMOUNTS = ["1.10", "-2.00", None, "0.00", "99999999.99", "-99999999.99", "1.01"]


def every_type() -> pa.Table:
    """Each type with a missing value, with repeated values, and with what is easily confused."""
    size = len(ODD)

    def cycle(values: list[Any]) -> list[Any]:
        return [values[i % len(values)] for i in range(size)]

    return pa.table({
        "text": pa.array(ODD),
        "whole": pa.array(cycle(WHOLE)),
        "number": pa.array(cycle(NUMBERS)),
        "truth": pa.array(cycle([True, False, None])),
        "day": pa.array(cycle(DAYS)),
        "moment": pa.array(cycle(MOMENTS), pa.timestamp("us")),
        "zoned": pa.array(cycle(MOMENTS), pa.timestamp("us", "UTC")),
        "amount": pa.array(cycle([a and Decimal(a) for a in AMOUNTS]), pa.decimal128(10, 2)),
        "long": pa.array(cycle([a and Decimal(a) * 10**20 for a in AMOUNTS]), pa.decimal128(38, 2)),
        "Odd. `name`": pa.array(cycle(["x", "y"])),
    })  # fmt: skip


def drawn(rows: int) -> pa.Table:
    """So many rows of values of every type, drawn column by column."""
    random, each = np.random.default_rng(0), every_type()
    columns = [each.column(name).take(pa.array(random.integers(0, each.num_rows, rows))) for name in each.column_names]
    return pa.table(columns, names=each.column_names)


def rows_of(source: Source, names: list[str]) -> Counter[tuple[Any, ...]]:
    cells = source.count(names)
    columns = [column.to_pylist() for column in cells.table().to_arrow().columns]
    return Counter(dict(zip(zip(*columns, strict=True), cells.counts.tolist(), strict=True)))


def test_names_values_types_and_cells(opened: Callable[..., LazySource]) -> None:
    table = every_type()
    source, memory = opened(table), source_of(table)
    # all columns at once: their values then need no query of their own, each of which takes Spark a second
    assert rows_of(source, table.column_names) == rows_of(memory, table.column_names)
    assert source.names == memory.names and source.rows == memory.rows
    for name in table.column_names:
        assert source.domain(name).values.equals(memory.domain(name).values), name
        assert source.type_of(name) == memory.type_of(name)
    for named in (["text"], ["number", "truth"], ["day", "moment"]):
        assert source.sizes(named) == memory.sizes(named), named
        assert source.sizes(named, named=True) == memory.sizes(named, named=True), named
    source.cache.cells.clear()
    for chosen in (["number", "text"], ["truth"]):
        assert rows_of(source, chosen) == rows_of(memory, chosen)
    assert source.fingerprint() == opened(table.take(np.arange(table.num_rows)[::-1])).fingerprint()


def test_rows_with_missing_values_are_dropped_alike(opened: Callable[..., LazySource]) -> None:
    table = every_type()
    source, memory = opened(table, missing="drop"), source_of(table, missing="drop")
    assert (source.rows, source.dropped) == (memory.rows, memory.dropped)
    assert rows_of(source, table.column_names) == rows_of(memory, table.column_names)
    with pytest.raises(BadInput, match="leaves nothing"):
        opened(pa.table({"a": pa.array([None, 1.0]), "b": pa.array([1.0, None])}), missing="drop")


SCHEMA = fv.Schema(
    identifier=["who"], quasi=["age", "place"], sensitive=["illness"], protected=["sex"],
    plain=["sex", "visit", "bill"],
    hierarchies={"age": fv.hierarchy.intervals([20, 60], widths=(5, 10, 20)), "place": fv.hierarchy.mask(4)},
)  # fmt: skip


def people(rows: int = 240) -> pa.Table:
    rng = np.random.default_rng(5)
    age = rng.integers(20, 60, rows)
    return pa.table({
        "who": [f"person {i}" for i in rng.permutation(rows)],
        "age": pa.array(age, mask=rng.random(rows) < 0.05),
        "place": pa.array([f"{x:04}" for x in rng.integers(1000, 1012, rows)]),
        "illness": pa.array(rng.choice(["flu", "cold", "é"], rows)),
        "sex": pa.array(rng.choice(["F", "M"], rows), mask=rng.random(rows) < 0.02),
        "visit": pa.array([MOMENT + datetime.timedelta(int(day)) for day in rng.integers(0, 5, rows)]),
        "bill": pa.array(rng.integers(0, 3, rows).astype(float)),
    })  # fmt: skip


GUARDS = [fv.KAnonymity(4, suppression=0.1), fv.DistinctDiversity(2), fv.TCloseness(0.45)]


def published(source: Source, release: Any) -> PublishedTable:
    return source.publish(release.judged.change)[0][ONLY]


def written(rows: PublishedTable, size: int = 7) -> pa.Table:
    assert isinstance(rows, LazyRows)
    pieces = list(rows.pieces(size))
    assert {piece.num_rows for piece in pieces[:-1]} <= {size} and 0 < pieces[-1].num_rows <= size
    return pa.concat_tables(pieces).cast(arrow_schema(rows))  # texts come as codes


def test_search_and_publish_without_a_row_of_the_source(
    opened: Callable[..., LazySource], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key that nobody knows")
    table = people()
    source, fetched = opened(table), []
    fetch = source.native.fetch

    def counting(frame: Any) -> pa.Table:
        fetched.append(fetch(frame))
        return fetched[-1]

    monkeypatch.setattr(source.native, "fetch", counting, raising=False)
    ours = fv.search(source, SCHEMA, guards=GUARDS)
    theirs = fv.search(table, SCHEMA, guards=GUARDS)
    assert [c.recipe.to_dict() for c in ours.proposal.changes] == [c.recipe.to_dict() for c in theirs.proposal.changes]
    assert np.array_equal(ours.values("loss"), theirs.values("loss"))
    mine, exact = ours.best("loss"), theirs.best("loss")
    assert mine.recipe.to_dict() == exact.recipe.to_dict() and mine.suppressed == exact.suppressed > 0
    assert [v.to_dict() for v in mine.judged.verdicts] == [v.to_dict() for v in exact.judged.verdicts]
    expected = exact.table.to_arrow()

    monkeypatch.setattr(lazy_rows, "FEW", 1)
    monkeypatch.setattr(LazyRows, "_likely", lambda _: 0)
    assert published(source, mine).table.to_arrow().equals(expected)
    source.count(list(dict.fromkeys([*mine.judged.change.columns, *SCHEMA.published])))
    assert published(source, mine).table.to_arrow().equals(expected)
    assert not any("person" in str(piece) for piece in fetched)
    distinct = len(set(zip(*(table[n].to_pylist() for n in SCHEMA.published), strict=True)))
    assert max(piece.num_rows for piece in fetched) <= distinct

    source.cache.cells.clear()
    monkeypatch.setattr(lazy_rows, "FEW", 1000)
    rows = published(source, mine)
    assert arrow_schema(rows).equals(expected.schema) and rows.rows == expected.num_rows
    assert written(rows).equals(expected)
    cells = rows.count(["age", "illness"])
    counted = Counter(zip(*(column.to_arrow().to_pylist() for column in cells.table().columns), strict=True))
    assert set(counted.values()) == {1} and cells.counts.sum() == rows.rows


def test_pseudonyms_and_fixed_levels(opened: Callable[..., LazySource], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key that nobody knows")
    schema = replace(
        SCHEMA, pseudonyms=["who"], levels={"visit": 1},
        hierarchies={**SCHEMA.hierarchies, "visit": fv.hierarchy.dates("month", "year")},
    )  # fmt: skip
    table = people(60)
    source = opened(table)
    mine = fv.search(source, schema, guards=[fv.KAnonymity(3, suppression=0.1)]).best("loss")
    exact = fv.search(table, schema, guards=[fv.KAnonymity(3, suppression=0.1)]).best("loss")
    assert written(published(mine.source, mine)).equals(exact.table.to_arrow())


def test_check_and_profile(opened: Callable[..., LazySource]) -> None:
    table = people()
    alpha = fv.AlphaProtection(1.2, min_support=2)
    schema = replace(SCHEMA, sensitive=(), decision="illness", denied="flu")
    for chosen, guards in ((SCHEMA, GUARDS), (schema, [alpha])):
        ours, theirs = fv.check(opened(table), chosen, guards), fv.check(table, chosen, guards)
        assert [v.sentence for v in ours] == [v.sentence for v in theirs]
    few = table.select(["age", "sex", "bill"])
    lazy, exact = fv.profile(opened(few)).to_dict(), fv.profile(few).to_dict()
    assert lazy["columns"] == exact["columns"]
    assert sorted(map(str, lazy["pairs"])) == sorted(map(str, exact["pairs"]))


def test_people_with_several_rows_are_refused(opened: Callable[..., LazySource]) -> None:
    table = pa.table({"who": ["a", "a", "b", None, None], "q": ["x"] * 5})
    with pytest.raises(BadInput, match="up to 2 rows are one person's"):
        fv.search(opened(table), fv.Schema(identifier=["who"], quasi=["q"]), guards=[fv.KAnonymity(2)])


def test_methods_that_need_rows_get_them_by_counting(opened: Callable[..., LazySource], tmp_path: Path) -> None:
    source, saved = opened(people()), []
    for number, given in enumerate((source, people())):
        found = fv.search(given, SCHEMA, guards=[fv.KAnonymity(4)], method=fv.Mondrian())
        saved.append(found.release(0).save(tmp_path / str(number), accept=ANY_DANGER).path)
    assert (saved[0] / "data.csv").read_bytes() == (saved[1] / "data.csv").read_bytes()
    assert (saved[0] / "evidence.json").read_bytes() == (saved[1] / "evidence.json").read_bytes()
    with pytest.raises(BadInput, match="engine='memory'"):
        source.table  # noqa: B018


def test_nested_values_are_refused_when_they_are_used(native: Callable[[pa.Table], Any], request: Any) -> None:
    if "postgres" in request.node.name:
        pytest.skip("Ibis makes no table with lists from memory there")
    source = source_of(native(pa.table({"a": [1, 2], "list": [[1], [2, 3]]})))
    assert source.count(["a"]).rows == 2
    with pytest.raises(BadInput, match="column 'list' has lists or other nested values"):
        source.domain("list")


@pytest.mark.parametrize(
    ("kind", "protocol"),
    [
        (InMemoryTable, Source), (LazySource, Source), (ParquetTable, Source),
        (InMemoryTable, PublishedTable), (LazyRows, PublishedTable), (ParquetTable, PublishedTable),
    ],
)  # fmt: skip
def test_every_relation_is_read_by_the_same_calls(kind: type, protocol: type) -> None:
    calls = {name for part in protocol.__mro__ for name in vars(part) if not name.startswith("_")}
    assert {"names", "domain", "count", "pieces"} < calls <= {*dir(kind), *(f.name for f in fields(kind))}


def test_values_are_merged_where_cells_are_too_many_and_the_solutions_stay_the_same(
    opened: Callable[..., LazySource], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = people(400)
    guards = [fv.KAnonymity(12, suppression=0.02), fv.DistinctDiversity(2)]
    exact = fv.search(table, SCHEMA, guards=guards)
    merged = replace(opened(table), budget=MemoryBudget(64 * 4 * 250))
    with pytest.raises(BadInput, match="have more than 250 distinct combinations"):
        merged.count(["age", "place", "illness"])
    found = fv.search(merged, SCHEMA, guards=guards)
    assert np.array_equal(found.nodes, exact.nodes) and found.nodes[:, 0].min() > 0
    for measure in ("loss", "k", "entropy"):
        assert np.array_equal(found.values(measure), exact.values(measure))
    assert "values were merged" in " ".join(found.proposal.notes)
    assert any("'age' at level 1" in note for note in found.task.private)
    mine, theirs = found.best("loss"), exact.best("loss")
    assert mine.recipe.to_dict() == theirs.recipe.to_dict() and mine.suppressed == theirs.suppressed
    monkeypatch.setattr(lazy_rows, "FEW", 1000)
    assert written(published(mine.source, mine)).equals(theirs.table.to_arrow())
    with pytest.raises(BadInput, match="more than 250"):
        fv.search(merged, SCHEMA, guards=guards, method=fv.Datafly())


def test_every_type_is_written_in_the_same_order(
    opened: Callable[..., LazySource], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_rows, "FEW", 10**6)
    table = pa.concat_tables([every_type()] * 2)
    schema = fv.Schema(quasi=["truth"], plain=[name for name in table.column_names if name != "truth"])
    mine = fv.search(opened(table), schema, guards=[fv.KAnonymity(4)]).best("loss")
    exact = fv.search(table, schema, guards=[fv.KAnonymity(4)]).best("loss")
    assert written(published(mine.source, mine)).equals(exact.table.to_arrow())
