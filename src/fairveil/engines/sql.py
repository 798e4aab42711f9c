"""Databases: queries that Ibis compiles, run by one class for each kind of database on a connection of its own.

A source is a SELECT of its columns in types that every engine has. Lookups travel inside the queries. Both stand before
a compiled query as common table expressions, so a role that may only read is enough. Each class says how it connects,
what keeps all queries in one state, and what its errors mean.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Self

import narwhals as nw
import pyarrow as pa

from fairveil.engines.addresses import Address, refuse_password
from fairveil.engines.duckdb import DuckDB
from fairveil.engines.native import EngineAdapter, Frame
from fairveil.errors import BadInput, is_installed, need, suggest

__all__ = ["BACKENDS", "Database", "database_at", "database_beside", "database_of", "refuse_password"]

BACKENDS = {
    "postgres": "postgres.PostgreSQL", "postgresql": "postgres.PostgreSQL", "sqlite": "sqlite.SQLite",
    "mysql": "mysql.MySQL", "mariadb": "mysql.MySQL", "bigquery": "warehouses.BigQuery",
    "snowflake": "warehouses.Snowflake", "databricks": "warehouses.Databricks", "trino": "warehouses.Trino",
    "clickhouse": "warehouses.ClickHouse",
}  # fmt: skip
"""The class of each scheme of a URL, and of each of Ibis's backends."""


class Database(EngineAdapter):
    """A database with SQL. All its queries see one state, unless `consistent` is False."""

    consistent = True
    holds_frames = False
    dialect: str
    """Ibis's name of its SQL."""
    driver: str
    """The module of its driver."""
    package = ""
    """The package with its driver, where none of fairveil's extras has it."""

    def __init__(self) -> None:
        self._sources: dict[str, str] = {}
        self._special: dict[str, Mapping[str, pa.DataType]] = {}

    @classmethod
    @abstractmethod
    def at(cls, address: Address) -> Self:
        """Connect. Errors of the driver are raised as they are."""

    @classmethod
    @abstractmethod
    def beside(cls, connection: Any) -> Self:
        """Connect to the database of an Ibis connection once more, or share it where that is impossible."""

    @abstractmethod
    def table(self, name: str, columns: Sequence[str] | None = None) -> Frame:
        """A table, or some columns of it."""

    @abstractmethod
    def query(self, select: str) -> Frame:
        """The result of a SELECT."""

    @abstractmethod
    def lookup(self, table: pa.Table) -> str:
        """A SELECT that returns the rows of a small table."""

    @abstractmethod
    def run(self, statement: str, schema: pa.Schema) -> Iterable[pa.RecordBatch]:
        """Yield the result of a query batch by batch."""

    def source_types(self, frame: Frame) -> Mapping[str, pa.DataType]:
        return self._special[nw.to_native(frame).op().name]

    def bring(self, table: pa.Table) -> Frame:
        import ibis

        return nw.from_native(ibis.memtable(table))

    def fetch(self, frame: Frame) -> pa.Table:
        statement, schema = self.compiled(frame)
        return pa.Table.from_batches(self.run(statement, schema), schema)

    def batches(self, frame: Frame) -> Iterable[pa.RecordBatch]:
        return self.run(*self.compiled(frame))

    def source(self, select: str, types: Mapping[str, str], special: Mapping[str, pa.DataType] | None = None) -> Frame:
        """A SELECT as a frame, with its columns in these types of Ibis, "" for one that Ibis does not have; `special`
        has the types of columns that are read as texts, or cannot be read."""
        import ibis
        import ibis.expr.datatypes as dt

        known = {column: dt.dtype(kind) if kind else dt.unknown for column, kind in types.items()}
        name = f"fairveil_source_{next(_NUMBERS)}"
        self._sources[name], self._special[name] = select, special or {}
        return nw.from_native(ibis.table(known, name=name))

    def compiled(self, frame: Frame) -> tuple[str, pa.Schema]:
        """The query of a frame, and the types of its result."""
        import ibis
        import ibis.expr.operations as ops

        table = nw.to_native(frame)
        query = self.flat(str(ibis.to_sql(table, dialect=self.dialect)))
        parts = {op.name: self._sources[op.name] for op in table.op().find(ops.UnboundTable)}
        parts |= {op.name: self.lookup(op.data.to_pyarrow(op.schema)) for op in table.op().find(ops.InMemoryTable)}
        known = ", ".join(f"{self.quoted(name)} AS {self.inlined}({select})" for name, select in parts.items())
        rest = f", {query[4:]}" if query.startswith("WITH") else f" {query}"
        return f"WITH {known}{rest}", table.schema().to_pyarrow()

    def flat(self, query: str) -> str:
        """A compiled query as the database accepts it."""
        return query

    inlined = ""
    """What makes the database read a common table expression like a subquery."""

    def quoted(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def path(self, name: str) -> str:
        """The quoted name of a table, or of schema.table."""
        return ".".join(map(self.quoted, filter(None, name.rpartition(".")[::2])))


_NUMBERS = itertools.count()


class IbisDuckDB(DuckDB):
    """The DuckDB of an Ibis connection."""

    holds_frames = False

    def framed(self, table: pa.Table) -> Any:
        import ibis

        return ibis.memtable(table)


def backend(name: str) -> type[Database]:
    """The class of a kind of database; raises BadInput if there is none, or if a package is missing."""
    if name not in BACKENDS:
        raise BadInput(suggest(name, BACKENDS, "database"))
    need("ibis", "a database")
    module, _, owner = BACKENDS[name].partition(".")
    kind: type[Database] = getattr(import_module(f"fairveil.engines.{module}"), owner)
    if not kind.package:
        need(kind.driver, kind.name)
    elif not _is_installed(kind.driver):
        raise BadInput(f"{kind.name} needs {kind.package}, which is not installed: pip install '{kind.package}'")
    return kind


def _is_installed(module: str) -> bool:
    try:
        return is_installed(module)
    except ModuleNotFoundError:  # of the package that it is in
        return False


def database_at(url: str) -> Database:
    """A database, from its URL."""
    address = Address.of(url)
    kind = backend(address.scheme.partition("+")[0])
    try:
        return kind.at(address)
    except BadInput:
        raise
    except Exception as problem:
        raise BadInput(f"no connection to {address}: {_without(kind.explain(problem), address)}") from None


def database_beside(connection: Any) -> EngineAdapter:
    """The database of an Ibis connection."""
    if connection.name == "duckdb":
        return IbisDuckDB(connection.con)
    return backend(connection.name).beside(connection)


def database_of(table: Any) -> tuple[EngineAdapter, Frame]:
    """The database of an Ibis table, and the table as a frame."""
    connection = table.get_backend()
    if connection.name == "duckdb":
        connection._run_pre_execute_hooks(table)
        relation = connection.con.sql(connection.compile(table))
        return IbisDuckDB(connection.con), nw.from_native(relation)
    kind = backend(connection.name)
    try:
        database = kind.beside(connection)
        return database, database.query(str(connection.compile(table)))
    except BadInput:
        raise
    except Exception as problem:
        raise BadInput(f"{kind.name} failed while opening the table: {kind.explain(problem)}") from None


def _without(text: str, address: Address) -> str:
    """A text without the secrets of an address."""
    for secret in filter(None, address.secrets):
        text = text.replace(secret, "…")
    return text
