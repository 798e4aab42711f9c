"""DuckDB: files of any size in this process. Data that does not fit into memory spills to a private folder."""

from __future__ import annotations

import contextlib
import secrets
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
import pyarrow as pa

from fairveil.data.file_pieces import BLANKS
from fairveil.engines.native import BATCH_ROWS, EngineAdapter, Frame, constant, hashable
from fairveil.engines.source_types import of_duckdb
from fairveil.engines.spark_files import scale
from fairveil.engines.spills import SPILLS, remove_spill, spill_folder
from fairveil.engines.views import VOLATILE, volatile_view
from fairveil.errors import BadInput, suggest
from fairveil.messages import option

if TYPE_CHECKING:
    from fairveil.data.snapshot import State
    from fairveil.engines.database_tables import Transaction
    from fairveil.engines.memory_budget import MemoryBudget

MAX_LINE = 1 << 22
"""Maximum length of a line of a CSV file, in bytes. DuckDB reserves sixteen times as much."""
ROWS = "fairveil_rows"
"""The database of tables of rows that were read once."""
MAX_LIST = 1 << 9
"""Maximum number of distinct texts looked up in a list: for Parquet, DuckDB does that once per text of a page."""
MAX_ARRAY = 1 << 16
"""Maximum range of integers that are looked up in an array."""
MAX_BITS = 10**9
"""Maximum range of integers that are tested for duplicates with a bitmap."""


class DuckDB(EngineAdapter):
    """A connection to DuckDB."""

    name = "DuckDB"
    near = True

    def __init__(self, connection: Any, opener: DuckDB | None = None) -> None:
        self.connection = connection
        self.opener = opener  # closes the connection when it is garbage-collected
        self.loaded = 0  # tables of rows that were read once
        self.paged = False  # whether texts are dictionary-encoded by page
        self.reads_view = False  # whether the table is a view, which may read what is outside of the database
        self.private = False  # whether the database ends with this process
        self.folder: Path | None = None  # what it spills to, if no other connection shares it
        self.memory_limit: str | None = None  # if it was given one

    @classmethod
    def of(cls, relation: Any) -> DuckDB:
        """The connection of a relation."""
        import duckdb

        return cls(getattr(relation, "_con", None) or duckdb.default_connection())

    @classmethod
    def within(cls, budget: MemoryBudget) -> Self:
        """An in-memory database that uses at most half of the budget; the other half is for cells."""
        database = cls.alone(memory_limit=f"{budget.bytes // 2 // 1000}KB")
        database.private = database.consistent = True
        return database

    @classmethod
    def alone(cls, **settings: Any) -> Self:
        """A database that no other connection shares, and that spills to a folder of its own."""
        import duckdb

        spill = spill_folder()
        database = cls(duckdb.connect(":memory:", config={**settings, "temp_directory": str(spill)}))
        database.folder, database.memory_limit = spill, settings.get("memory_limit")
        database._prepare()
        weakref.finalize(database, _close, database.connection, spill)
        return database

    def settled(self, relation: Any) -> Any:
        """The relation; if its query, or a view, computes other values each time, such as uuid(), its rows as a
        temporary table, which is dropped with this object."""
        definitions = [relation.sql_query(), *(definition for _, definition in self._views())]
        return self._read_once(relation) if any(map(VOLATILE.search, definitions)) else relation

    def _views(self) -> list[tuple[str, str]]:
        """The names and definitions of all views."""
        views = "SELECT view_name, sql FROM duckdb_views() WHERE NOT internal"
        listed: list[tuple[str, str]] = self.connection.cursor().sql(views).fetchall()
        return listed

    def _read_once(self, relation: Any) -> Any:
        """The rows of a relation in a temporary table."""
        name = f"fairveil_{secrets.token_hex(8)}"
        relation.query("given", f"CREATE TEMP TABLE {name} AS FROM given")
        self.holds_frames = False
        weakref.finalize(self, _drop, self.connection, name)
        return self.connection.table(name)

    def state(self, frame: Frame) -> State:
        """The number of rows and the sum of their hashes."""
        cells = ", ".join([*hashable(frame), "0"])
        return tuple(nw.to_native(frame).aggregate(f"count(*), sum(hash({cells}))").fetchall())

    def _prepare(self) -> None:
        import duckdb

        # DuckDB measures progress only with the progress bar enabled; the bar is not printed
        self.connection.execute("SET enable_progress_bar_print = false; SET enable_progress_bar = true")
        self.connection.execute("SET progress_bar_time = 0; SET preserve_insertion_order = false")
        with contextlib.suppress(duckdb.Error):  # this build has no time-zone support
            self.connection.execute("SET TimeZone = 'UTC'")

    def table(self, name: str, columns: Sequence[str] | None = None) -> Frame:
        import duckdb

        from fairveil.engines.database_tables import quoted_path

        try:
            relation = self.connection.sql(f"FROM {quoted_path(name)}")
        except duckdb.Error:
            raise BadInput(suggest(name, self.tables, "table")) from None
        views = {view.lower(): definition for view, definition in self._views()}
        own = name.rpartition(".")[2].lower()
        self.reads_view = own in views
        return nw.from_native(relation if volatile_view(own, views) is None else self._read_once(relation))

    @property
    def tables(self) -> list[str]:
        """The tables and views of the database."""
        query = "SELECT table_name FROM information_schema.tables WHERE table_catalog = current_database() ORDER BY ALL"
        return [name for (name,) in self.connection.execute(query).fetchall()]

    def source_types(self, frame: Frame) -> Mapping[str, pa.DataType]:
        return of_duckdb(nw.to_native(frame))

    def parquet(self, files: Sequence[Path], types: Mapping[str, pa.DataType] | None = None) -> Frame:
        self.paged = True
        return nw.from_native(self.connection.read_parquet(list(map(_one_file, files)), hive_partitioning=False))

    def with_constants(self, frame: Frame, constants: Mapping[str, pa.Scalar], names: Sequence[str]) -> Frame:
        """These columns of a file, of which some have one value in all rows."""
        import duckdb

        columns = []
        for name in names:
            column = duckdb.ColumnExpression(name)
            if name in constants:
                column = duckdb.ConstantExpression(constant(constants[name])).cast(self._type(constants[name].type))
            columns.append(column.alias(name))
        return nw.from_native(nw.to_native(frame).select(*columns))

    def _type(self, kind: pa.DataType) -> Any:
        if pa.types.is_timestamp(kind) and kind.unit in ("s", "ms"):  # as DuckDB reads them from Parquet files
            kind = pa.timestamp("us", kind.tz)
        return self.connection.from_arrow(pa.table({"a": pa.nulls(0, kind)})).types[0]

    def cast(
        self, frame: Frame, kinds: Mapping[str, tuple[pa.DataType, pa.DataType]], names: Sequence[str]
    ) -> Frame:  # fmt: skip
        """These columns of a file, some of them cast from one type to another."""
        import duckdb

        columns = []
        for name in names:
            column = duckdb.ColumnExpression(name)
            if name in kinds and pa.types.is_duration(kinds[name][1]):  # read as integers
                column = column.cast("BIGINT") * duckdb.ConstantExpression(scale(*kinds[name]))
            elif name in kinds:
                column = column.cast(self._type(kinds[name][1]))
            columns.append(column.alias(name))
        return nw.from_native(nw.to_native(frame).select(*columns))

    def csv(self, files: Sequence[Path], names: Sequence[str], separator: str, *, header: bool = True) -> Frame:
        """Read two or more columns as text, once, into a table; types are inferred from their distinct values. Rows of
        delimiters and blanks only are skipped. Raises ValueError for files that DuckDB cannot read."""
        import duckdb

        listed = ", ".join(map(quoted_text, map(_one_file, files)))
        columns = ", ".join(f"{quoted_text(name)}: 'VARCHAR'" for name in names)
        table = self._fresh()
        try:
            self.connection.execute(
                f"CREATE TABLE {table} AS SELECT * FROM read_csv([{listed}], columns = {{{columns}}}, "
                f"header = {header}, delim = {quoted_text(separator)}, quote = '\"', escape = '\"', "
                f"auto_detect = false, nullstr = '', max_line_size = {MAX_LINE}, strict_mode = true){_filled(names)}"
            )
        except duckdb.InvalidInputException as problem:
            raise ValueError("DuckDB cannot read these files") from problem
        self._give_back()
        return nw.from_native(self.connection.table(table))

    def _give_back(self) -> None:
        """Give memory that is no longer used back to the system. DuckDB's allocator keeps what reading a file took, a
        multiple of the compressed table, until its limit is set again."""
        if self.memory_limit is not None:
            self.connection.execute(f"SET memory_limit = {quoted_text(self.memory_limit)}")

    def _fresh(self) -> str:
        """The name of a new table: in a file of the folder that this database spills to, because only there DuckDB
        compresses a table while it is filled; else a temporary one. The file has no name, so that it ends with the
        process, however that ends."""
        self.loaded += 1
        if self.folder is None:
            return f"temp.source{self.loaded}"
        if self.loaded == 1:
            file = self.folder / "rows.duckdb"
            self.connection.execute(f"ATTACH {quoted_text(str(file))} AS {ROWS} (RECOVERY_MODE no_wal_writes)")
            with contextlib.suppress(PermissionError):  # Windows keeps the names of open files
                file.unlink()
        return f"{ROWS}.source{self.loaded}"

    def load(self, schema: pa.Schema, pieces: Iterable[pa.RecordBatch]) -> Frame:
        """Keep rows that this process reads in a table."""
        rows = self.connection.from_arrow(pa.RecordBatchReader.from_batches(schema, pieces))
        rows.create(table := self._fresh())
        self._give_back()
        return nw.from_native(self.connection.table(table))

    def bring(self, table: pa.Table) -> Frame:
        return nw.from_native(self.connection.from_arrow(table))

    def look_up(self, frame: Frame, tables: Mapping[str, pa.Table]) -> Frame:
        """Use a list instead of a join where that is faster. All lists are one projection: DuckDB binds the whole
        relation again for each."""
        import duckdb

        columns, joined = [], {}
        for at, table in tables.items():
            listed = self._position(at, table.column(0))
            if listed is None:
                joined[at] = table
                continue
            position, order = listed
            for name in table.schema.names[1:]:
                values = duckdb.ConstantExpression([None if row < 0 else table[name][row].as_py() for row in order])
                columns.append(duckdb.FunctionExpression("list_extract", values.cast("BIGINT[]"), position).alias(name))
        if columns:
            frame = nw.from_native(nw.to_native(frame).select(duckdb.StarExpression(), *columns))
        return super().look_up(frame, joined)

    def _position(self, at: str, keys: pa.ChunkedArray) -> tuple[Any, list[int]] | None:
        """The position of a key in a list, from 1, and the key's row for each position, or -1; None: use a join."""
        import duckdb

        column = duckdb.ColumnExpression(at)
        if not len(keys):
            return None
        if pa.types.is_string(keys.type) and self.paged and len(keys) <= MAX_LIST:
            texts = duckdb.ConstantExpression(keys.to_pylist())
            return duckdb.FunctionExpression("list_position", texts, column), list(range(len(keys)))
        if pa.types.is_integer(keys.type):
            row_of = {key: row for row, key in enumerate(keys.to_pylist())}
            minimum, maximum = min(row_of), max(row_of)
            if maximum - minimum < MAX_ARRAY:
                wide = "BIGINT" if keys.type.bit_width < 64 else "HUGEINT"  # slower, and cannot overflow
                position = column.cast(wide) - duckdb.ConstantExpression(minimum - 1)
                return position.cast("BIGINT"), [row_of.get(key, -1) for key in range(minimum, maximum + 1)]
        return None

    def all_differ(self, frame: Frame, at: str) -> int | None:
        """Set a bit for each integer."""
        rows = nw.to_native(frame.select(at))
        [(minimum, maximum, numbers)] = rows.aggregate(f"min({at}), max({at}), count({at})").fetchall()
        if not numbers or not -(2**63) <= minimum <= maximum < 2**63 or maximum - minimum >= MAX_BITS:
            return 0 if not numbers else None
        if maximum - minimum + 1 < numbers:
            return None
        bits = f"bit_count(bitstring_agg({at}::BIGINT, {minimum}::BIGINT, {maximum}::BIGINT))"
        [(different,)] = rows.filter(f"{at} IS NOT NULL").aggregate(bits).fetchall()
        return numbers if different == numbers else None

    def batches(self, frame: Frame) -> Iterable[pa.RecordBatch]:
        batches: Iterable[pa.RecordBatch] = nw.to_native(frame).to_arrow_reader(BATCH_ROWS)
        return batches

    def keeper(self, budget: MemoryBudget) -> DuckDB:
        return DuckDB(self.connection, self)

    def spill(self) -> Path:
        """A private folder, deleted when this object is."""
        folder = spill_folder()
        weakref.finalize(self, remove_spill, folder)
        return folder

    def stop(self) -> None:
        self.connection.interrupt()

    @classmethod
    def explain(cls, problem: BaseException) -> str:
        if "failed to offload" in str(problem) or (SPILLS in str(problem) and "No space left" in str(problem)):
            return (
                "the folder for temporary files is full: set TMPDIR (of your own connection, temp_directory) to one "
                "with more space"
            )
        if "Out of Memory Error" in str(problem):
            return f"it needs more memory than it may use: allow more, such as {option('memory', '8GB')}"
        return super().explain(problem)

    def share(self) -> float | None:
        """The share of the query; a caller's own connection reports it only with its progress bar enabled."""
        percent = self.connection.query_progress()
        return percent / 100 if percent >= 0 else None

    def transaction(self, *, writes: bool = True) -> Transaction | None:
        from fairveil.engines.database_tables import DuckDBFile

        return None if self.private else DuckDBFile(self.connection)


def quoted_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _filled(names: Sequence[str]) -> str:
    """The condition that a row has a value that is not blank."""
    columns = ['"' + name.replace('"', '""') + '"' for name in names]
    cells = ", ".join(f"nullif(trim({column}, {quoted_text(BLANKS)}), '')" for column in columns)
    return f" WHERE coalesce({cells}) IS NOT NULL"


def _one_file(path: Path) -> str:
    """A path that DuckDB does not take for a pattern."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in str(path.absolute()))


def _drop(connection: Any, table: str) -> None:
    import duckdb

    with contextlib.suppress(duckdb.Error):  # it was closed, or has a result that the user still reads
        connection.sql(f"DROP TABLE IF EXISTS {table}")


def _close(connection: Any, spill: Path) -> None:
    connection.close()
    remove_spill(spill)
