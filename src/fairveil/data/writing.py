"""How tables are written: as CSV or Parquet, whole or not at all; and what cannot be written to.

A release may also be written as parts: a folder of Parquet files whose names are in the order of the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from fairveil.data.own_csv import write_csv
from fairveil.data.placing import refuse_link, refuse_parent, whole_files
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.progress import Progress

Format = Literal["csv", "parquet", "parts"]
FORMATS: tuple[Format, ...] = ("csv", "parquet", "parts")
ENDINGS = ("csv", "parquet")
"""How the names of data files end."""
PART_ROWS = 1 << 24
"""Rows of one part."""
BATCH = 1 << 20


def write_table(
    table: Table, folder: Path, name: str, format: Format, progress: Progress | None = None,
    counts: np.ndarray | None = None,
) -> None:  # fmt: skip
    """One table as a file of this name and format in a folder, or as parts. `counts`: how often each row is written."""
    if format == "csv":
        every = table if counts is None else table.take(np.repeat(np.arange(table.rows), counts))
        write_csv(every, folder / f"{name}.csv", progress)
    elif format == "parquet":
        write_parquet(table, folder / f"{name}.parquet", progress, counts)
    else:
        rows = table.rows if counts is None else int(counts.sum())
        (folder / name).mkdir()
        for number, start in enumerate(range(0, max(rows, 1), PART_ROWS)):
            part = slice(start, min(start + PART_ROWS, rows))
            write_parquet(table, folder / name / part_name(number), progress, counts, part)


def part_name(number: int) -> str:
    """Names of parts, which sort by number."""
    return f"part-{number:06d}.parquet"


def write_parquet(
    table: Table, path: Path, progress: Progress | None = None, counts: np.ndarray | None = None,
    rows: slice | None = None,
) -> None:  # fmt: skip
    """Some rows of a table, or all of them, each as often as its count says."""
    rows = rows or slice(0, table.rows if counts is None else int(counts.sum()))
    schema, ends = table.to_arrow(slice(0, 0)).schema, None if counts is None else np.cumsum(counts)
    with path.open("wb") as sink, pa.parquet.ParquetWriter(sink, schema) as writer:  # Arrow opens UTF-8 paths only
        for start in range(rows.start, rows.stop, BATCH):
            _go_on(progress, path)
            batch = slice(start, min(start + BATCH, rows.stop))
            writer.write_table(table.to_arrow(batch if ends is None else _repeated(ends, batch)))


def _repeated(ends: np.ndarray, rows: slice) -> np.ndarray:
    """The distinct row behind each of some rows; `ends` are the places behind the last copy of each."""
    return np.searchsorted(ends, np.arange(rows.start, rows.stop), side="right")


def write_files(tables: Mapping[Path, Table], progress: Progress | None = None, *, overwrite: bool = True) -> None:
    """Tables as CSV or Parquet files, all of them whole or none at all."""
    with whole_files(list(tables), overwrite=overwrite) as asides:
        for path, aside in asides.items():
            (write_csv if path.name.endswith(".csv") else write_parquet)(tables[path], aside, progress)


def refuse_file_target(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a file that data cannot be written to, before any work."""
    refuse_format(path)
    refuse_link(path)
    if path.exists() and not (overwrite and path.is_file()):
        raise BadInput(f"{path} is there already: choose another name" + (", or overwrite it" * path.is_file()))
    refuse_parent(path)


def refuse_format(path: Path) -> None:
    """Refuse a name that does not say in which format to write."""
    if not path.name.endswith((".csv", ".parquet")):
        raise BadInput(f"{path} must be a .csv or .parquet file")


def _go_on(progress: Progress | None, path: Path) -> None:
    if progress is not None:
        progress.check(f"writing {path.name.strip('.')}")
