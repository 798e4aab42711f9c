"""Parquet files from distinct rows and their counts: each row as often as it was counted, whatever its type."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairveil.data import writers
from fairveil.data.table import Column, Table

VALUES = {
    "sorted texts": pa.array(["a", "b", "c"]),
    "texts in another order": pa.array(["c", "a", "b"]),
    "a missing text": pa.array(["b", None, "a"]),
    "values that no row has": pa.array([*map(str, range(300)), "a", "b", "c"]),
    "many texts": pa.array([f"{number:05}" for number in range(5000)]),
    "integers": pa.array([7, -1, 3]),
    "a missing number": pa.array([0.5, None, -2.5]),
    "Booleans": pa.array([True, False, None]),
    "nothing": pa.array([None], pa.string()),
}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("rows", [0, 1, 40, 200_000])
@pytest.mark.parametrize("piece", [7, 1 << 16])
def test_rows_are_written_as_often_as_they_were_counted(
    kind: str, rows: int, piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, random = VALUES[kind], np.random.default_rng(3)
    rows = min(rows, 200 if piece == 7 else rows)
    last = random.integers(max(len(values) - 3, 0), len(values), rows)
    codes = np.where(random.random(rows) < 0.5, last, random.integers(0, len(values), rows))
    table = Table((Column("a", codes, values), Column("b", np.arange(rows), pa.array(np.arange(rows)))))
    counts = random.integers(1, 5, rows)
    monkeypatch.setattr(writers, "BATCH", piece)
    for given in (None, counts):
        writers.write_table(table, tmp_path, f"{given is None}", "parquet", counts=given)
        written = pq.read_table(tmp_path / f"{given is None}.parquet")
        copies = np.ones(rows, dtype=np.int64) if given is None else given
        assert written["a"].combine_chunks().to_pylist() == values.take(pa.array(np.repeat(codes, copies))).to_pylist()
        assert written["b"].to_pylist() == np.repeat(np.arange(rows), copies).tolist()
        assert written.schema.field("a").type == values.type
