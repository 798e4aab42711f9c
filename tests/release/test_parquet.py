"""Rows of Parquet files that are held as runs, and the same rows counted by DuckDB: every answer is the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.engines import InMemoryTable, memory
from fairveil.engines.relation import in_value_order, types_of
from fairveil.published import parquet
from fairveil.published.parquet import ParquetTable, counted_files

SCHEMA = fv.Schema(quasi=["sex", "age"], plain=["note", "paid", "day"])


def people(seed: int, rows: int = 400) -> pa.Table:
    draw = np.random.default_rng(seed)
    days = draw.integers(0, 3, rows).astype("datetime64[D]")
    return pa.table(
        {
            "sex": pa.array(draw.choice(["F", "M"], rows)),
            "age": pa.array(draw.integers(1, 4, rows)),
            "note": pa.array([("", "a", None)[n] for n in draw.integers(0, 3, rows)]),
            "paid": pa.array(draw.integers(0, 3, rows) / 2, mask=draw.random(rows) < 0.1),
            "day": pa.array(days),
        }
    )


def parts(table: pa.Table, folder: Path) -> list[Path]:
    """Three files of small row groups, so that runs go on from one to the next."""
    cuts = [0, 150, 151, table.num_rows]
    for number, (start, end) in enumerate(pairwise(cuts)):
        pq.write_table(table.slice(start, end - start), folder / f"{number}.parquet", row_group_size=32)
    return sorted(folder.glob("*.parquet"))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_every_answer_is_that_of_duckdb(
    seed: int, ordered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = people(seed)
    keys = [(name, "ascending") for name in table.schema.names]
    files = parts(table.sort_by(keys) if ordered else table, tmp_path)
    held = counted_files(files, table.schema, table.num_rows, SCHEMA)
    assert isinstance(held, InMemoryTable) and held.counts is not None
    own, after = held.distinct.to_arrow(), held.distinct.to_arrow(slice(1, None))
    assert not ordered or held.distinct.rows < table.num_rows / 2
    assert all(one != two for one, two in zip(own.to_pylist(), after.to_pylist(), strict=False)), "a run is split"
    monkeypatch.setattr(parquet, "MAX_VALUES", 0)
    counted = counted_files(files, table.schema, table.num_rows, SCHEMA)
    assert isinstance(counted, ParquetTable)
    assert held.in_order() == counted.in_order() == ordered
    assert types_of(held) == types_of(counted) and held.rows == counted.rows == table.num_rows
    for names in (["sex"], ["paid"], ["note", "day"], ["sex", "age", "note", "paid", "day"]):
        mine, theirs = in_value_order(held.count(names)), in_value_order(counted.count(names))
        assert mine.table().to_arrow().equals(theirs.table().to_arrow())
        assert np.array_equal(mine.counts, theirs.counts)
        for named in (True, False):
            assert held.sizes(names, named=named) == counted.sizes(names, named=named)
    for name in table.schema.names:
        assert held.frequent(name, 2) == counted.frequent(name, 2)
        assert held.domain(name).domain == counted.domain(name).domain
    pieces = pa.concat_tables(piece.cast(table.schema) for piece in counted.pieces(7))
    assert pieces.equals(pa.concat_tables(pq.read_table(file) for file in files))


def test_any_number_of_threads_reads_the_same_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = people(5)
    files = parts(table, tmp_path)
    tables = []
    for threads in ("1", "3"):
        monkeypatch.setenv("FAIRVEIL_THREADS", threads)
        runs = counted_files(files, table.schema, table.num_rows, SCHEMA)
        assert isinstance(runs, InMemoryTable) and runs.counts is not None
        tables.append((runs.distinct.to_arrow(), runs.counts.tolist()))
    assert tables[0] == tables[1]
    rows = tables[0][0].take(np.repeat(np.arange(len(tables[0][1])), tables[0][1]))
    assert rows.equals(table.cast(rows.schema))


def test_frequent_values_of_a_column_with_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "MAX_VALUES", 0)
    ids = pa.array([str(n // 3 if n < 30 else n) for n in range(200)])
    files = parts(pa.table({"sex": ["F"] * 200, "note": ids}), tmp_path)
    counted = counted_files(files, pq.read_schema(files[0]), 200, SCHEMA)
    expected = (["0", "1", "2"], 180)
    assert counted.frequent("note", 3) == expected
    monkeypatch.setattr(memory, "MAX_TUPLES", 5)
    few = counted_files(files, pq.read_schema(files[0]), 200, SCHEMA)
    assert few.frequent("note", 3) == expected and few.sizes(["note"]) == {1: 170, 3: 10}
    with pytest.raises(fv.BadInput, match=r"more than \d distinct combinations of 'sex', 'note', the maximum"):
        few.count(["sex", "note"])
    with pytest.raises(fv.BadInput, match="only counted"):
        few.table  # noqa: B018
