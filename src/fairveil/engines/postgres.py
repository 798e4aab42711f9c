"""PostgreSQL: one read-only transaction, REPEATABLE READ, from opening a source to its end.

Nothing is written there: lookups are arrays inside the queries, so a role that may only read, on a hot standby, is
enough. Each query runs in a savepoint that is rolled back: the snapshot survives an error or a cancel, and no lock is
held between queries. A table that was truncated or rewritten in between is not the table of the snapshot, and refused.
"""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fairveil.data.types import FAR_TIMES, MAX_DIGITS
from fairveil.engines.native import BATCH_ROWS, Frame, first_sentence
from fairveil.engines.source_types import INTERVAL, other
from fairveil.engines.sql import Database
from fairveil.engines.views import DRAWN, refuse_volatile
from fairveil.errors import BadInput, UnreadableColumns, suggest

if TYPE_CHECKING:
    from fairveil.engines.addresses import Address
    from fairveil.engines.database_tables import Transaction

_SETTINGS = {"TimeZone": "UTC", "DateStyle": "ISO", "IntervalStyle": "postgres", "extra_float_digits": "1",
             "standard_conforming_strings": "on", "cursor_tuple_fraction": "1"}  # fmt: skip
"""Settings of the session on which the spelling of values depends, and which a role may have changed."""
_TYPES = {
    "bool": "boolean", "int2": "int16", "int4": "int32", "int8": "int64", "oid": "int64", "float4": "float32",
    "float8": "float64", "date": "date", "time": "time", "timestamp": "timestamp(6)", "bytea": "binary",
    "timestamptz": "timestamp('UTC', 6)", "json": "json", "jsonb": "json",
}  # fmt: skip
_READ = frozenset(_TYPES) - {"json", "jsonb"}
_TEXTS = frozenset({"text", "varchar", "bpchar", "name", "char", "citext", "uuid", "inet", "cidr", "macaddr"})


class PostgreSQL(Database):
    """A connection to PostgreSQL, with one transaction."""

    name = "PostgreSQL"
    dialect = "postgres"
    driver = "psycopg"
    inlined = "NOT MATERIALIZED "

    def __init__(self, connection: Any) -> None:
        super().__init__()
        self.connection = connection
        self._files: dict[int, int] = {}
        self._bytes = ""
        self.connection.prepare_threshold = None  # a pool between us and the server would mix statements up
        weakref.finalize(self, connection.close)

    @classmethod
    def at(cls, address: Address) -> PostgreSQL:
        import psycopg

        parts = {"host": address.host, "port": address.port, "user": address.user, "password": address.password,
                 "dbname": address.path}  # fmt: skip
        given = {key: value for key, value in parts.items() if value} | dict(address.options)
        return cls(psycopg.connect(**{"client_encoding": "utf8", **given}))

    @classmethod
    def beside(cls, connection: Any) -> PostgreSQL:
        database = cls(second_connection(connection.con))
        if connection.con.info.transaction_status != 0:
            return database
        with connection.con.cursor() as cursor:  # names mean there what they mean here
            [(path, role, login)] = cursor.execute(
                "SELECT current_setting('search_path'), current_user, session_user"
            ).fetchall()
        with database.connection.transaction():
            database._execute("SELECT set_config('search_path', %s, false)", path)
            if role != login:
                database._execute(f"SET ROLE {database.quoted(role)}")
        return database

    def table(self, name: str, columns: Sequence[str] | None = None) -> Frame:
        try:
            with self.connection.transaction():
                names = self._readable(name, columns)
                views = self._execute("SELECT viewname, definition FROM pg_views WHERE schemaname <> 'pg_catalog'")
            refuse_volatile(name, dict(views), DRAWN)
            self._begin(name)
            return self.query(f"SELECT {', '.join(map(self.quoted, names))} FROM {self.path(name)}")
        except BadInput:
            raise
        except Exception as problem:
            raise BadInput(f"the table {name!r} cannot be read: {self.explain(problem)}") from None

    def _readable(self, name: str, columns: Sequence[str] | None) -> list[str]:
        """The columns of a table that are asked for; raises BadInput if there is no such table, or no right."""
        import psycopg

        try:
            oid, role = self._execute("SELECT to_regclass(%s)::oid, current_user", self.path(name))[0]
        except psycopg.errors.InsufficientPrivilege:
            schema = name.rpartition(".")[0]
            raise BadInput(f"the table {name!r} needs the right USAGE on the schema {schema!r}") from None
        if oid is None:
            self._refuse_closed_schema(name)
            raise BadInput(suggest(name, self._tables(name.rpartition(".")[0]), "table"))
        rights = self._execute(
            "SELECT attname, has_column_privilege(attrelid, attnum, 'SELECT') FROM pg_attribute "
            "WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum", oid,
        )  # fmt: skip
        names = [column for column, _ in rights if columns is None or column in columns]
        if hidden := [column for column, allowed in rights if column in names and not allowed]:
            which = "it" if len(hidden) == len(rights) else f"the columns {', '.join(map(repr, hidden))} of it"
            raise UnreadableColumns(
                f"the role {role!r} may not read the table {name!r}: it needs the right SELECT on {which}"
                + ("" if which == "it" else ", or name only the columns that it may read"),
                names, hidden,
            )  # fmt: skip
        return names or [column for column, _ in rights]

    def _refuse_closed_schema(self, name: str) -> None:
        """Raise BadInput if the table is in a schema that this role may not use, where it cannot be seen."""
        closed = self._execute(
            "SELECT nspname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace "
            "WHERE relname = %s AND NOT has_schema_privilege(n.oid, 'USAGE') AND nspname = ANY("
            "regexp_split_to_array(replace(current_setting('search_path'), '\"', ''), ' *, *'))", name,
        )  # fmt: skip
        for (schema,) in closed:
            raise BadInput(f"the table {name!r} needs the right USAGE on the schema {schema!r}")

    def _tables(self, schema: str) -> list[str]:
        rows = self._execute(
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'f', 'p') AND CASE WHEN %s = '' "
            "THEN pg_table_is_visible(oid) AND relnamespace <> 'pg_catalog'::regnamespace "
            "ELSE relnamespace = to_regnamespace(%s) END ORDER BY relname", schema, self.quoted(schema or "x"),
        )  # fmt: skip
        return [f"{schema}{'.' * bool(schema)}{name}" for (name,) in rows]

    def _begin(self, table: str | None = None) -> None:
        """Begin the transaction; the first query takes the snapshot, while the table is locked."""
        import psycopg

        if self.connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            return
        self.connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        self.connection.read_only = True
        for setting, value in _SETTINGS.items():
            self.connection.execute(f"SET LOCAL {setting} = '{value}'")
        with self._statement() as cursor:
            if table is not None:  # LOCK TABLE asks for rights on all columns, and is not for every kind of table
                denied = psycopg.errors.InsufficientPrivilege, psycopg.errors.WrongObjectType
                with suppress(*denied), self.connection.transaction():
                    cursor.execute(f"LOCK TABLE {self.path(table)} IN ACCESS SHARE MODE".encode())
            [(now, loose)] = cursor.execute(
                "SELECT to_char(now(), 'YYYY-MM-DD HH24:MI:SS'), "
                "EXISTS (SELECT FROM pg_collation WHERE NOT collisdeterministic)"
            ).fetchall()
        self.snapshot = f"the transaction of {now} UTC"
        self._bytes = ' COLLATE "C"' if loose else ""  # which keeps the planner from using what it knows of a column

    @contextmanager
    def _statement(self, cursor: str = "") -> Iterator[Any]:
        """A cursor in a savepoint. Raises BadInput if a table is no longer the one that the first query read."""
        with (
            self.connection.transaction(force_rollback=True),
            self.connection.cursor(**({"name": cursor} if cursor else {})) as open_cursor,
        ):
            yield open_cursor
            for oid, file, known in self._execute(  # the function tells what is there now, pg_class what was
                "SELECT relation, pg_relation_filenode(relation), EXISTS (SELECT FROM pg_class WHERE oid = relation) "
                "FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relation >= 16384 "
                "AND pg_relation_filenode(relation) IS NOT NULL"
            ):
                if not known or self._files.setdefault(oid, file) != file:
                    raise BadInput("the table was truncated or rewritten while it was read: run again")

    def query(self, select: str) -> Frame:
        import psycopg

        self._begin()
        try:
            with self._statement() as cursor:
                cursor.execute(f"SELECT * FROM ({select}) q LIMIT 0".encode())
                described = cursor.description
        except psycopg.errors.UndefinedTable:
            raise BadInput(
                "the table is not visible to another connection, and PostgreSQL is read on a connection of its own: "
                "give a table or a query that is neither temporary nor made in memory"
            ) from None
        kinds = dict(self._execute(
            "SELECT oid, CASE typtype WHEN 'e' THEN 'text' WHEN 'b' THEN CASE WHEN typelem <> 0 AND typlen = -1 "
            "THEN 'array' ELSE typname END ELSE typname END FROM pg_type WHERE oid = ANY(%s)",
            [column.type_code for column in described],
        ))  # fmt: skip
        open_ended = [c.name for c in described if kinds[c.type_code] == "numeric" and c.precision is None]
        digits = self._digits(select, open_ended) if open_ended else {}
        types: dict[str, str] = {}
        special: dict[str, pa.DataType] = {}
        columns = []
        for column in described:
            kind, quoted = kinds[column.type_code], self.quoted(column.name)
            expression = quoted
            if kind in _TEXTS or kind == "interval":
                types[column.name], expression = "string", f"{quoted}::text{self._bytes}"
                special |= {column.name: INTERVAL} if kind == "interval" else {}
            elif kind == "numeric":
                precision, scale = digits.get(column.name, (column.precision, column.scale))
                long = precision > MAX_DIGITS
                types[column.name] = "" if long else f"decimal({precision}, {scale})"
                expression = f"nullif({quoted}, 'NaN')"
                special |= {column.name: pa.decimal256(MAX_DIGITS + 1, 0)} if long else {}
            elif kind == "array":
                types[column.name] = "array<string>"
            else:
                types[column.name] = _TYPES.get(kind, "")
                special |= {column.name: pa.json_() if "json" in kind else other(kind)} if kind not in _READ else {}
            columns.append(f"{expression} AS {quoted}")
        return self.source(f"SELECT {', '.join(columns)} FROM ({select}) q", types, special)

    def _digits(self, select: str, names: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Precision and scale of numeric columns that are declared without them, from their values."""
        each = (f"coalesce(max(scale({q})), 0), coalesce(max(length(nullif(trunc(abs({q})), 0)::text)), 0)"
                for q in map(self.quoted, names))  # fmt: skip
        with self._statement() as cursor:
            [row] = cursor.execute(f"SELECT {', '.join(each)} FROM ({select}) q".encode()).fetchall()
        return {
            name: (max(scale + whole, 1), scale) for name, scale, whole in zip(names, row[::2], row[1::2], strict=True)
        }

    def lookup(self, table: pa.Table) -> str:
        arrays = ", ".join(f"'{_array(column)}'::{_sql_type(column.type)}[]" for column in table.columns)
        names = ", ".join(map(self.quoted, table.schema.names))
        texts = (f"{q}{self._bytes} AS {q}" if pa.types.is_string(field.type) else q
                 for field in table.schema for q in [self.quoted(field.name)])  # fmt: skip
        return f"SELECT {', '.join(texts)} FROM unnest({arrays}) AS t({names})"

    def run(self, statement: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        with self._statement(f"fairveil_{secrets.token_hex(4)}") as cursor:
            cursor.execute(statement.encode())
            while rows := cursor.fetchmany(BATCH_ROWS):
                yield _batch(rows, schema)

    def _execute(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self.connection.execute(statement.encode(), values or None) as cursor:
            return list(cursor.fetchall()) if cursor.description else []

    def stop(self) -> None:
        with suppress(Exception):
            self.connection.cancel_safe(timeout=5)

    def transaction(self, *, writes: bool = True) -> Transaction | None:
        from fairveil.engines.database_tables import Postgres

        return Postgres(second_connection(self.connection))

    @classmethod
    def explain(cls, problem: BaseException) -> str:
        state = getattr(problem, "sqlstate", None)
        if state is None and type(problem).__name__ == "DataError":  # of psycopg, whose messages contain values
            return f"a column has {FAR_TIMES}: make them text, or leave the column out"
        if state is None and type(problem).__name__ in ("OperationalError", "InterfaceError"):
            said = first_sentence(problem, connecting=True)
            return _LOST if said in ("the connection is lost", "the connection is closed") else said
        if state == "42501":  # names a table or a schema, never a value
            return f"a right is missing: {problem.diag.message_primary}"  # type: ignore[attr-defined]
        return _MEANINGS.get(state or "") or (
            f"{type(problem).__name__}, SQLSTATE {state}" if state else first_sentence(problem)
        )


_LOST = "the server ended the connection, and with it the state of the data that was read so far: open the source again"
_MEANINGS = {
    "57014": "the query was ended by statement_timeout: ask for a longer one for this role, or a smaller table",
    "55P03": "another session has locked the table for longer than lock_timeout: run again later",
    "25P03": f"idle_in_transaction_session_timeout passed: {_LOST}", "25P04": f"transaction_timeout passed: {_LOST}",
    "57P01": _LOST, "57P02": _LOST, "57P03": "the server is starting or stopping: run again later",
    "57P05": _LOST, "08006": _LOST, "08003": _LOST, "25P02": _LOST,
    "40001": "a hot standby removed rows that were still needed: run again, or set hot_standby_feedback there",
    "25006": "this role or server may only read (default_transaction_read_only, or a hot standby): publish files",
    "53100": "the disk of the server is full", "53200": "the server has too little memory",
    "53300": "the server has too many connections", "28P01": "user and password do not match",
    "28000": "this user is not admitted", "3D000": "the database does not exist",
    "42P01": "the table no longer exists", "42703": "a column no longer exists",
    "54000": "the query is too large for the server",
}  # fmt: skip
"""What SQLSTATEs mean. PostgreSQL's own messages may contain values."""


def second_connection(connection: Any) -> Any:
    """A new connection to the same database, as the same user."""
    import psycopg

    return psycopg.connect(connection.info.dsn, password=connection.info.password or None)


def _batch(rows: list[tuple[Any, ...]], schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_struct_array(pa.array(rows, type=pa.struct(list(schema))))


def _sql_type(kind: pa.DataType) -> str:
    from fairveil.engines.database_tables import postgres_type

    return postgres_type("lookup", kind)


def _array(column: pa.ChunkedArray) -> str:
    """The values as the text of an array, inside quotes."""
    values = column.to_pylist()
    if pa.types.is_string(column.type):
        spelled = ('"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"' if v is not None else "NULL" for v in values)
        return "{" + ",".join(spelled).replace("'", "''") + "}"
    return "{" + ",".join("NULL" if v is None else f'"{v}"' for v in values) + "}"
