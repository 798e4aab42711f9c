"""Reading files on an engine: one or more CSV or Parquet files with the same columns.

Columns and types are compared before a row is read (`data/common_types.py`). Files with equal columns and types are
read together; if there are several kinds, each is cast to the types of all, and their rows are concatenated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import pyarrow as pa

from fairveil.data.csv_reader import open_csv
from fairveil.data.file_formats import CSV, PARQUET
from fairveil.data.readers import open_each, same_columns, types_of
from fairveil.engines.native import EngineAdapter, Frame, interruptible
from fairveil.errors import BadInput
from fairveil.messages import option

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.data.file_pieces import FilePieces
    from fairveil.data.lakehouse import Columns
    from fairveil.engines.memory_budget import MemoryBudget
    from fairveil.progress import Progress

Types = Mapping[str, pa.DataType]


def open_files(
    files: Mapping[Path, Columns],
    engine: str,
    dialect: Dialect,
    budget: MemoryBudget,
    master: str | None,
    progress: Progress | None,
    host: Any = None,
) -> tuple[EngineAdapter, Frame, str | None, Types]:
    """The engine, the files as one frame of it, the separator if its columns are texts without types, and the types of
    the columns if they are known. A `host` is used instead of a new engine."""
    are_text = not _parquet(list(files))
    opened = open_each(files, dialect, None)
    first = same_columns(opened)
    _refuse_alike(first.wanted, engine)
    types = {} if are_text else types_of(opened)
    if engine == "duckdb":
        from fairveil.engines.duckdb import DuckDB

        host = host or DuckDB.within(budget)
    else:
        from fairveil.engines.spark import Spark
        from fairveil.engines.spark_files import refuse_hidden

        refuse_hidden(list(files))
        host = host or Spark.at(master)
    separator = first.read_as["separator"] if are_text else None
    with interruptible(host, progress, f"reading {first.name}"):
        if engine == "duckdb" and are_text and (dialect.by_cell or len(first.wanted) == 1):  # which skips blank lines
            return host, _loaded(host, files, dialect, first.wanted), separator, types
        options = {"header": dialect.header == "yes", **({"by_line": True} if dialect.by_cell else {})}
        frames = []
        for alike in _alike(opened):
            file = opened[alike[0]]
            if are_text:
                try:
                    frame = host.csv(alike, file.wanted, file.read_as["separator"], **options)
                except ValueError:  # this process reads what DuckDB cannot, or says what is wrong with it
                    frame = _loaded(host, alike, dialect, file.wanted)
            else:
                inside = {name: kind for name, kind in file.types.items() if name not in file.constants}
                frame = host.parquet(alike, inside)
            if file.constants:
                frame = host.with_constants(frame, file.constants, file.wanted)
            frames.append((frame, file))
        return host, _concatenated(host, frames, first, types), separator, types


def _loaded(host: Any, files: Iterable[Path], dialect: Dialect, names: Sequence[str]) -> Frame:
    """CSV files that are read by this process into a table of DuckDB, as texts."""
    texts = pa.schema([(name, pa.string()) for name in names])
    problems: list[BadInput] = []

    def batches() -> Iterator[pa.RecordBatch]:
        try:
            for file in files:
                for piece in open_csv(file, dialect, names):
                    yield pa.record_batch({name: _text(array) for name, array in piece.items()}, schema=texts)
        except BadInput as problem:
            problems.append(problem)
            raise

    try:
        frame: Frame = host.load(texts, batches())
    except Exception:  # DuckDB's own, which does not name the problem
        if problems:
            raise problems[0] from None
        raise
    return frame


def _text(array: pa.Array) -> pa.Array:
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _alike(opened: Mapping[Path, FilePieces]) -> list[list[Path]]:
    """The files, together if they have the same columns in the same order, types and delimiter."""
    groups: dict[Any, list[Path]] = {}
    for path, file in opened.items():
        key = (tuple(file.wanted), tuple(map(str, file.types.values())), file.read_as.get("separator"),
               *((name, value.is_valid, str(value)) for name, value in file.constants.items()))  # fmt: skip
        groups.setdefault(key, []).append(path)
    return list(groups.values())


def _concatenated(host: Any, frames: Sequence[tuple[Frame, FilePieces]], first: FilePieces, types: Types) -> Frame:
    if len(frames) == 1:
        return frames[0][0]
    alike = []
    for frame, file in frames:
        casts = {name: kind for name, kind in types.items() if file.types[name] != kind}
        alike.append(host.cast(frame, {name: (file.types[name], kind) for name, kind in casts.items()}, first.wanted))
    while len(alike) > 1:  # two by two: an engine's queries are not nested without limit
        pairs = [alike[at : at + 2] for at in range(0, len(alike), 2)]
        alike = [nw.concat(pair, how="vertical") for pair in pairs]
    return alike[0]


def _parquet(files: Sequence[Path]) -> bool:
    kinds = {file.name.lower().endswith(PARQUET) for file in files}
    odd = [file for file in files if not file.name.lower().endswith((*PARQUET, *CSV))]
    if odd:
        raise BadInput(f"{odd[0].name}: name a .csv, .tsv (also .gz) or .parquet file")
    if len(kinds) > 1:
        raise BadInput("CSV and Parquet files are mixed: name files of one kind")
    return kinds.pop()


def _refuse_alike(names: Sequence[str], engine: str) -> None:
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise BadInput(
                f"the columns {other!r} and {name!r} differ only in upper and lower case, which {engine} cannot tell "
                f"apart: rename one, or use {option('engine', 'memory')}"
            )
