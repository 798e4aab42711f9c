"""Reading files: CSV, Parquet, workbooks and the formats of statistics programs; one file, or many with equal columns.

A file is never in memory as text: each piece is dictionary-encoded as it is read, and only its codes are kept.
The type of a CSV column is inferred from its *distinct* values once all are known: integers, numbers,
ISO dates, else text. Codes with leading zeros ("08540") stay text, because they are labels.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data import excel, statistics_files
from fairveil.data.coding import Coder, one_zero, typed
from fairveil.data.csv_reader import CsvFile
from fairveil.data.dialect import Dialect
from fairveil.data.encodings import encoding_of
from fairveil.data.file_pieces import FilePieces, wanted_columns, without
from fairveil.data.file_problems import UNREADABLE, first_sentence, refuse_absent, refuse_repeated
from fairveil.data.table import Column
from fairveil.data.types import readable
from fairveil.errors import BadInput
from fairveil.messages import literal, option
from fairveil.progress import Progress

PARQUET_ENDINGS = (".parquet", ".pq")
CSV_ENDINGS = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz", ".data")
DECIMALS = (".", ",")


def plain_piece(name: str, piece: Any) -> pa.Array:
    """A chunk of a type that can be coded: not nested, NaN as missing, one text type."""
    if isinstance(piece, pa.ChunkedArray):
        piece = piece.combine_chunks()
    kind = readable(name, piece.type.value_type if pa.types.is_dictionary(piece.type) else piece.type)
    if piece.type != kind:
        piece = piece.cast(kind)
    if pa.types.is_floating(kind):
        piece = pc.if_else(pc.is_nan(piece), pa.scalar(None, kind), one_zero(piece))
    return piece


def is_csv(path: Path) -> bool:
    return path.name.lower().endswith(CSV_ENDINGS)


def is_parquet(path: Path) -> bool:
    return path.name.lower().endswith(PARQUET_ENDINGS)


def is_plain(path: Path, dialect: Dialect) -> bool:
    """Whether engines can read a file themselves: Parquet, or CSV in UTF-8."""
    try:
        return is_parquet(path) or (is_csv(path) and encoding_of(path, dialect.encoding) == "utf-8")
    except UNREADABLE as problem:
        raise BadInput(f"{str(path)[:500]} cannot be read: {first_sentence(problem)}") from None


def files_at(place: str | Path) -> list[Path]:
    """The file, or all files that match a pattern with *, ? or [, sorted by name."""
    path = Path(place)
    try:
        if path.exists() or not glob.has_magic(str(path)):
            refuse_absent(path)
            return [path]
    except OSError as problem:  # the name is too long
        raise BadInput(f"{str(path)[:500]} cannot be read: {first_sentence(problem)}") from None
    files = [Path(name) for name in sorted(glob.glob(str(path), recursive=True)) if Path(name).is_file()]
    if not files:
        raise BadInput(f"no file matches {path}")
    return files


def column_names(path: Path, dialect: Dialect = Dialect()) -> list[str]:  # noqa: B008 - frozen
    """The columns of a file, from its header or footer alone; of many files, those of the first."""
    first = files_at(path)[0]
    try:
        if is_parquet(first):
            return list(_open_parquet(first).schema_arrow.names)
        if first.name.lower().endswith(excel.ENDINGS):
            return excel.sheet_columns(first, dialect)
        if first.name.lower().endswith(statistics_files.ENDINGS):
            return statistics_files.labelled_columns(first, dialect)
        _refuse_ending(first)
        return CsvFile.open(first, dialect).names
    except UNREADABLE as problem:
        raise BadInput(f"{str(first)[:500]} cannot be read: {first_sentence(problem)}") from None


def open_file(path: Path, dialect: Dialect, columns: Sequence[str] | None = None) -> FilePieces:
    """Open a file, or many that match a pattern, and check the requested columns; no rows are read yet."""
    if dialect.decimal not in (None, *DECIMALS):
        raise BadInput(f"{option('decimal')} must be '.' or ',', not {literal(dialect.decimal)}")
    files = files_at(path)
    try:
        opened = [_open_one(file, dialect, columns) for file in files]
    except UNREADABLE as problem:
        raise BadInput(f"{str(path)[:500]} cannot be read: {first_sentence(problem)}") from None
    return opened[0] if len(opened) == 1 else _together(path, opened)


def _open_one(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    _refuse_ending(path)
    lower = path.name.lower()
    if lower.endswith(excel.ENDINGS):
        return excel.open_workbook(path, dialect, columns)
    if dialect.sheet is not None:
        raise BadInput(f"{path.name} has no sheets: leave {option('sheet')} out")
    if lower.endswith(statistics_files.ENDINGS):
        return statistics_files.open_labelled(path, dialect, columns)
    if is_parquet(path):
        return _open_parquet_file(path, dialect, columns)
    return _open_csv(path, dialect, columns)


def _refuse_ending(path: Path) -> None:
    if not path.name.lower().endswith((*PARQUET_ENDINGS, *CSV_ENDINGS, *excel.ENDINGS, *statistics_files.ENDINGS)):
        raise BadInput(
            f"{path.name}: name a .csv, .tsv (also .gz), .parquet, Excel (.xlsx, .xls, .ods), Stata (.dta), "
            "SPSS (.sav) or SAS (.sas7bdat, .xpt) file"
        )


def _together(path: Path, files: Sequence[FilePieces]) -> FilePieces:
    """Many files as one, with their rows concatenated."""
    first = files[0]
    for file in files:
        if set(file.wanted) != set(first.wanted):
            odd = sorted(set(file.wanted) ^ set(first.wanted))[0]
            raise BadInput(f"{file.name} and {first.name} do not have the same columns: only one has {odd!r}")

    def pieces() -> Iterator[Mapping[str, pa.Array]]:
        for file in files:
            yield from file

    return replace(first, name=path.name, pieces=pieces, read_as={**first.read_as, "files": str(len(files))})


def read_file(file: FilePieces, progress: Progress | None = None) -> tuple[list[Column], dict[str, str]]:
    """The columns of a file, as codes, and what was detected about the file."""
    coders = {name: Coder(name) for name in file.wanted}
    for piece in file:
        if progress is not None:
            progress.check(f"reading {file.name}")
        for name, coder in coders.items():
            coder.add(piece[name])
    columns = [file.finish(coder, None) for coder in coders.values()]
    read_as = dict(file.read_as)
    if file.decimal != "." and any(map(_has_commas, coders.values(), columns)):
        read_as["decimal"] = ","
    return columns, read_as


def _has_commas(coder: Coder, column: Column) -> bool:
    """Whether the numbers of a column were written with decimal commas."""
    if coder.known is None or not pa.types.is_string(coder.known.type):
        return False
    return pa.types.is_floating(column.values.type) and any("," in text for text in coder.known.to_pylist())


def _open_csv(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    opened = CsvFile.open(path, dialect)
    wanted = wanted_columns(opened.names, columns, dialect)
    decimal = decimal_sign(dialect.decimal, opened.separator)
    return FilePieces(
        path.name,
        wanted,
        lambda: opened.pieces(wanted, dialect.missing_values),
        lambda coder, counts: typed(coder, coder.name in dialect.text, counts, decimal),
        frozenset(wanted) - frozenset(dialect.text),
        decimal,
        read_as={"encoding": opened.encoding, "separator": opened.separator},
    )


def decimal_sign(given: str | None, separator: str | None) -> str | None:
    """The decimal separator; None if it is to be detected. It is not detected in a file with commas as delimiters,
    where a comma inside a field more likely separates thousands or codes."""
    return "." if given is None and separator in (",", None) else given


def _open_parquet(path: Path) -> Any:
    try:
        import pyarrow.parquet as pq  # slow to import, and most files are CSV files

        return pq.ParquetFile(path)
    except pa.ArrowInvalid as problem:
        raise BadInput(f"{path} is truncated, or is not a Parquet file: {first_sentence(problem)}") from None


def _open_parquet_file(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    names = list(_open_parquet(path).schema_arrow.names)
    refuse_repeated(names)
    wanted = wanted_columns(names, columns, dialect)

    def pieces() -> Iterator[Mapping[str, pa.Array]]:
        with _open_parquet(path) as source:
            for batch in source.iter_batches(batch_size=1 << 17, columns=wanted):
                read = {name: plain_piece(name, batch.column(name)) for name in wanted}
                read |= {name: read[name].cast(pa.string()) for name in wanted if name in dialect.text}
                yield {name: without(piece, dialect.missing_values) for name, piece in read.items()}

    return FilePieces(path.name, wanted, pieces)
