"""Reading files: CSV, Parquet, workbooks and the formats of statistics programs; one file, or many with equal columns.

A file is never in memory as text: each piece is dictionary-encoded as it is read, and only its codes are kept.
The type of a CSV column is inferred from its *distinct* values once all are known: integers, numbers,
ISO dates, else text. Codes with leading zeros ("08540") stay text, because they are labels.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fairveil.data.coding import Coder, cell_piece, present_only, source_piece
from fairveil.data.common_types import common_types, differing, wider
from fairveil.data.csv_reader import encoding_of, open_csv
from fairveil.data.dialect import Dialect
from fairveil.data.file_formats import CSV, LABELLED, PARQUET, WORKBOOKS, catalog_of
from fairveil.data.file_pieces import FilePieces, first_sentence, reading, wanted_columns, without
from fairveil.data.lakehouse import Columns, version_at
from fairveil.data.snapshot import Snapshot, State, changed_at, stamp
from fairveil.data.spelling import Spelling
from fairveil.data.types import source_type
from fairveil.errors import BadInput, nearest
from fairveil.messages import literal, option

if TYPE_CHECKING:
    from fairveil.data.row_sample import RowSample
    from fairveil.data.table import Column
    from fairveil.progress import Progress

READ = 0.9
"""The share of the time of reading until all rows are read; then types are inferred."""


def is_plain(path: Path, dialect: Dialect) -> bool:
    """Whether engines can read a file themselves: Parquet, or CSV in UTF-8."""
    name = path.name.lower()
    with reading(path):
        is_utf8 = name.endswith(CSV) and encoding_of(path, dialect) == "utf-8"
        return is_utf8 or name.endswith(PARQUET)


def files_at(location: str | Path) -> Mapping[Path, Columns]:
    """The file, all files that match a pattern with *, ? or [, or those of a version of a table, sorted by name."""
    path = Path(location)
    with reading(path):  # its name may be too long
        if (version := version_at(path)) is not None:
            return version.files
        if path.is_dir():
            raise BadInput(f"{path} is a folder: name a file in it")
        if path.exists() and not path.is_file():  # reading a pipe would block, and find nothing the second time
            raise BadInput(f"{path} is not a regular file: write the data to one first")
        if path.exists():
            return {path: {}}
        if not glob.has_magic(str(path)):
            refuse_secret(str(path))
            neighbours = [p.name for p in path.parent.iterdir() if p.is_file()] if path.parent.is_dir() else []
            close = nearest(path.name, neighbours)
            raise BadInput(f"{path} does not exist" + (f": did you mean {close!r}?" if close else ""))
    files = [Path(name) for name in sorted(glob.glob(str(path), recursive=True)) if Path(name).is_file()]
    if not files:
        refuse_secret(str(path))
        raise BadInput(f"no file matches {path}")
    return {file: {} for file in files}


_ADDRESS = re.compile(r"(?:^|/)([A-Za-z][A-Za-z0-9+.-]+:)/")
"""How a URL begins, also behind the folder of the plan that it was written in."""
SECRET = re.compile(r"\w*(?:passw|pwd|passcode|token|secret|credential|key|sig)\w*\s*=", re.IGNORECASE)
"""How a secret is written in a URL, or in the options of a connection."""


_LOGIN = re.compile(r"(?::|%(?:25)*3a)[^/@]*@", re.IGNORECASE)
"""How a password stands in a URL, also in one whose scheme is misspelled."""
MOTHERDUCK = re.compile(r"(?:duckdb:/*)?(?:md|motherduck):", re.IGNORECASE)


def refuse_secret(location: str) -> None:
    """Raise BadInput, without repeating it, for what is not a file, and looks as if it contained a password."""
    if MOTHERDUCK.match(location):
        raise BadInput("MotherDuck is not supported: copy the table into a DuckDB file, or export it as Parquet")
    address = _ADDRESS.search(location)
    if address or SECRET.search(location) or _LOGIN.search(location):
        if address:
            raise BadInput(
                f"{address[1]}//… is not a file, and only a file, or a pattern of files, can be named here: export the "
                "table as Parquet"
            )
        raise BadInput(
            "the location is neither a file nor a URL, and may contain a password: a URL is written as "
            "postgresql://user@host/database, without one"
        )


def snapshot_of(location: str | Path) -> Snapshot:
    """The state of the files at a location, from now on; also of which files match a pattern."""
    with reading(Path(location)):
        version = version_at(location)
        files = list(files_at(location) if version is None else version.paths)
        latest = max(files, key=lambda file: file.stat().st_mtime_ns)
        many = f"{len(files)} files, the latest " if len(files) > 1 else ""
        described = f"{many}{latest.name} of {changed_at(latest)}" if version is None else version.described
        snapshot = Snapshot(partial(_stamps, location), str(location), described)
        snapshot.begin()
    return snapshot


def _stamps(location: str | Path) -> tuple[State, ...]:
    """The states of the files, and of those that hold the labels of their codes; () once there is none."""
    with suppress(BadInput, OSError):
        version = version_at(location)
        files = files_at(location) if version is None else version.paths
        labels = [catalog_of(file) for file in files]
        return tuple(stamp(file) for file in [*files, *labels] if file is not None)
    return ()


def column_names(path: Path, dialect: Dialect = Dialect()) -> list[str]:  # noqa: B008 - frozen
    """The columns of a file, from its header or footer alone; of many files, those of the first."""
    first, columns = next(iter(files_at(path).items()))
    with reading(first):
        return _open_one(first, columns, replace(dialect, text=()), None).wanted


def open_file(path: Path, dialect: Dialect, columns: Sequence[str] | None = None) -> FilePieces:
    """Open a file, or many that match a pattern, and check the requested columns; no rows are read yet."""
    if dialect.decimal not in (None, ".", ","):
        raise BadInput(f"{option('decimal')} must be '.' or ',', not {literal(dialect.decimal)}")
    files = files_at(path)
    with reading(path):
        opened = open_each(files, dialect, columns)
        return next(iter(opened.values())) if len(files) == 1 else _together(path, opened, dialect)


def open_each(
    files: Mapping[Path, Columns], dialect: Dialect, columns: Sequence[str] | None
) -> dict[Path, FilePieces]:  # fmt: skip
    """Open each of these files, whose names are no patterns."""
    return {
        file: replace(_open_one(file, own, dialect, columns), by_cell=dialect.by_cell).spelled(dialect)
        for file, own in files.items()
    }


def _open_one(path: Path, own: Columns, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    if own:
        return _open_parquet_file(path, dialect, columns, own)
    for endings, open_format in _FORMATS:
        if path.name.lower().endswith(endings):
            if dialect.sheet is not None and endings is not WORKBOOKS:
                raise BadInput(f"{path.name} has no sheets: leave {option('sheet')} out")
            return open_format(path, dialect, columns)
    raise BadInput(
        f"{path.name}: name a .csv, .tsv (also .gz), .parquet, Excel (.xlsx, .xls, .ods), Stata (.dta), "
        "SPSS (.sav) or SAS (.sas7bdat, .xpt) file; a database has a URL, such as duckdb:///folder/file.duckdb"
    )


def _together(path: Path, files: Mapping[Path, FilePieces], dialect: Dialect) -> FilePieces:
    """Many files as one, with their rows concatenated."""
    first = same_columns(files)
    types = {} if dialect.by_cell else types_of(files)
    each = [
        replace(file, may_be_empty=True, pieces=partial(_parquet_pieces, where, dialect, file, types))
        if types
        else replace(file, may_be_empty=True)
        for where, file in files.items()
    ]

    def pieces() -> Iterator[Mapping[str, pa.Array]]:
        seen: dict[str, tuple[pa.DataType, str]] = {}
        for file in each:
            for piece in file:
                if not types and not dialect.by_cell:
                    _refuse_differing(piece, seen, file.name)
                yield piece

    read_as = {**first.read_as, "files": str(len(files))}
    return replace(first, name=path.name, pieces=pieces, read_as=read_as, types=types, spelling=Spelling())


def same_columns(files: Mapping[Path, FilePieces]) -> FilePieces:
    """The first file; raises BadInput unless all have the same columns, in any order."""
    first, *others = files.values()
    for file in others:
        if set(file.wanted) != set(first.wanted):
            odd = sorted(set(file.wanted) ^ set(first.wanted))[0]
            raise BadInput(f"{file.name} and {first.name} do not have the same columns: only one has {odd!r}")
    return first


def types_of(files: Mapping[Path, FilePieces]) -> dict[str, pa.DataType]:
    """The types of the columns in all files; raises BadInput if they differ. Empty for files that only rows tell it."""
    if not all(file.types for file in files.values()):
        return {}
    return common_types({path: file.types for path, file in files.items()})


def _refuse_differing(piece: Mapping[str, pa.Array], seen: dict[str, tuple[pa.DataType, str]], file: str) -> None:
    """Raise BadInput if the types of a piece do not fit those before, where only the rows of a file tell them."""
    for name, values in piece.items():
        if values.null_count == len(values):
            continue
        known, where = seen.setdefault(name, (values.type, file))
        numeric = all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in (known, values.type))
        if not numeric and wider(known, values.type) is None:
            raise differing(name, known, where, values.type, file)


def read_file(
    file: FilePieces, progress: Progress | None = None, sample: RowSample | None = None
) -> tuple[list[Column], dict[str, str]]:  # fmt: skip
    """The columns of a file, or of a sample of its rows, as codes, and what was detected about the file. Types are
    those of all values."""
    coders = {name: Coder(name, file.why_unreadable(name)) for name in file.wanted}
    for piece in file:
        if progress is not None:
            progress.tell(READ * file.share.done, f"reading {file.name}")
        for name, coder in coders.items():
            coder.add(coder.like(piece[name]) if file.by_cell else piece[name])
        if sample is not None:
            sample.keep(coders.values(), len(piece[file.wanted[0]]))
    if sample is not None:
        sample.settle(coders.values())
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


def _open_parquet_file(
    path: Path, dialect: Dialect, columns: Sequence[str] | None, own: Columns | None = None
) -> FilePieces:  # fmt: skip
    fields = _open_parquet(path).schema_arrow
    wanted = wanted_columns(list(own or fields.names), columns, dialect)
    constants = {name: value for name, value in (own or {}).items() if value is not None and name in wanted}
    types = {name: (constants[name] if name in constants else fields.field(name)).type for name in wanted}
    file = FilePieces(path.name, wanted, lambda: iter(()), types=types, constants=constants)
    return replace(file, pieces=partial(_parquet_pieces, path, dialect, file, {}))


def _parquet_pieces(
    path: Path, dialect: Dialect, file: FilePieces, types: Mapping[str, pa.DataType]
) -> Iterator[Mapping[str, pa.Array]]:  # fmt: skip
    """Yield the rows of a file piece by piece, in the types of several files if given."""
    by_cell, text = dialect.by_cell, () if dialect.by_cell else dialect.text

    def plain(name: str, piece: Any) -> pa.Array:
        if by_cell:
            return cell_piece(name, piece)
        if file.why_unreadable(name):
            return present_only(piece)
        kind = types.get(name)
        if kind is not None and pa.types.is_null(piece.type):
            return pa.nulls(len(piece), source_type(name, kind))
        read = source_piece(name, piece)
        return read if kind is None or read.type == kind else read.cast(kind)

    inside = [name for name in file.wanted if name not in file.constants]
    with _open_parquet(path) as source:
        total, rows = max(source.metadata.num_rows, 1), 0
        for batch in source.iter_batches(batch_size=1 << 17, columns=inside):
            rows += len(batch)
            file.share.done = rows / total
            repeated = {name: pa.repeat(value, len(batch)) for name, value in file.constants.items()}
            read = {
                name: plain(name, repeated[name] if name in repeated else batch.column(name)) for name in file.wanted
            }
            read |= {name: read[name].cast(pa.string()) for name in file.wanted if name in text}
            yield {name: without(piece, dialect.missing_values, by_cell) for name, piece in read.items()}


def _open_workbook(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    from fairveil.data.excel import open_workbook

    return open_workbook(path, dialect, columns)


def _open_labelled(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    from fairveil.data.statistics_files import open_labelled

    return open_labelled(path, dialect, columns)


_FORMATS = (
    (CSV, open_csv), (PARQUET, _open_parquet_file), (WORKBOOKS, _open_workbook),
    (LABELLED, _open_labelled),
)  # fmt: skip
