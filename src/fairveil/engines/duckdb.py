"""DuckDB: files of any size in this process. What does not fit into its memory spills into a private folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import narwhals as nw
import pyarrow as pa

from fairveil.engines.budget import Budget
from fairveil.engines.native import BATCH_ROWS, Frame, Plain

SPILLS = "fairveil-spill-"
LONGEST_LINE = 1 << 22
"""Bytes of one line of a CSV file. DuckDB sets sixteen times as much aside."""


class DuckDB(Plain):
    """A connection to DuckDB."""

    name = "DuckDB"

    def __init__(self, connection: Any, opener: DuckDB | None = None) -> None:
        self.connection = connection
        self.opener = opener  # it closes the connection when nobody holds it any more

    @classmethod
    def of(cls, relation: Any) -> DuckDB:
        """The connection that a relation belongs to."""
        import duckdb

        return cls(getattr(relation, "_con", None) or duckdb.default_connection())

    @classmethod
    def within(cls, budget: Budget) -> DuckDB:
        """A database in memory that uses at most half of the budget; the other half is for cells."""
        import duckdb

        spill = spill_folder()
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

    def batches(self, frame: Frame) -> Iterable[pa.RecordBatch]:
        batches: Iterable[pa.RecordBatch] = nw.to_native(frame).to_arrow_reader(BATCH_ROWS)
        return batches

    def keeper(self, budget: Budget) -> DuckDB:
        return DuckDB(self.connection, self)

    def stop(self) -> None:
        self.connection.interrupt()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def spill_folder() -> Path:
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
