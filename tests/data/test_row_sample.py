"""A sample of the rows of a file: every row as likely, the same ones for any pieces, few of them in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data import row_sample
from fairveil.data.coding import Coder
from fairveil.data.row_sample import RowSample


def sampled(rows: int, pieces: int, size: int, seed: int = 0) -> list[int]:
    coder, part = Coder("n"), RowSample(size, seed)
    for piece in np.array_split(np.arange(rows), pieces):
        coder.add(pa.array(piece))
        part.keep([coder], len(piece))
    part.settle([coder])
    found: list[int] = coder.finish().codes.tolist()
    return found


@pytest.mark.parametrize("pieces", [1, 2, 7, 1000])
def test_pieces_do_not_matter(pieces: int) -> None:
    assert sampled(1000, pieces, 40) == sampled(1000, 3, 40) and len(set(sampled(1000, pieces, 40))) == 40
    assert sampled(1000, pieces, 40, seed=1) != sampled(1000, pieces, 40)
    assert sampled(30, min(pieces, 30), 40) == list(range(30))


def test_every_row_is_as_likely() -> None:
    times = np.bincount(np.concatenate([sampled(60, 9, 12, seed) for seed in range(600)]), minlength=60)
    assert times.min() > 60 and times.max() < 190  # 120 on average, six standard deviations


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_memory_does_not_grow_with_rows(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Types are those of all values, also of the last row."""
    table = pa.table({"n": [*(str(i % 50) for i in range(9999)), "x"]})
    path = tmp_path / f"people.{ending}"
    if ending == "csv":
        pa.csv.write_csv(table, path)
    else:
        pq.write_table(table, path, row_group_size=500)
    kept: list[int] = []

    def watched(part: RowSample, coders: list[Coder], rows: int) -> None:
        keep(part, coders, rows)
        kept.append(max(sum(map(len, coder.pieces)) for coder in coders))

    keep = RowSample.keep
    monkeypatch.setattr(row_sample.RowSample, "keep", watched)
    found = fv.Table.read(path, text=["n"], sample=RowSample(100, 3))
    assert found.rows == 100 and max(kept) <= 200 and pa.types.is_string(found.column("n").values.type)
    assert found.to_arrow().equals(fv.Table.read(path, text=["n"], sample=RowSample(100, 3)).to_arrow())
