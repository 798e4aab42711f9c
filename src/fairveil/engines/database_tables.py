"""Writing published rows to a database table, atomically.

Everything happens in one transaction on a separate connection: a table with a random name is filled, counted, and
renamed in the last step. So nobody sees an incomplete table, and after a failure or a kill the database is unchanged.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
import pyarrow.csv

from fairveil.engines.native import first_sentence
from fairveil.errors import BadInput, Cancelled, Infeasible

if TYPE_CHECKING:
    import sqlite3

    from fairveil.engines.relation import Source

CHUNK = 1 << 17
"""Number of distinct rows fetched at once."""


class Transaction(Protocol):
    """A connection whose changes are invisible to others before `commit`."""

    def run(self, statement: str) -> None: ...

    def sql_type(self, name: str, type_: pa.DataType) -> str:
        """The database's name of a type; raises BadInput for a column whose type it lacks."""
        ...

    def append(self, table: str, piece: pa.Table) -> None: ...

    def fetch(self, query: str, types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
        """Yield the result piece by piece, its columns in these types."""
        ...

    def names(self, table: str) -> list[str] | None:
        """The columns of a table; None if it does not exist."""
        ...

    def commit(self) -> None: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...

    def explain(self, problem: BaseException) -> str:
        """Why a statement failed, in one sentence without a value."""
        ...


class NewTable:
    """A table that is written under a temporary name until `rename`."""

    def __init__(self, transaction: Transaction, name: str) -> None:
        self.transaction, self.name = transaction, name
        self.schema = name.rpartition(".")[0]
        self.aside = f"{self.schema}{'.' * bool(self.schema)}fairveil_{secrets.token_hex(8)}"

    def create(self, schema: pa.Schema) -> None:
        columns = ", ".join(f"{quoted(f.name)} {self.transaction.sql_type(f.name, f.type)}" for f in schema)
        self.transaction.run(f"CREATE TABLE {quoted_path(self.aside)} ({columns})")

    def append(self, piece: pa.Table) -> None:
        self.transaction.append(self.aside, piece)

    def counted(self, types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
        return counted(self.transaction, self.aside, types)

    def rename(self, *, overwrite: bool) -> None:
        """Rename it to its final name, which others see after `commit`."""
        if self.transaction.names(self.name) is not None:
            if not overwrite:
                raise BadInput(f"the table {self.name!r} already exists: choose another name, or overwrite it")
            self.transaction.run(f"DROP TABLE {quoted_path(self.name)}")
        last = self.name.rpartition(".")[2]
        self.transaction.run(f"ALTER TABLE {quoted_path(self.aside)} RENAME TO {quoted(last)}")


def counted(transaction: Transaction, table: str, types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
    """Yield the distinct rows of a table, with their counts in the last column."""
    columns = ", ".join(map(quoted, types))
    query = f"SELECT {columns}, count(*) FROM {quoted_path(table)} GROUP BY {columns}"
    # the name of the counts differs from every column name
    return transaction.fetch(query, {**types, "".join(types) + "#": pa.int64()})


def transaction_beside(source: Source) -> Transaction:
    """A transaction on the database that holds a source, or that its rows were fetched from."""
    engine = source.engine or getattr(source, "fetched_from", None)
    transaction = None if engine is None else engine.native.transaction()
    if transaction is None:
        raise BadInput(
            "a table is written into the database that holds the source, PostgreSQL, SQLite or DuckDB, and this source "
            "is in none of them: publish files"
        )
    return transaction


@contextmanager
def within(transaction: Transaction, what: str) -> Iterator[Transaction]:
    """Close the transaction, which undoes what was not committed; raise errors as a BadInput of one sentence."""
    try:
        yield transaction
    except (BadInput, Infeasible, Cancelled):
        raise
    except Exception as problem:
        raise BadInput(f"the database failed while {what}: {transaction.explain(problem)}") from None
    except BaseException:
        with suppress(Exception):
            transaction.stop()
        raise
    finally:
        with suppress(Exception):
            transaction.close()


class Postgres:
    """A PostgreSQL transaction, on a connection of its own."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def run(self, statement: str) -> None:
        self.connection.execute(statement.encode())

    def sql_type(self, name: str, type_: pa.DataType) -> str:
        return postgres_type(name, type_)

    def append(self, table: str, piece: pa.Table) -> None:
        text = pa.BufferOutputStream()  # a missing value is written as an empty field, an empty text as ""
        pa.csv.write_csv(_decoded(piece), text, pa.csv.WriteOptions(include_header=False))
        statement = f"COPY {quoted_path(table)} FROM STDIN (FORMAT csv)".encode()
        with self.connection.cursor() as cursor, cursor.copy(statement) as target:
            target.write(memoryview(text.getvalue()))

    def fetch(self, query: str, types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
        with self.connection.cursor(name=f"fairveil_{secrets.token_hex(4)}") as cursor:
            cursor.execute(query.encode())
            while rows := cursor.fetchmany(CHUNK):
                yield _typed(list(zip(*rows, strict=True)), types)

    def names(self, table: str) -> list[str] | None:
        table_id = self.connection.execute("SELECT to_regclass(%s)::text", (quoted_path(table),)).fetchone()
        if table_id is None or table_id[0] is None:
            return None
        with self.connection.execute(f"SELECT * FROM {quoted_path(table)} LIMIT 0".encode()) as cursor:
            return [column.name for column in cursor.description]

    def commit(self) -> None:
        self.connection.commit()

    def stop(self) -> None:
        self.connection.cancel()

    def close(self) -> None:
        self.connection.close()  # undoes what was not committed

    def explain(self, problem: BaseException) -> str:
        from fairveil.engines.postgres import PostgreSQL

        return PostgreSQL.explain(problem)


def postgres_type(name: str, type_: pa.DataType) -> str:
    """PostgreSQL's name of a type; raises BadInput for a column whose type it lacks."""
    if pa.types.is_decimal(type_):
        return f"numeric({type_.precision}, {type_.scale})"
    if pa.types.is_timestamp(type_):
        return "timestamp with time zone" if type_.tz else "timestamp"
    for matches, type_name in _POSTGRES:
        if matches(type_):
            return type_name
    raise BadInput(f"column {name!r} has {type_} values, for which PostgreSQL has no type: publish it as files")


_POSTGRES = (
    (pa.types.is_boolean, "boolean"), (pa.types.is_uint64, "numeric(20)"), (pa.types.is_integer, "bigint"),
    (pa.types.is_floating, "double precision"), (pa.types.is_string, "text"), (pa.types.is_date, "date"),
    (pa.types.is_time, "time"),
)  # fmt: skip


class DuckDBFile:
    """A DuckDB transaction, on a new connection to the same database."""

    def __init__(self, connection: Any, catalog: str | None = None) -> None:
        self.connection = connection.cursor()
        if catalog is not None:
            self.connection.execute(f"USE {quoted(catalog)}")
        self.connection.execute("BEGIN TRANSACTION")

    def run(self, statement: str) -> None:
        self.connection.execute(statement)

    def sql_type(self, name: str, type_: pa.DataType) -> str:
        [(_, type_name)] = [row[:2] for row in self.connection.from_arrow(pa.table({"a": pa.nulls(0, type_)})).query(
            "given", "DESCRIBE given").fetchall()]  # fmt: skip
        return str(type_name)

    def append(self, table: str, piece: pa.Table) -> None:
        self.connection.register("fairveil_piece", piece)
        try:
            self.connection.execute(f"INSERT INTO {quoted_path(table)} SELECT * FROM fairveil_piece")
        finally:
            self.connection.unregister("fairveil_piece")

    def fetch(self, query: str, types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
        for batch in self.connection.sql(query).to_arrow_reader(CHUNK):
            yield _typed(batch.columns, types)

    def names(self, table: str) -> list[str] | None:
        schema, _, name = table.rpartition(".")
        query = "SELECT column_name FROM information_schema.columns WHERE table_name = ? AND table_schema = "
        query += "coalesce(nullif(?, ''), current_schema()) ORDER BY ordinal_position"
        columns = self.connection.execute(query, [name, schema]).fetchall()
        return [row[0] for row in columns] or None

    def commit(self) -> None:
        self.connection.commit()

    def stop(self) -> None:
        self.connection.interrupt()

    def close(self) -> None:
        with suppress(Exception):  # there is no transaction after a commit
            self.connection.rollback()
        self.connection.close()

    def explain(self, problem: BaseException) -> str:
        return first_sentence(problem)


class SQLiteFile:
    """A SQLite transaction, on a connection of its own.

    Nobody else can write once it has begun, and it commits only when nobody reads, unless the file is in WAL mode. So
    the transaction of the `reader`, which has read its rows by then, ends before the commit, and a new one follows.
    """

    def __init__(self, path: str, reader: sqlite3.Connection) -> None:
        import sqlite3

        self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.connection.execute("PRAGMA cache_spill = off")  # which would write before the commit
        self.connection.execute("BEGIN IMMEDIATE")
        mode = str(reader.execute("PRAGMA journal_mode").fetchone()[0])
        self.reader = None if mode.lower() == "wal" else reader

    def run(self, statement: str) -> None:
        self.connection.execute(statement)

    def sql_type(self, name: str, type_: pa.DataType) -> str:
        for matches, type_name in _SQLITE:
            if matches(type_):
                return type_name
        raise BadInput(f"column {name!r} has {type_} values, for which SQLite has no type: publish it as files")

    def append(self, table: str, piece: pa.Table) -> None:
        holes = ", ".join("?" * piece.num_columns)
        columns = (column.to_pylist() for column in _decoded(piece).columns)
        rows = zip(*columns, strict=True)
        self.connection.executemany(f"INSERT INTO {quoted_path(table)} VALUES ({holes})", rows)

    def fetch(self, query: str, types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
        cursor = self.connection.execute(query)
        while rows := cursor.fetchmany(CHUNK):
            yield _typed(list(zip(*rows, strict=True)), types)

    def names(self, table: str) -> list[str] | None:
        schema, _, name = table.rpartition(".")
        query = "SELECT name FROM pragma_table_info(?, coalesce(nullif(?, ''), 'main'))"
        return [row[0] for row in self.connection.execute(query, (name, schema)).fetchall()] or None

    def commit(self) -> None:
        if self.reader is not None and self.reader.in_transaction:
            self.reader.execute("ROLLBACK")
        try:
            self.connection.execute("COMMIT")
        finally:
            if self.reader is not None:
                self.reader.execute("BEGIN")

    def stop(self) -> None:
        self.connection.interrupt()

    def close(self) -> None:
        self.connection.close()  # undoes what was not committed

    def explain(self, problem: BaseException) -> str:
        from fairveil.engines.sqlite import SQLite

        return SQLite.explain(problem)


_SQLITE = (
    (pa.types.is_boolean, "INTEGER"), (pa.types.is_integer, "INTEGER"), (pa.types.is_floating, "REAL"),
    (pa.types.is_string, "TEXT"),
)  # fmt: skip


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def quoted_path(name: str) -> str:
    """The quoted name of a table, or of schema.table."""
    schema, _, table = name.rpartition(".")
    return f"{quoted(schema)}.{quoted(table)}" if schema else quoted(table)


def _typed(columns: Sequence[Any], types: Mapping[str, pa.DataType]) -> pa.Table:
    arrays = []
    for (name, type_), values in zip(types.items(), columns, strict=True):
        try:
            arrays.append(values.cast(type_) if isinstance(values, pa.Array) else pa.array(values, type=type_))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            raise BadInput(f"column {name!r} of the table does not contain {type_} values") from None
    return pa.Table.from_arrays(arrays, names=list(types))


def _decoded(piece: pa.Table) -> pa.Table:
    columns = [c.cast(c.type.value_type) if pa.types.is_dictionary(c.type) else c for c in piece.columns]
    return pa.table(dict(zip(piece.schema.names, columns, strict=True)))
