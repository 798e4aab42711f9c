"""Reading files on an engine: one or more CSV or Parquet files with the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairveil.data.csv_reader import CsvFile, open_csv
from fairveil.data.dialect import Dialect
from fairveil.data.readers import CSV_ENDINGS, PARQUET_ENDINGS, column_names
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.native import EngineAdapter, Frame, interruptible
from fairveil.errors import BadInput
from fairveil.messages import option
from fairveil.progress import Progress


def open_files(
    files: Sequence[Path],
    engine: str,
    dialect: Dialect,
    budget: MemoryBudget,
    master: str | None,
    progress: Progress | None,
) -> tuple[EngineAdapter, Frame, str | None]:
    """The engine, the files as one frame of it, and the separator where its columns are texts without types."""
    are_text = not _parquet(files)
    names = _same_names(files, dialect)
    _refuse_alike(names, engine)
    host: Any
    if engine == "duckdb":
        from fairveil.engines.duckdb import DuckDB

        host = DuckDB.within(budget)
    else:
        from fairveil.engines.spark import Spark

        host = Spark.at(master)
    with interruptible(host, progress, f"reading {files[0].name}"):
        if not are_text:
            return host, host.parquet(files), None
        separator = CsvFile.open(files[0], dialect).separator
        if dialect.by_cell and engine == "duckdb":
            pieces = (pa.record_batch(dict(piece)) for file in files for piece in open_csv(file, dialect, None))
            return host, host.load(pa.schema([(name, pa.string()) for name in names]), pieces), separator
        return host, host.csv(files, names, separator, **({"by_line": True} if dialect.by_cell else {})), separator


def _parquet(files: Sequence[Path]) -> bool:
    kinds = {file.name.lower().endswith(PARQUET_ENDINGS) for file in files}
    odd = [file for file in files if not file.name.lower().endswith((*PARQUET_ENDINGS, *CSV_ENDINGS))]
    if odd:
        raise BadInput(f"{odd[0].name}: name a .csv, .tsv (also .gz) or .parquet file")
    if len(kinds) > 1:
        raise BadInput("CSV and Parquet files are mixed: name files of one kind")
    return kinds.pop()


def _same_names(files: Sequence[Path], dialect: Dialect) -> list[str]:
    first = column_names(files[0], dialect)
    for file in files[1:]:
        if (names := column_names(file, dialect)) != first:
            odd = next(iter([*(set(names) ^ set(first)), "their order"]))
            raise BadInput(f"{file.name} and {files[0].name} differ in columns ({odd}): all files need the same")
    return first


def _refuse_alike(names: Sequence[str], engine: str) -> None:
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise BadInput(
                f"the columns {other!r} and {name!r} differ only in upper and lower case, which {engine} cannot tell "
                f"apart: rename one, or use {option('engine', 'memory')}"
            )
