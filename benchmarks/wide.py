"""python -m benchmarks wide: the CPU seconds of `fairveil init` on a million rows and 300 columns (Parquet and CSV)."""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

NAMES = ("flag", "age", "income", "region", "code", "visited")
PIECES = 20


def piece(rows: int, columns: int, first: int) -> pa.Table:
    """Rows of people, numbered from `first`, with columns of six kinds in turn."""
    rng = np.random.default_rng(first)
    regions = pa.array(["north", "south", "east", "west"])
    made = {"person": pa.array(np.arange(first, first + rows) // 2)}
    for position in range(columns - 1):
        values = (
            rng.integers(0, 2, rows), rng.integers(18, 90, rows), np.round(rng.lognormal(8, 1, rows), 2), None,
            rng.integers(0, 1000, rows),
            np.datetime64("2020-01-01") + rng.integers(0, 900, rows).astype("timedelta64[D]"),
        )[position % 6]  # fmt: skip
        name = f"{NAMES[position % 6]}_{position}"
        made[name] = regions.take(pa.array(rng.integers(0, 4, rows))) if values is None else pa.array(values)
    return pa.table(made)


def cpu_of(file: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call = [sys.executable, "-m", "fairveil", "init", str(file), "--out", f"{file}.toml"]
    subprocess.run(call, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks wide")
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--columns", type=int, default=300)
    options.add_argument("--csv", action="store_true", help="as CSV, too (more than a gigabyte)")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "wide.parquet"] + [Path(folder) / "wide.csv"] * asked.csv
        each = asked.rows // PIECES
        parquet: pq.ParquetWriter | None = None
        text: pyarrow.csv.CSVWriter | None = None
        for position in range(PIECES):
            table = piece(each, asked.columns, position * each)
            parquet = parquet or pq.ParquetWriter(files[0], table.schema)
            parquet.write_table(table)
            if asked.csv:
                text = text or pyarrow.csv.CSVWriter(files[1], table.schema)
                text.write_table(table)
        for writer in (parquet, text):
            if writer is not None:
                writer.close()
        for file in files:
            size = f"{asked.rows:,} rows, {asked.columns} columns"
            print(f"init {file.suffix[1:]}, {size}: {cpu_of(file):.1f} s of CPU", flush=True)


if __name__ == "__main__":
    main()
