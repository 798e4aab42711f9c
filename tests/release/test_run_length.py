"""Rows of Parquet files that are held as runs, and the same rows counted by DuckDB: every answer is the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.published import run_length
from fairveil.published.parquet import ParquetTable

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
    held = ParquetTable(files, SCHEMA, ["sex", "age"])
    assert held._whole is not None and (held._whole.distinct.rows < table.num_rows / 2 or not ordered)
    monkeypatch.setattr(run_length, "MAX_VALUES", 0)
    counted = ParquetTable(files, SCHEMA, ["sex", "age"])
    assert counted._whole is None
    assert held.in_order() == counted.in_order() == ordered
    assert dict(held.types) == dict(counted.types) and held.rows == counted.rows == table.num_rows
    for names in (["sex"], ["paid"], ["note", "day"], ["sex", "age", "note", "paid", "day"]):
        mine, theirs = held.count(names), counted.count(names)
        assert mine.table().to_arrow().equals(theirs.table().to_arrow())
        assert np.array_equal(mine.counts, theirs.counts)
        assert held.sizes(names) == counted.sizes(names)
    for name in table.schema.names:
        assert held.frequent(name, 2) == counted.frequent(name, 2)
        assert held.domain(name).domain == counted.domain(name).domain
