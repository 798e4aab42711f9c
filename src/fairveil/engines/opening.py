"""Opening: a path, a glob, a table of a database, a frame of any kind, as a source.

>>> import pyarrow as pa
>>> source_of(pa.table({"sex": ["F", "M", "F"]})).rows
3
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from fairveil.data.table import Missing, Table
from fairveil.engines.base import Source
from fairveil.engines.memory import Memory
from fairveil.errors import BadInput, suggest
from fairveil.progress import Progress

Engine = Literal["auto", "memory", "duckdb", "spark", "sql"]
ENGINES: tuple[str, ...] = get_args(Engine)


def open_source(
    place: str | Path,
    *,
    engine: str = "auto",
    table: str | None = None,
    columns: Sequence[str] | None = None,
    text: Sequence[str] = (),
    missing_values: Sequence[str] = (),
    missing: Missing = "category",
    separator: str | None = None,
    memory: str | None = None,
    master: str | None = None,
    progress: Progress | None = None,
) -> Source:
    """Data at a place, as a source on an engine.

    place           a CSV (also .gz, .tsv) or Parquet file, a glob of files with the same columns, or the URL of a
                    database ("postgresql://user@host/name"), which then needs `table`
    engine          where the work is done. "auto" keeps small files in memory, takes DuckDB for large ones and for
                    globs, and the database itself for a URL
    columns         only these; None: all
    text, missing_values, missing, separator
                    as for `Table.read`; types of CSV columns are decided by the same rule on every engine
    memory          the most that the engine may use, such as "4GB"; more spills to disk
    master          for Spark: "local[4]", "spark://…" or, for Spark Connect, "sc://…"; a session that is active is
                    used otherwise

    A URL names no password: those come from the environment (PGPASSWORD), as do parts written "${NAME}".
    """
    if engine not in ENGINES:
        raise BadInput(suggest(engine, ENGINES, "engine"))
    loaded = Table.read(
        place, missing=missing, missing_values=missing_values, columns=columns, text=text, separator=separator,
        progress=progress,
    )  # fmt: skip
    return Memory(loaded)


def source_of(given: Any, *, missing: Missing = "category", progress: Progress | None = None) -> Source:
    """A source itself, or as one: a Table, any data frame, a lazy frame of an engine, or the path of a file.

    Nothing that is given is changed. Values that no row of a Table holds any more are no part of the data.
    """
    if isinstance(given, Source):
        return given
    if isinstance(given, str | Path):
        return open_source(given, missing=missing, progress=progress)
    return Memory(Table.from_frame(given, missing=missing).compact())
