"""How tables are written: as CSV or Parquet, whole or not at all; and what cannot be written to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet

from fairveil.data.own_csv import write_csv
from fairveil.data.placing import refuse_link, refuse_parent, whole_files
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.progress import Progress

Format = Literal["csv", "parquet"]
FORMATS: tuple[Format, ...] = ("csv", "parquet")


def write_table(table: Table, path: Path, format: Format, progress: Progress | None = None) -> None:
    """One table as a file of this format."""
    (write_csv if format == "csv" else write_parquet)(table, path, progress)


def write_parquet(table: Table, path: Path, progress: Progress | None = None) -> None:
    schema = table.to_arrow(slice(0, 0)).schema
    with path.open("wb") as sink, pa.parquet.ParquetWriter(sink, schema) as writer:  # Arrow opens UTF-8 paths only
        for batch in table.batches():
            _go_on(progress, path)
            writer.write_table(batch)


def write_files(tables: Mapping[Path, Table], progress: Progress | None = None, *, overwrite: bool = True) -> None:
    """Tables as CSV or Parquet files, all of them whole or none at all."""
    with whole_files(list(tables), overwrite=overwrite) as asides:
        for path, aside in asides.items():
            write_table(tables[path], aside, "csv" if path.name.endswith(".csv") else "parquet", progress)


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
