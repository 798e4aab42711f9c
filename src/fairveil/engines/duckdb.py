"""DuckDB: files of any size in this process. What does not fit into its memory spills into a private folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import narwhals as nw
import pyarrow as pa

from fairveil.engines.budget import Budget
from fairveil.engines.native import PART_ROWS, Coded, Frame, Plain, in_order, key_name, write_batches

SAME = {
    pa.string(): "VARCHAR", pa.int64(): "BIGINT", pa.float64(): "DOUBLE", pa.bool_(): "BOOLEAN", pa.date32(): "DATE",
}  # fmt: skip
"""Types that DuckDB writes as Arrow would, and their names there."""
MOST_LISTED = 20_000
"""Values of all columns that are written down in a query."""
SPILLS = "fairveil-spill-"
LONGEST_LINE = 1 << 22
"""Bytes of one line of a CSV file. DuckDB sets sixteen times as much aside."""


class DuckDB(Plain):
    """A connection to DuckDB."""

    name = "DuckDB"

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    @classmethod
    def of(cls, relation: Any) -> DuckDB:
        """The connection that a relation belongs to."""
        import duckdb

        return cls(getattr(relation, "_con", None) or duckdb.default_connection())

    @classmethod
    def within(cls, budget: Budget) -> DuckDB:
        """A database in memory that uses at most half of the budget; the other half is for cells."""
        import duckdb

        spill = _spill_folder()
        settings: dict[str, Any] = {"memory_limit": f"{budget.bytes // 2 // 1000}KB", "temp_directory": str(spill)}
        database = cls(duckdb.connect(":memory:", config=settings))
        with contextlib.suppress(duckdb.Error):  # builds without zones of time have none to choose
            database.connection.execute("SET TimeZone = 'UTC'")
        weakref.finalize(database, _close, database.connection, spill)
        return database

    def parquet(self, files: Sequence[Path]) -> Frame:
        return nw.from_native(self.connection.read_parquet([str(file) for file in files]))

    def csv(self, files: Sequence[Path], names: Sequence[str], separator: str) -> Frame:
        """Columns of text; types are decided from their distinct values. Read once, then held column by column."""
        listed = ", ".join(map(_quoted, map(str, files)))
        columns = ", ".join(f"{_quoted(name)}: 'VARCHAR'" for name in names)
        self.connection.execute(
            f"CREATE TEMP TABLE source AS SELECT * FROM read_csv([{listed}], columns = {{{columns}}}, header = true, "
            f"delim = {_quoted(separator)}, quote = '\"', escape = '\"', auto_detect = false, nullstr = '', "
            f"max_line_size = {LONGEST_LINE}, strict_mode = true)"
        )
        return nw.from_native(self.connection.table("source"))

    def bring(self, table: pa.Table) -> Frame:
        return nw.from_native(self.connection.from_arrow(table))

    def write(self, frame: Frame, coded: Sequence[Coded], schema: pa.Schema, path: Path, *, parts: bool) -> None:
        """Sort nothing but keys where values can be had from them: rows would spill many times as much."""
        if sum(len(column.values) for column in coded) > MOST_LISTED or any(c.values.type not in SAME for c in coded):
            named = (nw.col(column.column).alias(column.name) for column in coded)
            relation = nw.to_native(in_order(frame, coded).select(*named))
        else:
            keys = list(dict.fromkeys(key_name(column.key) for column in coded))
            columns = ", ".join(f"{_decoded(column)} AS {_named(column.name)}" for column in coded)
            sorted_keys = nw.to_native(frame.select(*keys).sort(*keys))
            relation = sorted_keys.query("sorted_keys", f"SELECT {columns} FROM sorted_keys")
        if parts or any(kind not in SAME for kind in schema.types):
            write_batches(relation.to_arrow_reader(PART_ROWS), schema, path, parts=parts)
        else:
            relation.to_parquet(str(path), row_group_size=PART_ROWS)

    def stop(self) -> None:
        self.connection.interrupt()


def _decoded(column: Coded) -> str:
    """A published value from its place in a key, as SQL."""
    texts = column.values.cast(pa.string()).to_pylist()
    listed = ", ".join("NULL" if text is None else _quoted(text) for text in texts)
    place = f"(({key_name(column.key)} >> {column.shift}) & {(1 << column.bits) - 1})"
    return f"list_extract([{listed}]::{SAME[column.values.type]}[], {place} + 1)"


def _named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _spill_folder() -> Path:
    """A folder of this process alone; those of processes that were killed are cleared away."""
    base = Path(tempfile.gettempdir())
    for left in base.glob(f"{SPILLS}*"):
        owner = left.name.removeprefix(SPILLS).split("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
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
