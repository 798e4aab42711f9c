"""Writing tables as CSV or Parquet, atomically, and checking where they are written to.

A release may also be written as parts: a folder of Parquet files whose names sort in the order of the rows.
"""

from __future__ import annotations

import base64
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import numbers, plain
from fairveil.data.atomic import refuse_link, refuse_parent, whole_files
from fairveil.data.release_csv import Sink, new_file, write_csv
from fairveil.data.table import narrow
from fairveil.errors import BadInput
from fairveil.messages import option

if TYPE_CHECKING:
    from fairveil.data.table import Table
    from fairveil.progress import Progress

Format = Literal["csv", "parquet", "parts"]
FORMATS: tuple[Format, ...] = ("csv", "parquet", "parts")
ENDINGS = ("csv", "parquet")
"""The extensions of data files."""
PART_ROWS = 1 << 24
"""Maximum number of rows of one part."""
BATCH = 1 << 20
FEW_TEXTS = 1 << 12
"""Maximum number of distinct texts of a column that is written dictionary-encoded; each row group repeats them."""


def write_table(
    table: Table, folder: Path, name: str, format: Format, progress: Progress | None = None,
    counts: np.ndarray | None = None,
) -> None:  # fmt: skip
    """Write a table to a file of this name and format, or as parts. `counts`: how often each row is written."""
    if format == "csv":
        write_csv(table, folder / f"{name}.csv", progress, counts=counts)
        return
    rows = table.rows if counts is None else int(counts.sum())
    schema = table.to_arrow(slice(0, 0)).schema
    write_pieces(pieces_of(table, piece_rows(), counts), rows, schema, folder, name, format, progress)


def pieces_of(table: Table, size: int, counts: np.ndarray | None = None) -> Generator[pa.Table, None, None]:
    """Yield the rows of a table, each repeated by `counts`, in pieces of `size` rows to be written."""
    table = table.compact()
    rows = table.rows if counts is None else int(counts.sum())
    ends = None if counts is None else np.cumsum(counts)
    for start in range(0, rows, size):
        piece = slice(start, min(start + size, rows))
        rows_of, copies = (piece, None) if ends is None else distinct_rows(ends, piece)
        yield pa.table({c.name: piece_of(c.values, c.codes[rows_of], copies) for c in table.columns})


def piece_rows() -> int:
    """The number of rows of a piece, which becomes a row group."""
    return min(BATCH, PART_ROWS)


def write_pieces(
    pieces: Iterator[pa.Table], rows: int, schema: pa.Schema, folder: Path, name: str, format: Format,
    progress: Progress | None = None, sink: Sink = new_file,
) -> None:  # fmt: skip
    """Write pieces of `piece_rows` rows each, the last one shorter, to a Parquet file or a folder of such files."""
    if format == "parquet":
        write_stream(pieces, schema, folder / f"{name}.parquet", progress, sink)
        return
    for number in range(max(-(-rows // PART_ROWS), 1)):
        part = folder / name / part_name(number)
        write_stream(islice(pieces, PART_ROWS // piece_rows()), schema, part, progress, sink)


def part_name(number: int) -> str:
    """The name of a part; names sort by number."""
    return f"part-{number:06d}.parquet"


def piece_of(values: pa.Array, codes: np.ndarray, copies: np.ndarray | None = None) -> pa.Array:
    """Some rows of a column to be written, each as often as `copies` says. A column of few distinct texts stays
    dictionary-encoded: copying and hashing the text of each row would take longer than anything else."""
    if not pa.types.is_string(values.type) or len(values) > FEW_TEXTS:
        return values.take(numbers(_copied(codes, copies)))
    ranks = narrow(plain(pc.rank(values, sort_keys="ascending", tiebreaker="dense")).astype(np.int64) - 1, len(values))
    if values.null_count:
        of_value = pc.if_else(values.is_valid(), numbers(ranks), pa.scalar(None, pa.from_numpy_dtype(ranks.dtype)))
        of_rows = of_value.take(numbers(_copied(codes, copies)))
    else:
        of_rows = numbers(_copied(ranks[codes], copies))
    texts = values.take(pc.sort_indices(values)).drop_null()
    return pa.DictionaryArray.from_arrays(of_rows, texts, safe=False)


def _copied(codes: np.ndarray, copies: np.ndarray | None) -> np.ndarray:
    return codes if copies is None else np.repeat(codes, copies)


def write_stream(
    pieces: Iterable[pa.Table], schema: pa.Schema, path: Path, progress: Progress | None, sink: Sink = new_file
) -> None:
    """Write pieces to a Parquet file. Each piece is computed while the previous one is written."""
    import pyarrow.parquet as pq  # takes long to import, and most releases are CSV files

    pieces = iter(pieces)
    first = list(islice(pieces, 1))
    coded = first[0].schema if first else schema
    # rows are sorted: minimum and maximum of later columns would be those of all rows
    settings = {"store_schema": False, "write_statistics": schema.names[:1]}
    with (
        sink(path) as file,  # Arrow opens UTF-8 paths only
        pq.ParquetWriter(file, coded, **settings) as writer,
        ThreadPoolExecutor(1, "fairveil-write") as thread,
    ):
        # the stored schema has the types of the columns, not that some were dictionary-encoded
        writer.add_key_value_metadata({"ARROW:schema": base64.b64encode(schema.serialize().to_pybytes())})
        written: Future[None] = thread.submit(lambda: None)
        for piece in chain(first, pieces):
            if progress is not None:
                progress.check(f"writing {path.name.strip('.')}")
            written.result()
            written = thread.submit(writer.write_table, piece)
        written.result()


def distinct_rows(ends: np.ndarray, rows: slice) -> tuple[slice, np.ndarray]:
    """The distinct rows behind the rows of a slice, and how often each occurs there; `ends` are the cumulative counts
    of all distinct rows."""
    first, last = int(np.searchsorted(ends, rows.start, side="right")), int(np.searchsorted(ends, rows.stop))
    return slice(first, last + 1), np.diff(np.minimum(ends[first : last + 1], rows.stop), prepend=rows.start)


def repeated(ends: np.ndarray, rows: slice) -> np.ndarray:
    """The distinct row behind each row of a slice."""
    distinct, copies = distinct_rows(ends, rows)
    return np.repeat(np.arange(distinct.start, distinct.stop), copies)


def write_files(tables: Mapping[Path, Table], progress: Progress | None = None, *, overwrite: bool = True) -> None:
    """Write tables to CSV or Parquet files: all of them, or none if something fails."""
    with whole_files(list(tables), overwrite=overwrite) as asides:
        for path, aside in asides.items():
            if path.name.endswith(".csv"):
                write_csv(tables[path], aside, progress)
            else:
                schema = tables[path].to_arrow(slice(0, 0)).schema
                write_stream(pieces_of(tables[path], BATCH), schema, aside, progress)


def refuse_file_target(path: Path, *, overwrite: bool = False) -> None:
    """Raise BadInput if data cannot be written to this file."""
    refuse_format(path)
    refuse_link(path)
    if path.exists() and not (overwrite and path.is_file()):
        hint = f", or use {option('overwrite', True)}" if path.is_file() else ""
        raise BadInput(f"{path} already exists: choose another name{hint}")
    refuse_parent(path)


def refuse_format(path: Path) -> None:
    """Raise BadInput for a name without the extension of a format."""
    if not path.name.endswith((".csv", ".parquet")):
        raise BadInput(f"{path} must be a .csv or .parquet file")
