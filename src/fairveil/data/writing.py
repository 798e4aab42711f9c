"""How tables are written: as CSV or Parquet, whole or not at all; and what cannot be written to."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet

from fairveil.data.own_csv import write_csv
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


def write_files(tables: Mapping[Path, Table], progress: Progress | None = None) -> None:
    """Tables as CSV or Parquet files, all of them whole or none at all."""

    def write(path: Path, aside: Path) -> None:
        write_table(tables[path], aside, "csv" if path.name.endswith(".csv") else "parquet", progress)

    put_in_place(list(tables), write)


def write_text(text: str, path: Path) -> None:
    """One text file, whole or not at all."""
    put_in_place([path], lambda _, aside: aside.write_text(text, encoding="utf-8", newline="\n"))


def put_in_place(paths: list[Path], write: Callable[[Path, Path], object]) -> None:
    """Write every file beside its place, then rename all of them; nothing half-written is left."""
    aside = {path: path.with_name(f".{path.name}.part") for path in paths}
    try:
        for path, temporary in aside.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, temporary)
        for path, temporary in aside.items():
            temporary.replace(path)
    except OSError as problem:
        raise BadInput(f"{paths[0]} cannot be written: {problem.strerror}") from None
    finally:
        for temporary in aside.values():
            temporary.unlink(missing_ok=True)


def refuse_file_target(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a file that data cannot be written to, before any work."""
    refuse_format(path)
    if path.exists() and not (overwrite and path.is_file()):
        raise BadInput(f"{path} is there already: choose another name" + (", or overwrite it" * path.is_file()))
    refuse_parent(path)


def refuse_format(path: Path) -> None:
    """Refuse a name that does not say in which format to write."""
    if not path.name.endswith((".csv", ".parquet")):
        raise BadInput(f"{path} must be a .csv or .parquet file")


def refuse_parent(path: Path) -> None:
    """Refuse a place in a folder that cannot be written to."""
    parent = next(folder for folder in path.absolute().parents if folder.exists())
    if not parent.is_dir():
        raise BadInput(f"{path} cannot be written: {parent} is not a folder")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise BadInput(f"{path} cannot be written: no permission to write in {parent}")


def _go_on(progress: Progress | None, path: Path) -> None:
    if progress is not None:
        progress.check(f"writing {path.name.strip('.')}")
