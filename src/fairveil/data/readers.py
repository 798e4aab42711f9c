"""Files of every kind: CSV, Parquet, workbooks, and those of statistics programs; one, or many with the same columns.

A file is never in memory as text: each piece is dictionary-encoded as it is read and only its codes are kept.
The type of a CSV column is decided from its *distinct* values once all are known: whole numbers, numbers,
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
import pyarrow.parquet

from fairveil.data import excel, statistics_files
from fairveil.data.coding import Coder, one_zero, typed
from fairveil.data.csv_reader import CsvFile
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
    """One chunk with a type we can code: no nesting, NaN as missing, one text type."""
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


def is_plain(path: Path, encoding: str | None = None) -> bool:
    """Whether engines can read a file themselves: Parquet, or CSV in UTF-8."""
    try:
        return is_parquet(path) or (is_csv(path) and encoding_of(path, encoding) == "utf-8")
    except UNREADABLE as problem:
        raise BadInput(f"{str(path)[:500]} cannot be read: {first_sentence(problem)}") from None


def files_at(place: str | Path) -> list[Path]:
    """The file, or all files that a pattern with *, ? or [ stands for, in the order of their names."""
    path = Path(place)
    try:
        if path.exists() or not glob.has_magic(str(path)):
            refuse_absent(path)
            return [path]
    except OSError as problem:  # a name too long to be one
        raise BadInput(f"{str(path)[:500]} cannot be read: {first_sentence(problem)}") from None
    files = [Path(name) for name in sorted(glob.glob(str(path), recursive=True)) if Path(name).is_file()]
    if not files:
        raise BadInput(f"no file is called {path}")
    return files


def column_names(
    path: Path, separator: str | None = None, *, encoding: str | None = None, sheet: str | int | None = None
) -> list[str]:
    """The columns of a file, from its header or footer alone; of many files, those of the first."""
    first = files_at(path)[0]
    try:
        if is_parquet(first):
            return list(_open_parquet(first).schema_arrow.names)
        if first.name.lower().endswith(excel.ENDINGS):
            return excel.sheet_columns(first, sheet)
        if first.name.lower().endswith(statistics_files.ENDINGS):
            return statistics_files.labelled_columns(first, encoding)
        _refuse_ending(first)
        return CsvFile.open(first, separator, encoding).names
    except UNREADABLE as problem:
        raise BadInput(f"{str(first)[:500]} cannot be read: {first_sentence(problem)}") from None


def header(path: Path, separator: str | None = None, encoding: str | None = None) -> tuple[list[str], str]:
    """The columns of a CSV file, and what stands between them."""
    opened = CsvFile.open(path, separator, encoding)
    return opened.names, opened.separator


def open_file(
    path: Path,
    missing_values: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    text: Sequence[str] = (),
    separator: str | None = None,
    *,
    encoding: str | None = None,
    decimal: str | None = None,
    sheet: str | int | None = None,
) -> FilePieces:
    """A file, or many that a pattern names, its columns checked against what is wanted; no rows are read yet."""
    if decimal not in (None, *DECIMALS):
        raise BadInput(f"{option('decimal')} must be '.' or ',', not {literal(decimal)}")
    files = files_at(path)
    try:
        opened = [_open_one(file, missing_values, columns, text, separator, encoding, decimal, sheet) for file in files]
    except UNREADABLE as problem:
        raise BadInput(f"{str(path)[:500]} cannot be read: {first_sentence(problem)}") from None
    return opened[0] if len(opened) == 1 else _together(path, opened)


def _open_one(
    path: Path,
    missing_values: Sequence[str],
    columns: Sequence[str] | None,
    text: Sequence[str],
    separator: str | None,
    encoding: str | None,
    decimal: str | None,
    sheet: str | int | None,
) -> FilePieces:
    _refuse_ending(path)
    lower = path.name.lower()
    if lower.endswith(excel.ENDINGS):
        return excel.open_workbook(path, missing_values, columns, text, sheet)
    if sheet is not None:
        raise BadInput(f"{path.name} has no sheets: leave {option('sheet')} out")
    if lower.endswith(statistics_files.ENDINGS):
        return statistics_files.open_labelled(path, missing_values, columns, text, encoding)
    if is_parquet(path):
        return _open_parquet_file(path, missing_values, columns, text)
    return _open_csv(path, missing_values, columns, text, separator, encoding, decimal)


def _refuse_ending(path: Path) -> None:
    if not path.name.lower().endswith((*PARQUET_ENDINGS, *CSV_ENDINGS, *excel.ENDINGS, *statistics_files.ENDINGS)):
        raise BadInput(
            f"{path.name}: name a .csv, .tsv (also .gz), .parquet, Excel (.xlsx, .xls, .ods), Stata (.dta), "
            "SPSS (.sav) or SAS (.sas7bdat, .xpt) file"
        )


def _together(path: Path, files: Sequence[FilePieces]) -> FilePieces:
    """Many files as one: the rows of each, one after the other."""
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
    """The columns of a file, as codes, and what was found about the file."""
    coders = {name: Coder(name) for name in file.wanted}
    for piece in file:
        if progress is not None:
            progress.check(f"reading {file.name}")
        for name, coder in coders.items():
            coder.add(piece[name])
    columns = [file.finish(coder, None) for coder in coders.values()]
    found = dict(file.read_as)
    if file.decimal != "." and any(map(_has_commas, coders.values(), columns)):
        found["decimal"] = ","
    return columns, found


def _has_commas(coder: Coder, column: Column) -> bool:
    """Whether the numbers of a column were written with decimal commas."""
    if coder.known is None or not pa.types.is_string(coder.known.type):
        return False
    return pa.types.is_floating(column.values.type) and any("," in text for text in coder.known.to_pylist())


def _open_csv(
    path: Path,
    missing_values: Sequence[str],
    columns: Sequence[str] | None,
    text: Sequence[str],
    separator: str | None,
    encoding: str | None,
    decimal: str | None,
) -> FilePieces:
    opened = CsvFile.open(path, separator, encoding)
    wanted = wanted_columns(opened.names, columns)
    wanted_columns(opened.names, text)
    decimal = decimal_sign(decimal, opened.separator)
    return FilePieces(
        path.name,
        wanted,
        lambda: opened.pieces(wanted, missing_values),
        lambda coder, counts: typed(coder, coder.name in text, counts, decimal),
        frozenset(wanted) - frozenset(text),
        decimal,
        read_as={"encoding": opened.encoding, "separator": opened.separator},
    )


def decimal_sign(given: str | None, separator: str | None) -> str | None:
    """The sign before fractions, None where it is to be found: not in a file with commas between the fields, where one
    inside a field is more likely between thousands, or between codes."""
    return "." if given is None and separator in (",", None) else given


def _open_parquet(path: Path) -> Any:
    try:
        return pa.parquet.ParquetFile(path)
    except pa.ArrowInvalid as problem:
        raise BadInput(f"{path} is not a whole Parquet file: {first_sentence(problem)}") from None


def _open_parquet_file(
    path: Path, missing_values: Sequence[str], columns: Sequence[str] | None, text: Sequence[str]
) -> FilePieces:
    names = list(_open_parquet(path).schema_arrow.names)
    refuse_repeated(names)
    wanted = wanted_columns(names, columns)
    wanted_columns(names, text)

    def pieces() -> Iterator[Mapping[str, pa.Array]]:
        with _open_parquet(path) as source:
            for batch in source.iter_batches(batch_size=1 << 17, columns=wanted):
                read = {name: plain_piece(name, batch.column(name)) for name in wanted}
                read |= {name: read[name].cast(pa.string()) for name in wanted if name in text}
                yield {name: without(piece, missing_values) for name, piece in read.items()}

    return FilePieces(path.name, wanted, pieces)
