"""Rows from 10⁴ to 10⁷: time and memory from a Parquet file to a release. Cost follows distinct tuples.

`python -m benchmarks.scale [largest]`. Data is Adult-like: rows of Adult drawn with replacement, a tenth of the
values of each column redrawn from the column, so that new tuples keep appearing. Then the cost model of `cost.py`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import cost
from benchmarks.timing import show

CHILD = """
import json, sys, time
import fairveil as fv
from benchmarks.memory import peak
start = time.perf_counter()
adult = fv.datasets.adult()
table = fv.Table.read(sys.argv[1])
read = time.perf_counter()
found = fv.search(table, adult.schema, guards=[fv.KAnonymity(5, suppression=0.01)])
position = found.best_position("loss")
searched = time.perf_counter()
found.release(position).save(sys.argv[2], format="parquet", accept=fv.attacks.ATTACKS.names)
done = time.perf_counter()
print(json.dumps({
    "cells": len(found.task.cells), "solutions": len(found), "read": read - start, "search": searched - read,
    "publish": done - searched, "gb": peak() / 1024,
}))
"""


def generate(rows: int, path: Path) -> None:
    """Adult-like rows, written piece by piece."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    import fairveil as fv

    table = fv.datasets.adult().table
    rng = np.random.default_rng(1)
    writer = None
    for start in range(0, rows, 1 << 20):
        size = min(1 << 20, rows - start)
        drawn = rng.integers(0, table.rows, size)
        columns = {}
        for column in table.columns:
            codes = column.codes[np.where(rng.random(size) < 0.1, rng.integers(0, table.rows, size), drawn)]
            columns[column.name] = column.values.take(pa.array(codes))
        piece = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, piece.schema)
        writer.write_table(piece)
    assert writer is not None
    writer.close()


def main() -> None:
    import json

    largest = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    rows = {}
    for size in (10**4, 10**5, 10**6, 10**7):
        if size > largest:
            break
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "source.parquet"
            generate(size, source)
            said = subprocess.run([sys.executable, "-c", CHILD, str(source), str(Path(folder) / "release")],
                                  capture_output=True, text=True, check=True)  # fmt: skip
        seen = json.loads(said.stdout)
        rows[f"{size:>10,} rows"] = (
            f"{seen['cells']:>9,} cells  read {seen['read']:6.2f} s  search {seen['search']:6.2f} s  "
            f"publish {seen['publish']:6.2f} s  peak {seen['gb']:.2f} GB resident"
        )
    show("From file to release, k=5, 1 % suppression, eight quasi columns (27,000 nodes)", rows)
    cost.main()


if __name__ == "__main__":
    main()
