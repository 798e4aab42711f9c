"""Opening: a path, a glob, a table of a database, a frame of any kind, as a source.

>>> import pyarrow as pa
>>> source_of(pa.table({"sex": ["F", "M", "F"]})).rows
3
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from fairveil.data.csv_reader import decimal_separator
from fairveil.data.dialect import Dialect, Missing
from fairveil.data.lakehouse import pinned
from fairveil.data.readers import files_at, is_plain, snapshot_of
from fairveil.data.snapshot import Snapshot
from fairveil.data.table import Table
from fairveil.engines.addresses import IN_FILES, database_url, refuse_keywords
from fairveil.engines.memory import InMemoryTable
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.errors import BadInput, refuse, suggest
from fairveil.messages import option

if TYPE_CHECKING:
    from fairveil.engines.lazy import LazySource
    from fairveil.engines.native import EngineAdapter
    from fairveil.engines.relation import Source
    from fairveil.progress import Progress

Engine = Literal["auto", "memory", "duckdb", "spark", "sql"]
ENGINES: tuple[str, ...] = get_args(Engine)
LARGE = 256 << 20
"""Bytes of files from which DuckDB is quicker than memory, or needs far less of it."""


def open_source(
    location: str | Path,
    *,
    engine: str = "auto",
    table: str | None = None,
    columns: Sequence[str] | None = None,
    dialect: Dialect = Dialect(),  # noqa: B008 - frozen
    memory: str | None = None,
    master: str | None = None,
    rows: bool = False,
    progress: Progress | None = None,
    beside: LazySource | None = None,
) -> Source:
    """Data at a location, as a source on an engine.

    location        a file (CSV, also .gz and .tsv, Parquet, Excel, Stata, SPSS, SAS), a glob of files with the same
                    columns, the folder of a Delta or Iceberg table (also "folder@version"), a database file of DuckDB
                    or SQLite, or the URL of a database ("postgresql://user@host/name", "duckdb:///folder/file.duckdb")
    table           the table of a database; the only one of a database file by default
    engine          where the work is done. "auto" keeps small files in memory, takes DuckDB for large ones and for
                    globs, and the database itself for a URL
    columns         only these; None: all
    dialect         how it is read; types of CSV columns are inferred by the same rule on every engine
    memory          the most that DuckDB and the cells may use together, such as "4GB"; more spills to disk
    master          for Spark: "local[4]", "spark://…" or, for Spark Connect, "sc://…"; a session that is active is
                    used otherwise
    rows            what is to be done needs rows, so "auto" stays in memory
    beside          a source on the same engine, or in the same database, which this one will be joined with

    A URL names no password: those come from the environment (PGPASSWORD), as do parts written "${NAME}".
    """
    if engine not in ENGINES:
        raise BadInput(suggest(engine, ENGINES, "engine"))
    refuse_keywords(str(location))
    location = database_url(location) or location
    budget, url = MemoryBudget.of(memory), "://" in str(location)
    if url != (engine == "sql") and engine != "auto":
        raise BadInput(
            f"{option('engine', engine)} reads {'files, not a URL' if url else 'a URL and a table, not a file'}"
        )
    in_file = str(location).startswith(IN_FILES)
    if not url:
        files_at(location)  # raises if there are none
    if url != (table is not None) and not in_file:
        raise BadInput(
            f"a URL needs the name of a table: {option('table', ...)}"
            if url
            else f"{location} is a file and has no table {table!r}"
        )
    if url:
        database: Any = opened(str(location)) if beside is None else beside.native
        if table is None:
            table = _only(database.tables, str(location))
        return _lazy(database.table(str(table), columns), database, columns, dialect, budget.for_engine(), progress)
    location = pinned(location)
    snapshot = snapshot_of(location)
    files = files_at(location)
    if engine == "auto":
        engine = engine_for([location], [dialect], rows=rows)
    if engine == "memory":  # which looks at the state of the files itself
        return InMemoryTable(Table.read(location, columns=columns, dialect=dialect, progress=progress))
    odd = next((file.name for file in files if not is_plain(file, dialect)), None)
    if odd is not None:
        raise BadInput(
            f"{option('engine', engine)} reads Parquet files and CSV files in UTF-8, and {odd} is neither: use "
            f"{option('engine', 'memory')}"
        )
    from fairveil.engines.file_frames import open_files

    native, frame, separator, types = open_files(
        files, engine, dialect, budget.for_engine(), master, progress, None if beside is None else beside.native
    )
    if engine == "duckdb" and separator is not None:
        snapshot.settle()  # DuckDB has read CSV files into a table
    texts = [] if separator is None else list(frame.collect_schema())
    return _lazy(frame, native, columns, dialect, budget, progress, texts, separator, snapshot, types)


def engine_for(locations: Sequence[str | Path], dialects: Sequence[Dialect], *, rows: bool = False) -> str:
    """The engine that "auto" takes for files that are read together: DuckDB if some are large or there are many, and
    if it can read all of them."""
    if rows or any(dialect.by_cell for dialect in dialects):  # a record must not decide the engine
        return "memory"
    found = [files_at(pinned(location)) for location in locations]
    if not any(len(files) > 1 or _large(files) for files in found):
        return "memory"
    plain = all(is_plain(file, how) for files, how in zip(found, dialects, strict=True) for file in files)
    return "duckdb" if plain else "memory"


def source_of(
    given: Any,
    *,
    missing: Missing = "category",
    rows: bool = False,
    progress: Progress | None = None,
    dialect: Dialect | None = None,
) -> Source:
    """Return the data as a source: a source itself, a Table, a data frame, a lazy frame of an engine, or a file's path.

    Nothing that is given is changed. Values that no row of a Table has are not part of the data. With `rows`, large
    files are read into memory, because what is to be done needs rows. A `dialect` is used instead of `missing`.
    """
    dialect = dialect or Dialect(missing)
    if hasattr(type(given), "publish"):  # a frame of Spark Connect has any attribute, but its type does not
        source: Source = given
        return (source.cell_by_cell() if dialect.by_cell else source).watched(progress)
    if isinstance(given, str | Path):
        return open_source(given, dialect=dialect, rows=rows, progress=progress)
    if not isinstance(given, Table) and (on_engine := _engine_of(given)) is not None:
        native, frame = on_engine
        return replace(_lazy(frame, native, None, dialect, MemoryBudget(), progress), given_lazy=True)
    table = Table._from_frame(given, dialect)
    return InMemoryTable((table.cell_by_cell if dialect.by_cell else table).compact())


def is_on_engine(given: Any) -> bool:
    """Whether the rows stay on an engine: those of a source, of a lazy frame, or at the address of a database."""
    if isinstance(given, str | Path):
        return "://" in str(given) or database_url(given) is not None
    if hasattr(type(given), "publish"):
        return given.engine is not None
    return not isinstance(given, Table) and _engine_of(given) is not None


def opened(given: Any) -> Any:
    """A database: its URL, or a connection to it."""
    if isinstance(given, str) and given.startswith("duckdb://"):
        from fairveil.engines.duckdb_files import open_file

        return open_file(given)
    if type(given).__module__.split(".")[0] in ("duckdb", "_duckdb"):
        from fairveil.engines.duckdb import DuckDB

        return DuckDB(given)
    from fairveil.engines.sql import database_at, database_beside

    return database_at(given) if isinstance(given, str) else database_beside(given)


def _only(tables: Sequence[str], url: str) -> str:
    """The only table of a database file; raises BadInput if there are several, or none."""
    if len(tables) == 1:
        return tables[0]
    if not tables:
        raise BadInput(f"{url} is a database without tables")
    listed = ", ".join(tables[:10]) + ", …" * (len(tables) > 10)
    raise BadInput(f"{url} has {len(tables)} tables: name one, as in {option('table', tables[0])} (there are {listed})")


def _large(files: Iterable[Path]) -> bool:
    return sum(file.stat().st_size for file in files if file.is_file()) >= LARGE


def _engine_of(given: Any) -> tuple[EngineAdapter, Any] | None:
    """The engine that a lazy frame lives on, and the frame; None for whatever is in memory. Nothing is imported to find
    out."""
    import narwhals.dependencies as kinds

    if type(given).__module__.startswith("narwhals") and hasattr(given, "collect_schema"):
        given = given.to_native()
    native: EngineAdapter
    if kinds.is_ibis_table(given):
        from fairveil.engines.sql import database_of

        return database_of(given)
    if kinds.is_polars_lazyframe(given):
        from fairveil.engines.native import PolarsAdapter

        native = PolarsAdapter()
    elif kinds.is_duckdb_relation(given):
        from fairveil.engines.duckdb import DuckDB

        database = DuckDB.of(given)
        native, given = database, database.settled(given)
    elif kinds.is_pyspark_dataframe(given) or kinds.is_pyspark_connect_dataframe(given):
        from fairveil.engines.spark import Spark

        native = Spark(given.sparkSession)
    else:
        return None
    import narwhals as nw

    return native, nw.from_native(given)


def _lazy(
    frame: Any,
    native: EngineAdapter,
    columns: Sequence[str] | None,
    dialect: Dialect,
    budget: MemoryBudget,
    progress: Progress | None,
    texts: Sequence[str] = (),
    separator: str | None = None,
    snapshot: Snapshot | None = None,
    types: Mapping[str, Any] | None = None,
) -> LazySource:
    import narwhals as nw

    from fairveil.engines.lazy import LazySource, dropping
    from fairveil.engines.value_dictionary import CellReader

    decimal = decimal_separator(dialect.decimals, None if dialect.by_cell else separator)
    if separator is None:  # texts of other sources are read as numbers and dates if the dialect says how
        schema = frame.collect_schema()
        texts = [name for name in schema if schema[name] == nw.String and dialect.spelling.covers(name)]
    cell_reader = CellReader(
        frozenset(texts), frozenset(dialect.text), tuple(dialect.missing_values), decimal, None, dialect.by_cell,
        types or {}, dialect.spelling,
    )  # fmt: skip
    source = LazySource.of(frame, native, cell_reader=cell_reader, budget=budget, progress=progress)
    asked = (*(columns or ()), *dialect.text)
    refuse([suggest(name, source.names, "column") for name in asked if name not in source.names])
    source = source if columns is None else source.only(columns)
    remembered = dialect.given if snapshot is None else dialect.remembered
    name = f"the data on {native.name}"
    if snapshot is None and native.consistent:
        snapshot = Snapshot(name=native.snapshot or name)
    elif snapshot is None:
        snapshot = Snapshot(partial(native.state, source.frame), name, native.snapshot)
    source = replace(source, snapshot=snapshot)
    marks = () if dialect.by_cell else [text for text in dialect.missing_values if source.often_holds(text)]
    reader = replace(source.cell_reader, dialect=remembered(marks))
    return dropping(replace(source, cell_reader=reader), dialect.missing)
