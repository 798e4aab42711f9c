"""SQLite: a file, opened for reading, in one transaction.

A column of SQLite may hold values of any type: it is a column of integers, of numbers or of texts, as its values are.
SQLite has no dates and no Booleans; they are the texts or integers that are stored.
"""

from __future__ import annotations

import secrets
import sqlite3
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pyarrow as pa

from fairveil.engines.native import Frame, first_sentence
from fairveil.engines.sql import Database
from fairveil.engines.views import refuse_volatile
from fairveil.errors import BadInput, suggest

if TYPE_CHECKING:
    from fairveil.engines.addresses import Address
    from fairveil.engines.database_tables import Transaction

CHUNK = 1 << 17
"""Number of rows fetched at once."""
_STORED = ("integer", "real", "text", "blob")


class SQLite(Database):
    """A connection to a SQLite file. Others may write meanwhile if the file is in WAL mode."""

    name = "SQLite"
    dialect = "sqlite"
    driver = "ibis"  # Python has SQLite

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.connection = sqlite3.connect(
            f"file:{quote(file)}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
        )
        weakref.finalize(self, self.connection.close)
        self.connection.execute("PRAGMA temp_store = memory")
        self.connection.execute("BEGIN")
        self.connection.execute("SELECT count(*) FROM sqlite_master")  # the first query takes the snapshot
        self.snapshot = "a transaction on the file"
        self._lookups: list[str] = []

    @classmethod
    def at(cls, address: Address) -> SQLite:
        written = Path(f"{address.host}/{address.path}" if address.host else f"/{address.path.lstrip('/')}")
        file = written if written.is_file() or address.host else Path(address.path)
        if not file.is_file():
            raise BadInput(f"the file {written} does not exist")
        return cls(str(file))

    @classmethod
    def beside(cls, connection: Any) -> SQLite:
        [file] = [file for _, name, file in connection.con.execute("PRAGMA database_list") if name == "main"]
        if not file:
            raise BadInput("SQLite is read on a connection of its own, and this database is only in memory: save it")
        return cls(file)

    @property
    def tables(self) -> list[str]:
        """The tables and views of the database."""
        query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
        return [name for (name,) in self.connection.execute(query)]

    def table(self, name: str, columns: Sequence[str] | None = None) -> Frame:
        if name.removeprefix("main.") not in self.tables:
            raise BadInput(suggest(name, self.tables, "table"))
        refuse_volatile(name, dict(self.connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'")))
        try:
            described = self.connection.execute(f"SELECT * FROM {self.path(name)} LIMIT 0").description
            names = [column[0] for column in described]
            chosen = [name for name in names if columns is None or name in columns] or names
            return self.query(f"SELECT {', '.join(map(self.quoted, chosen))} FROM {self.path(name)}")
        except sqlite3.Error as problem:
            raise BadInput(f"the table {name!r} cannot be read: {self.explain(problem)}") from None

    def query(self, select: str) -> Frame:
        names = [column[0] for column in self.connection.execute(f"SELECT * FROM ({select}) LIMIT 0").description]
        checks = (f"max(typeof({self.quoted(name)}) = '{kind}')" for name in names for kind in _STORED)
        [row] = self.connection.execute(f"SELECT {', '.join(checks)} FROM ({select})")
        types, columns = {}, []
        for position, name in enumerate(names):
            whole, real, text, blob = row[position * len(_STORED) : (position + 1) * len(_STORED)]
            kind, cast = ("binary", "BLOB") if blob else ("string", "TEXT")
            if (whole or real) and not text and not blob:
                kind, cast = ("float64", "REAL") if real else ("int64", "INTEGER")
            types[name] = kind
            # a collation may take "a" and "A" for the same
            columns.append(f"CAST({self.quoted(name)} AS {cast}) COLLATE BINARY AS {self.quoted(name)}")
        filled = (any(row[start : start + len(_STORED)]) for start in range(0, len(row), len(_STORED)))
        empty = {name: pa.null() for name, has_values in zip(names, filled, strict=True) if not has_values}
        return self.source(f"SELECT {', '.join(columns)} FROM ({select})", types, empty)

    def compiled(self, frame: Frame) -> tuple[str, pa.Schema]:
        for name in list(self._lookups):
            with suppress(sqlite3.OperationalError):  # rows that use it are still being read
                self.connection.execute(f"DROP TABLE temp.{name}")
                self._lookups.remove(name)
        return super().compiled(frame)

    def flat(self, query: str) -> str:
        """SQLite's parser gives up on deeply nested subqueries."""
        import sqlglot
        from sqlglot.optimizer.eliminate_subqueries import eliminate_subqueries

        return str(eliminate_subqueries(sqlglot.parse_one(query, dialect=self.dialect)).sql(dialect=self.dialect))

    def lookup(self, table: pa.Table) -> str:
        """In a table of the connection's own, in memory: SQLite needs no right for that."""
        name = f"fairveil_{secrets.token_hex(4)}"
        columns = ", ".join(map(self.quoted, table.schema.names))
        self.connection.execute(f"CREATE TABLE temp.{name} ({columns})")
        self._lookups.append(name)
        rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
        self.connection.executemany(f"INSERT INTO temp.{name} VALUES ({', '.join('?' * table.num_columns)})", rows)
        self.connection.execute(f"CREATE INDEX temp.{name}_keys ON {name} ({columns})")
        return f"SELECT * FROM temp.{name}"

    def run(self, statement: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        cursor = self.connection.execute(statement)
        while rows := cursor.fetchmany(CHUNK):
            yield pa.RecordBatch.from_struct_array(pa.array(rows, type=pa.struct(list(schema))))

    def stop(self) -> None:
        self.connection.interrupt()

    def transaction(self, *, writes: bool = True) -> Transaction | None:
        from fairveil.engines.database_tables import SQLiteFile

        try:
            return SQLiteFile(self.file, self.connection)
        except sqlite3.Error as problem:
            raise BadInput(f"{self.file} cannot be written: {self.explain(problem)}") from None

    @classmethod
    def explain(cls, problem: BaseException) -> str:
        """SQLite's messages may contain values, so its errors are named by their codes."""
        code = getattr(problem, "sqlite_errorname", None)
        meaning = next((text for name, text in _MEANINGS.items() if (code or "").startswith(name)), None)
        return meaning or code or first_sentence(problem)


_MEANINGS = {
    "SQLITE_BUSY": "another program reads or writes the file: run again later",
    "SQLITE_LOCKED": "another program reads or writes the file: run again later",
    "SQLITE_READONLY": "the file or its folder may only be read",
    "SQLITE_CANTOPEN": "the file cannot be opened: it needs the right to read it and, in WAL mode, to write its folder",
    "SQLITE_NOTADB": "it is not a SQLite file, or it is encrypted",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_INTERRUPT": "the query was interrupted",
    "SQLITE_TOOBIG": "a value is larger than SQLite allows",
}
