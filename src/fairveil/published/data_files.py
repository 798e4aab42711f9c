"""The data files of a release folder, and how they are opened: held in memory, or counted where they are large.

Only plain files are opened: a link could lead out of the folder, and a pipe would be waited for forever.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from fairveil.counting.cells import class_columns
from fairveil.data.canonical import published_table
from fairveil.data.coding import Coder
from fairveil.data.readers import plain_piece
from fairveil.data.release_csv import read_csv
from fairveil.data.table import Column, Table
from fairveil.data.types import parsed, readable, type_named
from fairveil.data.writers import ENDINGS
from fairveil.errors import BadInput
from fairveil.guards import Guard, looked_at
from fairveil.progress import Progress
from fairveil.published.published_table import LARGE, InMemoryTable, PublishedTable
from fairveil.recipes.outcome import ONLY
from fairveil.recipes.recipe import Recipe

_ONLY_PLAIN = sum(getattr(os, f"O_{name}", 0) for name in ("NOFOLLOW", "NONBLOCK", "CLOEXEC", "BINARY"))
"""How to open a file so that no link is followed and no pipe waited for, where the system can."""


def open_plain(path: Path) -> BinaryIO:
    """A plain file, opened; a link, a pipe or a device is refused, and nothing is waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | _ONLY_PLAIN)
    except OSError as problem:
        link = problem.errno == errno.ELOOP
        reason = "it is a link, or too many lead to it" if link else problem.strerror
        raise BadInput(f"{path.parent} is not a release: {path.name} cannot be read ({reason})") from None
    except ValueError:
        raise BadInput(f"{str(path)!r} is no path") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise BadInput(f"{path.parent} is not a release: {path.name} is not a plain file")
    return os.fdopen(handle, "rb")


def data_files(folder: Path, name: str) -> list[Path]:
    """The file of one published table, or its parts in the order of their names; there must be exactly one of these."""
    found = [file for ending in ENDINGS if os.path.lexists(file := folder / f"{name}.{ending}")]
    if os.path.lexists(folder / name):
        found.append(folder / name)
    if len(found) != 1:
        raise BadInput(
            f"the release must hold {name}.csv, {name}.parquet or a folder {name}, and it holds "
            f"{'several' if found else 'none'} of them"
        )
    return parts_of_folder(found[0]) if found[0].name == name else found


def parts_of_folder(folder: Path) -> list[Path]:
    """The files of a folder of parts, in the order of their names; there must be nothing else in it."""
    if folder.is_symlink() or not folder.is_dir():
        raise BadInput(f"{folder.name} is neither a plain file nor a folder of Parquet files")
    names = sorted(os.listdir(folder))
    odd = [name for name in names if not name.endswith(".parquet")]
    if odd or not names:
        raise BadInput(f"{folder.name} must hold Parquet files and nothing else" + (f", not {odd[0]}" if odd else ""))
    return [folder / name for name in names]


def load_content(
    folder: Path,
    name: str,
    types: Mapping[str, Any],
    recipe: Recipe,
    guards: Sequence[Guard] = (),
    rows: Any = None,
    progress: Progress | None = None,
) -> PublishedTable:
    """One published table: held, or counted where it has many rows and its columns stand together."""
    files = data_files(folder, name)
    if files[0].suffix == ".parquet":
        fields, found = parquet_fields(files, types, rows)
        if found > LARGE and not recipe.splits and not any(pa.types.is_decimal256(kind) for kind in fields.types):
            from fairveil.published.parquet import ParquetTable

            together = class_columns(recipe.schema, fields.names, looked_at(guards, recipe.schema))
            return ParquetTable(
                files, recipe.schema, [column for column in together if column in fields.names], progress
            )
    return InMemoryTable(published_table(load_table(folder, types, name, progress, rows), recipe.schema))


def load_table(
    folder: Path, types: Mapping[str, Any], name: str = ONLY, progress: Progress | None = None, rows: Any = None
) -> Table:
    """One published table, its columns in these types. Parquet data of other than `rows` rows is not even read: a
    small file can stand for endlessly many."""
    files = data_files(folder, name)
    if files[0].suffix == ".parquet":
        return _read_parquet(files, parquet_fields(files, types, rows)[0], progress)
    with open_plain(files[0]) as file:
        table = read_csv(file, files[0].name, progress)
    return table.with_columns(_retyped(column, types.get(column.name, "string")) for column in table.columns)


def parquet_fields(files: Sequence[Path], types: Mapping[str, Any], rows: Any) -> tuple[pa.Schema, int]:
    """The columns of Parquet files, which must be the same in each and have these types, and the rows of all of them,
    from their footers alone."""
    fields, held = None, 0
    for file in files:
        with _parquet(file) as source:
            own: pa.Schema = source.schema_arrow.remove_metadata()
            held += source.metadata.num_rows
        if fields is not None and not own.equals(fields):
            raise BadInput(f"{file.name} has other columns or types than {files[0].name}")
        fields = own
    assert fields is not None, "there is a file at least"
    if rows is not None and rows != held:
        what = files[0].name if len(files) == 1 else files[0].parent.name
        raise BadInput(f"the evidence says {str(rows)[:20]} rows, {what} has {held}")
    if len(set(fields.names)) < len(fields.names):
        raise BadInput(f"{files[0].name} names a column twice")
    for name, kind in zip(fields.names, fields.types, strict=True):
        if name in types and str(readable(name, kind)) != types[name]:
            raise BadInput(f"column {name!r} of the data does not hold {types[name]} values")
    return fields, held


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
    """The column in its own type again, sorted as that type sorts: 9 before 10."""
    wanted = type_named(kind)
    try:
        values = parsed(column.values, wanted)
    except (pa.ArrowException, ValueError, OverflowError):
        raise BadInput(f"column {column.name!r} of the data does not hold {kind} values") from None
    coder = Coder(column.name)
    coder.pieces.append(coder.encode(values)[column.codes])  # of the distinct values, not of every row
    return coder.finish()
