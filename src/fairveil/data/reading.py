"""How data comes in and goes out: frames of any kind, CSV and Parquet files, in pieces and as codes.

A file is never in memory as text: each piece is dictionary-encoded as it is read and only its codes are kept.
The type of a CSV column is decided from its *distinct* values once all are known: whole numbers, numbers,
ISO dates, else text. Codes with leading zeros ("08540") stay text, because they are labels.
"""

from __future__ import annotations

import contextlib
import csv
import difflib
import gzip
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from fairveil.data.arrow import texts
from fairveil.data.coding import Coder, one_zero, typed
from fairveil.data.table import Column
from fairveil.data.types import readable
from fairveil.errors import BadInput, refuse, suggest
from fairveil.progress import Progress

PARQUET_ENDINGS = (".parquet", ".pq")
CSV_ENDINGS = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".data")
LONGEST_HEADER = 1 << 24
"""Characters of a header: a compressed file may hold one line without end."""
UNREADABLE = (pa.ArrowException, OSError, EOFError, UnicodeDecodeError, OverflowError, zlib.error)
"""What a damaged file makes libraries raise: half a gzip member, a broken Parquet page, sizes that cannot be."""
BLOCK_BYTES = 2 << 20
"""Of a CSV file read at a time; Arrow reads a few dozen of them ahead."""


def read_frame(frame: Any) -> tuple[list[Column], str]:
    """The columns of a data frame and the kind of frame it is."""
    if isinstance(frame, pa.RecordBatch):
        frame = pa.table(frame)
    _refuse_repeated([str(name) for name in getattr(frame, "column_names", getattr(frame, "columns", []))])
    try:
        wrapped = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise BadInput(
            f"a {type(frame).__name__} is not a data frame: give pandas, Polars or PyArrow data, or a file's path"
        ) from None
    kind = str(wrapped.implementation.name).lower()
    columns = []
    for name, native in zip(map(str, wrapped.columns), _native_columns(frame, wrapped, kind), strict=True):
        coder = Coder(name)
        for piece in native:
            coder.add(plain_piece(name, piece))
        columns.append(coder.finish())
    return columns, kind


def native_types(frame: Any, kind: str) -> dict[str, Any]:
    """The types of the columns, to give back what came in."""
    if kind == "pandas":
        return {str(name): frame[name].dtype for name in frame.columns}
    if kind == "polars":
        return dict(frame.schema.items())
    return dict(zip(frame.schema.names, frame.schema.types, strict=True)) if kind == "pyarrow" else {}


def _native_columns(frame: Any, wrapped: Any, kind: str) -> Iterable[list[pa.Array]]:
    if kind == "pandas":
        for position, name in enumerate(frame.columns):
            try:
                yield [pa.Array.from_pandas(frame.iloc[:, position])]
            except (pa.ArrowInvalid, pa.ArrowTypeError):
                types = sorted({type(v).__name__ for v in frame.iloc[:, position] if v is not None})
                raise BadInput(f"column {str(name)!r} mixes types ({', '.join(types)}): make it all one type") from None
    else:
        table = frame if kind == "pyarrow" else wrapped.to_arrow()
        for column in table.columns:
            yield column.chunks or [pa.nulls(0, column.type)]


def plain_piece(name: str, piece: Any) -> pa.Array:
    """One chunk with a type we can code: no nesting, NaN as missing, one text type."""
    if isinstance(piece, pa.ChunkedArray):
        piece = piece.combine_chunks()
    kind = readable(name, piece.type.value_type if pa.types.is_dictionary(piece.type) else piece.type)
    if piece.type != kind:
        piece = piece.cast(kind)
    if pa.types.is_floating(kind):
        piece = pc.if_else(pc.is_nan(piece), pa.scalar(None, kind), one_zero(piece))
    return piece


def column_names(path: Path, separator: str | None = None) -> list[str]:
    """The columns of a CSV or Parquet file, from its header or footer alone."""
    try:
        _refuse_absent(path)
        if path.name.lower().endswith(PARQUET_ENDINGS):
            return list(_open_parquet(path).schema_arrow.names)
        return header(path, separator)[0]
    except UNREADABLE as problem:
        raise BadInput(f"{str(path)[:500]} cannot be read: {_first_sentence(problem)}") from None


def _refuse_absent(path: Path) -> None:
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name a CSV or Parquet file in it")
    if not path.exists():
        neighbours = [p.name for p in path.parent.iterdir() if p.is_file()] if path.parent.is_dir() else []
        close = difflib.get_close_matches(path.name, neighbours, n=1)
        raise BadInput(f"no file {path}" + (f": did you mean {close[0]!r}?" if close else ""))


@dataclass(frozen=True)
class FilePieces:
    """A file to be read in pieces: its name, the wanted columns, Arrow pieces of them, and how a column ends."""

    name: str
    wanted: list[str]
    pieces: Callable[[], Iterator[Mapping[str, pa.Array]]]
    finish: Callable[[Coder, np.ndarray | None], Column]
    inferred: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[Mapping[str, pa.Array]]:
        """The pieces; whatever is wrong with the file is said in one sentence."""
        has_rows = False
        try:
            for piece in self.pieces():
                has_rows = True
                yield piece
        except UNREADABLE as problem:
            raise BadInput(f"{self.name} cannot be read: {_first_sentence(problem)}") from None
        if not has_rows:
            raise BadInput(f"{self.name} has a header but no rows")


def open_file(
    path: Path,
    missing_values: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    text: Sequence[str] = (),
    separator: str | None = None,
) -> FilePieces:
    """A CSV or Parquet file, its columns checked against what is wanted; nothing but the header is read yet."""
    _refuse_absent(path)
    lower = path.name.lower()
    if not lower.endswith((*PARQUET_ENDINGS, *CSV_ENDINGS)):
        raise BadInput(f"{path.name}: name a .csv, .tsv (also .gz) or .parquet file")
    names = column_names(path, separator)
    _refuse_repeated(names)
    wanted = _wanted(names, columns)
    _wanted(names, text)
    if lower.endswith(PARQUET_ENDINGS):
        return FilePieces(
            path.name,
            wanted,
            lambda: _parquet_pieces(path, wanted, missing_values, text),
            lambda coder, counts: coder.finish(),
        )
    return FilePieces(
        path.name,
        wanted,
        lambda: _csv_pieces(path, names, wanted, separator, missing_values),
        lambda coder, counts: typed(coder, coder.name in text, counts),
        frozenset(wanted) - frozenset(text),
    )


def read_file(file: FilePieces, progress: Progress | None = None) -> list[Column]:
    """The columns of a file, as codes."""
    coders = {name: Coder(name) for name in file.wanted}
    for piece in file:
        if progress is not None:
            progress.check(f"reading {file.name}")
        for name, coder in coders.items():
            coder.add(piece[name])
    return [file.finish(coder, None) for coder in coders.values()]


def _open_parquet(path: Path) -> Any:
    try:
        return pa.parquet.ParquetFile(path)
    except pa.ArrowInvalid as problem:
        raise BadInput(f"{path} is not a whole Parquet file: {_first_sentence(problem)}") from None


def _parquet_pieces(
    path: Path, wanted: list[str], missing_values: Sequence[str], text: Sequence[str]
) -> Iterator[Mapping[str, pa.Array]]:
    missing = texts(missing_values)
    with _open_parquet(path) as source:
        for batch in source.iter_batches(batch_size=1 << 17, columns=wanted):
            pieces = {}
            for name in wanted:
                piece = plain_piece(name, batch.column(name))
                if name in text:
                    piece = piece.cast(pa.string())
                if missing_values and pa.types.is_string(piece.type):
                    piece = pc.if_else(pc.is_in(piece, value_set=missing), pa.scalar(None, pa.string()), piece)
                pieces[name] = piece
            yield pieces


def _csv_pieces(
    path: Path,
    names: list[str],
    wanted: list[str],
    separator: str | None,
    missing_values: Sequence[str],
) -> Iterator[Mapping[str, pa.Array]]:
    coded = pa.dictionary(pa.int32(), pa.string())
    try:
        stream = pa.csv.open_csv(
            path,
            read_options=pa.csv.ReadOptions(block_size=BLOCK_BYTES),
            parse_options=pa.csv.ParseOptions(delimiter=separator or header(path)[1], newlines_in_values=True),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict.fromkeys(names, coded),
                include_columns=wanted,
                null_values=["", *missing_values],
                strings_can_be_null=True,
            ),
        )
        for batch in stream:
            yield {name: batch.column(name) for name in wanted}
    except pa.ArrowInvalid as problem:
        raise BadInput(f"{path.name} is not a whole CSV file: {_first_sentence(problem)}") from None


def header(path: Path, separator: str | None = None) -> tuple[list[str], str]:
    if separator is not None and len(separator) != 1:
        raise BadInput(f"separator {separator!r} must be one character")
    opener: Any = gzip.open if path.name.endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", newline="") as lines:
            line = lines.readline(LONGEST_HEADER)
    except UnicodeDecodeError:
        raise BadInput(f"{path.name} is not UTF-8 text: save it as UTF-8 CSV or as Parquet") from None
    if not line.strip():
        raise BadInput(f"{path.name} is empty: it needs a header line and rows")
    if len(line) == LONGEST_HEADER:
        raise BadInput(f"{path.name} has no header: its first line is longer than {LONGEST_HEADER:,} characters")
    separator = separator or max(",;\t|", key=line.count)
    try:
        names = next(csv.reader([line], delimiter=separator))
    except (csv.Error, TypeError) as problem:  # a name without end, a separator that is none
        raise BadInput(f"the header of {path.name} cannot be read: {problem}") from None
    _refuse_repeated(names)
    return names, separator


def _wanted(names: Sequence[str], columns: Sequence[str] | None) -> list[str]:
    if columns is None:
        return list(names)
    known = set(names)
    refuse([suggest(name, names, "column") for name in columns if name not in known])
    return list(columns)


def _refuse_repeated(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        repeated = min(name for name, times in Counter(names).items() if times > 1)
        raise BadInput(f"two columns are called {repeated!r}: column names must be distinct")
    if any(not str(name).strip() for name in names):
        raise BadInput("a column has no name: every column needs one in the header")


def _first_sentence(problem: BaseException) -> str:
    """What a library said, without the data that some quote behind it."""
    message = getattr(problem, "strerror", None) or str(problem)
    return re.split(r"[\n]|: [^ ]*,", message)[0].strip().rstrip(".")[:160]


def to_kind(table: pa.Table, kind: str, native: Mapping[str, Any]) -> Any:
    """An Arrow table as the kind of frame asked for, columns in their `native` type where values still fit it."""
    if kind == "pyarrow":
        for place, field in enumerate(table.schema):
            wanted = native.get(field.name)
            if isinstance(wanted, pa.DataType) and wanted != field.type:
                table = _in_type(table, place, wanted)
        return table
    if kind == "pandas":
        frame = table.to_pandas()
        for name in frame.columns:
            if name in native and frame[name].dtype != native[name]:
                frame[name] = _as_native(frame[name], native[name])
        return frame
    if kind == "polars":
        import polars

        frame = polars.from_arrow(table)
        fitting = {name: kind for name, kind in native.items() if name in frame.columns}
        for name, wanted in fitting.items():
            with contextlib.suppress(polars.exceptions.PolarsError, TypeError):
                cast = frame[name].cast(wanted)
                frame = frame.with_columns(cast) if cast.cast(frame[name].dtype).equals(frame[name]) else frame
        return frame
    raise BadInput(suggest(kind, ["pandas", "polars", "pyarrow"], "kind of frame"))


def _in_type(table: pa.Table, place: int, wanted: pa.DataType) -> pa.Table:
    """One column in the type it had, or as it is where its values do not fit."""
    column = table.column(place)
    try:
        cast = column.cast(wanted)
        same = cast.cast(column.type).equals(column)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return table
    return table.set_column(place, table.schema.names[place], cast) if same else table


def _as_native(series: Any, kind: Any) -> Any:
    """A pandas column in the type it had, or as it is where its values do not fit: intervals are not integers."""
    if hasattr(kind, "categories") and not set(series.dropna()) <= set(kind.categories):
        return series.astype("category")
    try:
        cast = series.astype(kind)
    except (TypeError, ValueError):
        return series
    cut = series.dtype.kind == "f" and not ((cast == series) | series.isna()).all()  # a mean of whole numbers
    return series if cut else cast
