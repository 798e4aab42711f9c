"""SQL: a database table, through Ibis. Tested with PostgreSQL; other databases that Ibis supports should work.

A password is never part of a URL, a plan or an error: it comes from the environment.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import re
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import narwhals as nw
import pyarrow as pa

from fairveil.engines.native import BATCH_ROWS, EngineAdapter, Frame, first_sentence
from fairveil.errors import BadInput, need, suggest

if TYPE_CHECKING:
    from fairveil.engines.database_tables import Transaction

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_SECRETS = ("password", "passwd", "pwd", "token", "sslpassword", "secret")


class Database(EngineAdapter):
    """An Ibis connection."""

    name = "the database"

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.name = {"postgres": "PostgreSQL"}.get(connection.name, connection.name)
        self._brought: list[str] = []
        weakref.finalize(self, _LEFT.append, (connection, self._brought))

    @classmethod
    def at(cls, url: str) -> Database:
        refuse_password(url)
        need("ibis", "a database")
        import ibis

        location = redacted(url)
        try:
            return cls(ibis.connect(expanded(url)))
        except BadInput:
            raise
        except ImportError as problem:
            raise BadInput(f"{location} needs a driver that is not installed: {first_sentence(problem)}") from None
        except Exception as problem:
            raise BadInput(f"no connection to {location}: {first_sentence(problem)}") from None

    def table(self, name: str) -> Frame:
        schema, _, table = name.rpartition(".")
        try:
            return nw.from_native(self.connection.table(table, database=schema or None))
        except Exception:
            tables: list[str] = []
            with contextlib.suppress(Exception):
                tables = self.connection.list_tables(database=schema or None)
            raise BadInput(suggest(table, tables, "table")) from None

    def fetch(self, frame: Frame) -> pa.Table:
        return nw.to_native(frame).to_pyarrow()

    def bring(self, table: pa.Table) -> Frame:
        _drop_left()
        name = f"fairveil_{os.getpid()}_{next(_NUMBERS)}"
        self._brought.append(name)
        return nw.from_native(self.connection.create_table(name, table, temp=True))

    def batches(self, frame: Frame) -> Iterable[pa.RecordBatch]:
        batches: Iterable[pa.RecordBatch] = nw.to_native(frame).to_pyarrow_batches(chunk_size=BATCH_ROWS)
        return batches

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            (self.connection.con.interrupt if self.connection.name == "duckdb" else self.connection.con.cancel)()

    def transaction(self) -> Transaction | None:
        from fairveil.engines.database_tables import DuckDBFile, Postgres

        kinds: dict[str, Any] = {"postgres": Postgres, "duckdb": DuckDBFile}
        kind = kinds.get(self.connection.name)
        return None if kind is None else kind(self.connection.con)


_NUMBERS = itertools.count()
_LEFT: list[tuple[Any, list[str]]] = []
"""Connections, and the lookup tables that adapters left there when they were garbage-collected. A query inside garbage
collection could wait forever for the connection that this thread is using."""


@atexit.register
def _drop_left() -> None:
    """Drop the lookup tables that are no longer used."""
    while _LEFT:
        connection, names = _LEFT.pop()
        for name in names:
            with contextlib.suppress(Exception):  # the connection may be closed by now
                connection.drop_table(name, force=True)


def refuse_password(url: str) -> None:
    """Raise BadInput for a URL with a password: URLs are stored in plans and in the shell's history."""
    parts = urlsplit(_VARIABLE.sub("x", url))
    literal = urlsplit(url)
    written = (literal.password and not _VARIABLE.fullmatch(literal.password)) or any(
        key.lower() in _SECRETS and not all(map(_VARIABLE.fullmatch, values))
        for key, values in parse_qs(literal.query).items()
    )
    if written:
        variable = "PGPASSWORD" if parts.scheme.startswith("postgres") else "a variable"
        raise BadInput(
            f"the URL of {redacted(url)} contains a password: leave it out and set {variable} in the environment, or "
            "write ${NAME} in its place"
        )


def expanded(url: str) -> str:
    """The URL with its environment variables replaced by their values."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in os.environ:
            raise BadInput(f"{redacted(url)} uses ${{{match[1]}}}: set it in the environment")
        return os.environ[match[1]]

    return _VARIABLE.sub(value, url)


def redacted(url: str) -> str:
    """The URL without user, password and options."""
    parts = urlsplit(url)
    host = (parts.netloc.rpartition("@")[2]) or "this machine"
    return f"{parts.scheme}://{host}{parts.path}"
