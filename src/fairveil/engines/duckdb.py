"""DuckDB: files of any size in this process. Data that does not fit into memory spills to a private folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import narwhals as nw
import pyarrow as pa

from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.native import BATCH_ROWS, EngineAdapter, Frame, first_sentence
from fairveil.errors import BadInput, suggest

if TYPE_CHECKING:
    from fairveil.engines.database_tables import Transaction

SPILLS = "fairveil-spill-"
MAX_LINE = 1 << 22
"""Maximum length of a line of a CSV file, in bytes. DuckDB reserves sixteen times as much."""
MAX_LIST = 1 << 9
"""Maximum number of distinct texts looked up in a list: for Parquet, DuckDB does that once per text of a page."""
MAX_ARRAY = 1 << 16
"""Maximum range of integers that are looked up in an array."""
MAX_BITS = 10**9
"""Maximum range of integers that are tested for duplicates with a bitmap."""


class DuckDB(EngineAdapter):
    """A connection to DuckDB."""

    name = "DuckDB"

    def __init__(self, connection: Any, opener: DuckDB | None = None) -> None:
        self.connection = connection
        self.opener = opener  # closes the connection when it is garbage-collected
        self.paged = False  # whether texts are dictionary-encoded by page
        self.private = False  # whether the database ends with this process

    @classmethod
    def of(cls, relation: Any) -> DuckDB:
        """The connection of a relation."""
        import duckdb

        return cls(getattr(relation, "_con", None) or duckdb.default_connection())

    @classmethod
    def within(cls, budget: MemoryBudget) -> DuckDB:
        """An in-memory database that uses at most half of the budget; the other half is for cells."""
        import duckdb

        spill = spill_folder()
        settings: dict[str, Any] = {"memory_limit": f"{budget.bytes // 2 // 1000}KB", "temp_directory": str(spill)}
        database = cls(duckdb.connect(":memory:", config=settings))
        database._prepare()
        database.private = True
        weakref.finalize(database, _close, database.connection, spill)
        return database

    @classmethod
    def at(cls, url: str) -> DuckDB:
        """A database file, such as "duckdb:///people.duckdb"."""
        import duckdb

        parts = urlsplit(url)
        path = Path(parts.netloc + parts.path)
        if not path.is_file():
            raise BadInput(f"the file {path} does not exist")
        try:
            database = cls(duckdb.connect(path))
        except duckdb.Error as problem:
            raise BadInput(f"no connection to {path}: {first_sentence(problem)}") from None
        database._prepare()
        weakref.finalize(database, database.connection.close)
        return database

    def _prepare(self) -> None:
        import duckdb

        # DuckDB measures progress only with the progress bar enabled; the bar is not printed
        self.connection.execute("SET enable_progress_bar_print = false; SET enable_progress_bar = true")
        self.connection.execute("SET progress_bar_time = 0")
        with contextlib.suppress(duckdb.Error):  # this build has no time-zone support
            self.connection.execute("SET TimeZone = 'UTC'")

    def table(self, name: str) -> Frame:
        import duckdb

        from fairveil.engines.database_tables import quoted_path

        try:
            return nw.from_native(self.connection.sql(f"FROM {quoted_path(name)}"))
        except duckdb.Error:
            tables = self.connection.execute("SELECT table_name FROM information_schema.tables").fetchall()
            raise BadInput(suggest(name, [each for (each,) in tables], "table")) from None

    def parquet(self, files: Sequence[Path]) -> Frame:
        self.paged = True
        return nw.from_native(self.connection.read_parquet(list(map(_one_file, files))))

    def csv(self, files: Sequence[Path], names: Sequence[str], separator: str) -> Frame:
        """Read columns as text, once, into a table; types are inferred from their distinct values."""
        listed = ", ".join(map(_quoted, map(_one_file, files)))
        columns = ", ".join(f"{_quoted(name)}: 'VARCHAR'" for name in names)
        self.connection.execute(
            f"CREATE TEMP TABLE source AS SELECT * FROM read_csv([{listed}], columns = {{{columns}}}, header = true, "
            f"delim = {_quoted(separator)}, quote = '\"', escape = '\"', auto_detect = false, nullstr = '', "
            f"max_line_size = {MAX_LINE}, strict_mode = true)"
        )
        return nw.from_native(self.connection.table("source"))

    def load(self, schema: pa.Schema, pieces: Iterable[pa.RecordBatch]) -> Frame:
        """Keep rows that this process reads in a table."""
        rows = self.connection.from_arrow(pa.RecordBatchReader.from_batches(schema, pieces))
        rows.create("source")
        return nw.from_native(self.connection.table("source"))

    def bring(self, table: pa.Table) -> Frame:
        return nw.from_native(self.connection.from_arrow(table))

    def look_up(self, frame: Frame, at: str, table: pa.Table) -> Frame:
        """Use a list instead of a join where that is faster."""
        import duckdb

        keys, fresh = table.column(0), table.schema.names[1:]
        listed = self._position(at, keys)
        if listed is None:
            return super().look_up(frame, at, table)
        position, order = listed
        columns = []
        for name in fresh:
            values = duckdb.ConstantExpression([None if row < 0 else table[name][row].as_py() for row in order])
            columns.append(duckdb.FunctionExpression("list_extract", values.cast("BIGINT[]"), position).alias(name))
        return nw.from_native(nw.to_native(frame).select(duckdb.StarExpression(), *columns))

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
                position = column.cast("HUGEINT") - duckdb.ConstantExpression(minimum - 1)
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
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    def stop(self) -> None:
        self.connection.interrupt()

    def share(self) -> float | None:
        """The share of the query; a caller's own connection reports it only with its progress bar enabled."""
        percent = self.connection.query_progress()
        return percent / 100 if percent >= 0 else None

    def transaction(self) -> Transaction | None:
        from fairveil.engines.database_tables import DuckDBFile

        return None if self.private else DuckDBFile(self.connection)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _one_file(path: Path) -> str:
    """A path that DuckDB does not take for a pattern."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in str(path.absolute()))


def spill_folder() -> Path:
    """Create a folder for this process; delete those of processes that were killed."""
    base = Path(tempfile.gettempdir())
    for left in base.glob(f"{SPILLS}*"):
        owner = left.name.removeprefix(SPILLS).split("-")[0]
        if owner.isdecimal() and not _alive(int(owner)):
            shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{SPILLS}{os.getpid()}-"))


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _close(connection: Any, spill: Path) -> None:
    connection.close()
    shutil.rmtree(spill, ignore_errors=True)
