"""DuckDB: files of any size in this process. What does not fit into its memory spills into a private folder."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw

from fairveil.data.reading import PARQUET_ENDINGS
from fairveil.engines.budget import Budget
from fairveil.engines.native import PART_ROWS, Frame, part_name

if TYPE_CHECKING:
    import pyarrow as pa

SPILLS = "fairveil-spill-"
LONGEST_LINE = 1 << 28
"""Bytes of one line of a CSV file."""


class DuckDB:
    """A connection to DuckDB."""

    name = "DuckDB"

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    @classmethod
    def within(cls, budget: Budget) -> DuckDB:
        """A database in memory that uses at most half of the budget; the other half is for cells."""
        import duckdb

        spill = _spill_folder()
        settings = {"memory_limit": f"{budget.bytes // 2 // 1000}KB", "temp_directory": str(spill)}
        database = cls(duckdb.connect(":memory:", config=settings))
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

    def fetch(self, frame: Frame) -> pa.Table:
        return frame.collect("pyarrow").to_native()

    def bring(self, table: pa.Table) -> Frame:
        return nw.from_native(self.connection.from_arrow(table))

    def in_order(self, frame: Frame, names: Sequence[str]) -> Frame:
        return frame.sort(*names, nulls_last=True)

    def write(self, frame: Frame, schema: pa.Schema, path: Path, *, parts: bool) -> None:
        relation = nw.to_native(frame)
        relation.to_parquet(str(path), row_group_size=PART_ROWS)

    def stop(self) -> None:
        self.connection.interrupt()


def is_parquet(file: Path) -> bool:
    return file.name.lower().endswith(PARQUET_ENDINGS)


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
