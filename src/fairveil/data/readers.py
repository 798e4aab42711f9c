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

from fairveil.data import excel, statistics_files
from fairveil.data.coding import Coder, cell_piece, plain_piece
from fairveil.data.csv_reader import encoding_of, open_csv
from fairveil.data.dialect import Dialect
from fairveil.data.file_pieces import FilePieces, first_sentence, reading, wanted_columns, without
from fairveil.data.table import Column
from fairveil.errors import BadInput, nearest
from fairveil.messages import literal, option
from fairveil.progress import Progress

PARQUET_ENDINGS = (".parquet", ".pq")
CSV_ENDINGS = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz", ".data")


def is_plain(path: Path, dialect: Dialect) -> bool:
    """Whether engines can read a file themselves: Parquet, or CSV in UTF-8."""
    name = path.name.lower()
    with reading(path):
        is_utf8 = name.endswith(CSV_ENDINGS) and encoding_of(path, dialect) == "utf-8"
        return is_utf8 or name.endswith(PARQUET_ENDINGS)


def files_at(location: str | Path) -> list[Path]:
    """The file, or all files that match a pattern with *, ? or [, sorted by name."""
    path = Path(location)
    with reading(path):  # its name may be too long
        if path.is_dir():
            raise BadInput(f"{path} is a folder: name a file in it")
        if path.exists():
            return [path]
        if not glob.has_magic(str(path)):
            neighbours = [p.name for p in path.parent.iterdir() if p.is_file()] if path.parent.is_dir() else []
            close = nearest(path.name, neighbours)
            raise BadInput(f"{path} does not exist" + (f": did you mean {close!r}?" if close else ""))
    files = [Path(name) for name in sorted(glob.glob(str(path), recursive=True)) if Path(name).is_file()]
    if not files:
        raise BadInput(f"no file matches {path}")
    return files


def stamp_of(location: str | Path) -> list[tuple[int, int]]:
    """When the files were last changed, and their sizes."""
    return [(status.st_mtime_ns, status.st_size) for status in (file.stat() for file in files_at(location))]


def column_names(path: Path, dialect: Dialect = Dialect()) -> list[str]:  # noqa: B008 - frozen
    """The columns of a file, from its header or footer alone; of many files, those of the first."""
    first = files_at(path)[0]
    with reading(first):
        return _open_one(first, replace(dialect, text=()), None).wanted


def open_file(path: Path, dialect: Dialect, columns: Sequence[str] | None = None) -> FilePieces:
    """Open a file, or many that match a pattern, and check the requested columns; no rows are read yet."""
    if dialect.decimal not in (None, ".", ","):
        raise BadInput(f"{option('decimal')} must be '.' or ',', not {literal(dialect.decimal)}")
    files = files_at(path)
    with reading(path):
        opened = [_open_one(file, dialect, columns) for file in files]
    file = opened[0] if len(opened) == 1 else _together(path, opened)
    return replace(file, by_cell=dialect.by_cell)


def _open_one(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    for endings, open_format in _FORMATS:
        if path.name.lower().endswith(endings):
            if dialect.sheet is not None and endings is not excel.ENDINGS:
                raise BadInput(f"{path.name} has no sheets: leave {option('sheet')} out")
            return open_format(path, dialect, columns)
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
            coder.add(coder.like(piece[name]) if file.by_cell else piece[name])
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


def _open_parquet(path: Path) -> Any:
    try:
        import pyarrow.parquet as pq  # slow to import, and most files are CSV files

        return pq.ParquetFile(path)
    except pa.ArrowInvalid as problem:
        raise BadInput(f"{path} is truncated, or is not a Parquet file: {first_sentence(problem)}") from None


def _open_parquet_file(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    wanted = wanted_columns(_open_parquet(path).schema_arrow.names, columns, dialect)
    by_cell, text = dialect.by_cell, () if dialect.by_cell else dialect.text
    plain = cell_piece if by_cell else plain_piece

    def pieces() -> Iterator[Mapping[str, pa.Array]]:
        with _open_parquet(path) as source:
            for batch in source.iter_batches(batch_size=1 << 17, columns=wanted):
                read = {name: plain(name, batch.column(name)) for name in wanted}
                read |= {name: read[name].cast(pa.string()) for name in wanted if name in text}
                yield {name: without(piece, dialect.missing_values, by_cell) for name, piece in read.items()}

    return FilePieces(path.name, wanted, pieces)


_FORMATS = (
    (CSV_ENDINGS, open_csv), (PARQUET_ENDINGS, _open_parquet_file), (excel.ENDINGS, excel.open_workbook),
    (statistics_files.ENDINGS, statistics_files.open_labelled),
)  # fmt: skip
