"""The data files of a release folder, read into memory, or only counted if they are large.

Only regular files are opened: a link could lead out of the folder, and reading a pipe would block forever.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.canonical import published_table
from fairveil.data.coding import Coder, plain_piece
from fairveil.data.table import Column, Table
from fairveil.data.types import parsed, readable, type_named
from fairveil.data.writers import ENDINGS
from fairveil.engines import InMemoryTable, PublishedTable, memory
from fairveil.errors import BadInput
from fairveil.published.csv_runs import read_csv
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.engines.memory_budget import MemoryBudget
    from fairveil.progress import Progress
    from fairveil.recipes.recipe import Recipe

_ONLY_PLAIN = sum(getattr(os, f"O_{name}", 0) for name in ("NOFOLLOW", "NONBLOCK", "CLOEXEC", "BINARY"))
"""Flags that open a file without following a link or blocking on a pipe, where the system has them."""
FEW = 4
"""Minimum number of rows per distinct row, on average, for which counts are kept instead of rows."""


def open_plain(path: Path) -> BinaryIO:
    """Open a regular file; raises BadInput for a link, a pipe or a device, and never blocks."""
    try:
        handle = os.open(path, os.O_RDONLY | _ONLY_PLAIN)
    except OSError as problem:
        link = problem.errno == errno.ELOOP
        reason = "it is a link, or too many lead to it" if link else problem.strerror
        raise BadInput(f"{path.parent} is not a release: {path.name} cannot be read ({reason})") from None
    except ValueError:
        raise BadInput(f"{str(path)!r} is not a valid path") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise BadInput(f"{path.parent} is not a release: {path.name} is not a regular file")
    return os.fdopen(handle, "rb")


def data_files(folder: Path, name: str) -> list[Path]:
    """The file of one published table, or its parts in the order of their names. Raises BadInput unless exactly one of
    the formats exists."""
    existing = [file for ending in ENDINGS if os.path.lexists(file := folder / f"{name}.{ending}")]
    if os.path.lexists(folder / name):
        existing.append(folder / name)
    if len(existing) != 1:
        raise BadInput(
            f"the release must contain {name}.csv, {name}.parquet or a folder {name}, and it contains "
            f"{'several' if existing else 'none'} of them"
        )
    return parts_of_folder(existing[0]) if existing[0].name == name else existing


def parts_of_folder(folder: Path) -> list[Path]:
    """The Parquet files of a folder of parts, sorted by name; raises BadInput if it contains anything else."""
    if folder.is_symlink() or not folder.is_dir():
        raise BadInput(f"{folder.name} is neither a regular file nor a folder of Parquet files")
    names = sorted(os.listdir(folder))
    odd = [name for name in names if not name.endswith(".parquet")]
    if odd or not names:
        raise BadInput(f"{folder.name} must contain only Parquet files" + (f", not {odd[0]}" if odd else ""))
    return [folder / name for name in names]


def load_content(
    folder: Path,
    name: str,
    types: Mapping[str, Any],
    recipe: Recipe,
    rows: Any = None,
    progress: Progress | None = None,
    budget: MemoryBudget | None = None,
) -> PublishedTable:
    """One published table: in memory, or only counted if it has many rows and its columns are not split; counting uses
    no more memory than the `budget`."""
    files = data_files(folder, name)
    if files[0].suffix == ".parquet":
        fields, count = parquet_fields(files, types, rows)
        countable = not recipe.splits and not any(map(pa.types.is_decimal256, fields.types))
        if count > memory.LARGE and countable:
            from fairveil.published.parquet import counted_files

            return counted_files(files, fields, count, recipe.schema, progress, budget)
    return _loaded(folder, types, name, progress, rows, recipe.schema)


def load_table(
    folder: Path, types: Mapping[str, Any], name: str = ONLY, progress: Progress | None = None, rows: Any = None
) -> Table:
    """One published table, its columns in these types. Parquet data with a number of rows other than `rows` is not
    read: a small file can expand to any number of rows."""
    return _loaded(folder, types, name, progress, rows).table


def _loaded(
    folder: Path, types: Mapping[str, Any], name: str, progress: Progress | None, rows: Any,
    schema: Schema | None = None,
) -> InMemoryTable:  # fmt: skip
    """The rows of one table; with a schema, in its canonical form. Of a CSV file, equal ones are kept once."""
    files, counts = data_files(folder, name), None
    if files[0].suffix == ".parquet":
        table = _read_parquet(files, parquet_fields(files, types, rows)[0], progress)
    else:
        with open_plain(files[0]) as file:
            table, counts = read_csv(file, files[0].name, progress)
        table = table.with_columns(_retyped(column, types.get(column.name, "string")) for column in table.columns)
    table = table if schema is None else published_table(table, schema)
    loaded = InMemoryTable(table, counts, whole=True)
    is_short = counts is None or len(counts) * FEW > int(counts.sum())
    return InMemoryTable(loaded.table) if is_short else loaded


def parquet_fields(files: Sequence[Path], types: Mapping[str, Any], rows: Any) -> tuple[pa.Schema, int]:
    """Return the schema of Parquet files and their total number of rows, from the footers alone. Raises BadInput where
    files differ in columns, or columns do not have these types."""
    fields, count = None, 0
    for file in files:
        with _parquet(file) as source:
            own: pa.Schema = source.schema_arrow.remove_metadata()
            count += source.metadata.num_rows
        if fields is not None and not own.equals(fields):
            raise BadInput(f"the columns or types of {file.name} differ from those of {files[0].name}")
        fields = own
    assert fields is not None, "there is at least one file"
    if rows is not None and rows != count:
        what = files[0].name if len(files) == 1 else files[0].parent.name
        raise BadInput(f"the evidence says {str(rows)[:20]} rows, {what} has {count}")
    if len(set(fields.names)) < len(fields.names):
        raise BadInput(f"{files[0].name} has a duplicate column name")
    for name, kind in zip(fields.names, fields.types, strict=True):
        if name in types and str(readable(name, kind)) != types[name]:
            raise BadInput(f"column {name!r} of the data does not hold {types[name]} values")
    return fields, count


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    import pyarrow.parquet as pq  # takes long to import, and not every release is Parquet

    try:
        with open_plain(path) as file, pq.ParquetFile(file) as source:
            yield source
    except (pa.ArrowException, OSError):
        raise BadInput(f"{path.name} is truncated, or is not a Parquet file") from None


def _read_parquet(files: Sequence[Path], fields: pa.Schema, progress: Progress | None) -> Table:
    coders = [Coder(column) for column in fields.names]
    for coder, kind in zip(coders, fields.types, strict=True):
        coder.add(plain_piece(coder.name, pa.nulls(0, kind)))
    for path in files:
        with _parquet(path) as source:
            for batch in source.iter_batches(batch_size=1 << 17):
                if progress is not None:
                    progress.check(f"reading {path.name}")
                for coder, piece in zip(coders, batch.columns, strict=True):
                    coder.add(plain_piece(coder.name, piece))
    return Table(tuple(coder.finish() for coder in coders))


def _retyped(column: Column, kind: Any) -> Column:
    """The column converted back to its type and sorted as that type sorts: 9 before 10."""
    wanted = type_named(kind)
    try:
        values = parsed(column.values, wanted)
    except (pa.ArrowException, ValueError, OverflowError):
        raise BadInput(f"column {column.name!r} of the data does not hold {kind} values") from None
    if pa.types.is_string(wanted) and _ascending(values):
        return column  # as it was read
    coder = Coder(column.name)
    coder.pieces.append(coder.encode(values)[column.codes])  # converts distinct values, not every row
    return coder.finish()


def _ascending(texts: pa.Array) -> bool:
    """Whether distinct texts are sorted, a missing one last."""
    present = texts.drop_null()
    is_last = texts.null_count == 0 or (texts.null_count == 1 and not texts[-1].is_valid)
    return is_last and bool(pc.all(pc.less(present[:-1], present[1:])).as_py() if len(present) > 1 else True)
