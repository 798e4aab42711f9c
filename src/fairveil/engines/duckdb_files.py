"""Database files of DuckDB: read without keeping others from reading them, and locked only while a table is written."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from fairveil.data.readers import refuse_secret
from fairveil.data.snapshot import State, changed_at, stamp
from fairveil.engines.database_tables import DuckDBFile
from fairveil.engines.duckdb import DuckDB, quoted_text
from fairveil.engines.native import Frame, first_sentence
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.engines.database_tables import Transaction

CATALOG = "fairveil_source"
"""The name by which a file is attached."""


class DuckDBDatabase(DuckDB):
    """A database file, attached to a DuckDB in memory. While it is attached for reading, nobody can write to it."""

    path: Path
    current: State
    """The state of the file that its content has had since it was opened; after a table was written, a later one."""

    def state(self, frame: Frame) -> State:
        """The state of the file; of a view, also of the rows: it may read other files."""
        if _stamps(self.path) != self.current:
            return "changed"
        return self.path, super().state(frame) if self.reads_view else None

    def attach(self, access: str) -> None:
        self.connection.execute(f"ATTACH {quoted_text(str(self.path))} AS {CATALOG} ({access}); USE {CATALOG}")

    def attach_again(self, access: str) -> None:
        """Attach the file for reading or for writing; nobody may change it meanwhile."""
        import duckdb

        self.connection.execute(f"USE memory; DETACH {CATALOG}")
        try:
            self.attach(access)
        except duckdb.Error as problem:
            self.attach("READ_ONLY")
            if _is_locked(problem):
                raise BadInput(
                    f"no table can be written into {self.path}, because another process has opened it: close it there, "
                    "and run again"
                ) from None
            raise BadInput(
                f"no table can be written into {self.path}: {first_sentence(problem, connecting=True)}"
            ) from None

    def transaction(self, *, writes: bool = True) -> Transaction | None:
        return Writing(self) if writes else DuckDBFile(self.connection, CATALOG)


class Writing(DuckDBFile):
    """A transaction that locks the file, until it is closed."""

    def __init__(self, database: DuckDBDatabase) -> None:
        self.database, before = database, database.current
        database.attach_again("READ_WRITE")
        database.current = before if _stamps(database.path) == before else None
        super().__init__(database.connection, CATALOG)

    def close(self) -> None:
        unchanged = self.database.current is not None
        super().close()
        self.database.attach_again("READ_ONLY")
        self.database.current = _stamps(self.database.path) if unchanged else None


def open_file(url: str) -> DuckDB:
    """A database file, such as "duckdb:///people.duckdb"."""
    import duckdb

    parts = urlsplit(url)
    path = Path(unquote(parts.netloc + parts.path))
    if not path.is_file():
        refuse_secret(str(path))
        raise BadInput(f"the file {path} does not exist")
    database = DuckDBDatabase.alone()
    database.path, database.current = path, _stamps(path)
    try:
        database.snapshot = f"{path.name} of {changed_at(path)}"
        database.attach("READ_ONLY")
        return database
    except duckdb.Error as problem:
        reason = problem
    try:  # it may be open for writing in this process, which then shares it
        shared = DuckDB(duckdb.connect(path))
    except duckdb.Error:
        if _is_locked(reason):
            raise BadInput(
                f"{path} cannot be read, because another process has opened it for writing: close it there, or let it "
                "read only, and run again; or read a copy that was made while it was closed"
            ) from None
        raise BadInput(f"no connection to {path}: {first_sentence(reason)}") from None
    weakref.finalize(shared, shared.connection.close)
    return shared


def _is_locked(problem: Exception) -> bool:
    """Whether another process has the file open in a way that excludes this one."""
    return "Could not set lock on file" in str(problem) or "being used by another process" in str(problem)


def _stamps(database: Path) -> State:
    """The state of a database file, and of what is written ahead of it."""
    return tuple(stamp(file) for file in (database, Path(f"{database}.wal")) if file.exists())
