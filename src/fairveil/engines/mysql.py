"""MySQL and MariaDB: one read-only transaction with a consistent snapshot, from opening a source to its end.

Only tables of InnoDB have snapshots; others are compared by a checksum before and after. Texts are compared by their
bytes, because MySQL's own comparisons take "a" and "A", or "a" and "a ", for the same. Lookups are JSON texts in
variables of the session, so a role needs no right but SELECT.
"""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fairveil.engines.native import BATCH_ROWS, Frame, first_sentence
from fairveil.engines.source_types import other
from fairveil.engines.sql import Database
from fairveil.engines.views import refuse_volatile
from fairveil.errors import BadInput, suggest

if TYPE_CHECKING:
    from fairveil.data.snapshot import State
    from fairveil.engines.addresses import Address

_BINARY, _UNSIGNED, _KEY = 63, 32, 3072
"""The number of the character set "binary", a flag of columns, and the longest key in bytes."""
_WHOLE = {1: "int8", 2: "int16", 9: "int32", 3: "int32", 8: "int64", 13: "int16"}
_TYPES = {5: "float64", 10: "date", 7: "timestamp(6)", 12: "timestamp(6)", 245: "json"}
_TEXTS = frozenset({15, 247, 248, 249, 250, 251, 252, 253, 254})


class MySQL(Database):
    """A connection to MySQL or MariaDB, with one transaction."""

    name = "MySQL"
    dialect = "mysql"
    driver = "pymysql"

    def __init__(self, **options: Any) -> None:
        import pymysql

        super().__init__()
        self.options = {**options, "charset": "utf8mb4", "autocommit": True}
        self.connection = pymysql.connect(**self.options)
        weakref.finalize(self, self.connection.close)
        self.name = "MariaDB" if "MariaDB" in self.connection.get_server_info() else "MySQL"
        self._execute("SET time_zone = '+00:00', sql_mode = '', group_concat_max_len = 1048576")
        self._execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        [(self.packet,)] = self._execute("SELECT @@max_allowed_packet")
        self._execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
        [(now,)] = self._execute("SELECT date_format(now(), '%Y-%m-%d %H:%i:%s')")
        self.snapshot = f"the transaction of {now} UTC"
        self._lookups = 0

    @classmethod
    def at(cls, address: Address) -> MySQL:
        parts = {"host": address.host, "user": address.user, "database": address.path, **address.options}
        parts["password"] = address.password or os.environ.get("MYSQL_PWD", "")
        options: dict[str, Any] = {key: value for key, value in parts.items() if value}
        if address.port:
            options["port"] = int(address.port)
        if (file := Path.home() / ".my.cnf").is_file():
            options["read_default_file"] = str(file)
        return cls(**options)

    @classmethod
    def beside(cls, connection: Any) -> MySQL:
        known = getattr(connection, "_con_kwargs", None)
        if not known:
            raise BadInput("MySQL is read on a connection of its own: give its URL and the name of a table")
        return cls(**{key: value for key, value in known.items() if value and key != "autocommit"})

    def quoted(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"

    def table(self, name: str, columns: Sequence[str] | None = None) -> Frame:
        schema, _, table = name.rpartition(".")
        try:
            names = self._columns(schema, table)
            if not names:
                tables = self._execute("SELECT table_name FROM information_schema.tables WHERE table_schema = "
                                       "coalesce(nullif(%s, ''), database())", schema)  # fmt: skip
                if table in [each for (each,) in tables]:
                    raise BadInput(f"the table {name!r} cannot be read: it needs the right SELECT")
                raise BadInput(suggest(table, [each for (each,) in tables], "table"))
            chosen = [name for name in names if columns is None or name in columns] or names
            engines = self._execute("SELECT engine FROM information_schema.tables WHERE table_name = %s AND "
                                    "table_schema = coalesce(nullif(%s, ''), database())", table, schema)  # fmt: skip
            self.consistent = engines == [("InnoDB",)]
            refuse_volatile(name, dict(self._execute("SELECT table_name, view_definition FROM information_schema.views "
                                                     "WHERE table_schema = database()")))  # fmt: skip
            return self.query(f"SELECT {', '.join(map(self.quoted, chosen))} FROM {self.path(name)}")
        except BadInput:
            raise
        except Exception as problem:
            raise BadInput(f"the table {name!r} cannot be read: {self.explain(problem)}") from None

    def _columns(self, schema: str, table: str) -> list[str]:
        rows = self._execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND table_schema = "
            "coalesce(nullif(%s, ''), database()) AND find_in_set('select', privileges) ORDER BY ordinal_position",
            table, schema,
        )  # fmt: skip
        return [name for (name,) in rows]

    def query(self, select: str) -> Frame:
        with self.connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM ({select}) q LIMIT 0")
            fields = cursor._result.fields
        types, columns = {}, []
        for each in fields:
            types[each.name], expression = self._typed(each)
            columns.append(f"{expression} AS {self.quoted(each.name)}")
        unread = {"": other("a type of MySQL"), "json": pa.json_()}
        special = {name: unread[kind] for name, kind in types.items() if kind in unread}
        return self.source(f"SELECT {', '.join(columns)} FROM ({select}) q", types, special)

    def _typed(self, column: Any) -> tuple[str, str]:
        """Ibis's type of a column, and the expression that is selected."""
        kind, quoted, unsigned = column.type_code, self.quoted(column.name), column.flags & _UNSIGNED
        if kind in _WHOLE:
            return ("uint64" if unsigned and kind == 8 else "int64" if unsigned else _WHOLE[kind]), quoted
        if kind == 4:  # single precision is printed with six digits
            return "float64", f"{quoted} + 0e0"
        if kind == 246:
            return f"decimal({column.length - (column.scale > 0) - (not unsigned)}, {column.scale})", quoted
        if kind in _TEXTS:
            if column.charsetnr == _BINARY:
                return "binary", quoted
            return "string", f"CAST(CONVERT({quoted} USING utf8mb4) AS BINARY)"
        return _TYPES.get(kind, ""), quoted

    def compiled(self, frame: Frame) -> tuple[str, pa.Schema]:
        self._execute(f"SELECT {', '.join(f'@fairveil_{n} := NULL' for n in range(self._lookups)) or 1}")
        self._lookups = 0
        return super().compiled(frame)

    def lookup(self, table: pa.Table) -> str:
        """JSON in one or more variables, because a packet has a maximum size."""
        columns = [_json_values(column) for column in table.columns]
        rows = [json.dumps(row, ensure_ascii=False) for row in zip(*columns, strict=True)]
        declared = ", ".join(
            f"{self.quoted(field.name)} {_json_type(field.type, column)} PATH '$[{position}]'"
            for position, (field, column) in enumerate(zip(table.schema, table.columns, strict=True))
        )
        selects = []
        for part in _parts(rows, self.packet // 4):
            variable = f"@fairveil_{self._lookups}"
            self._lookups += 1
            self._execute(f"SET {variable} = %s", f"[{','.join(part)}]")
            selects.append(f"SELECT * FROM JSON_TABLE({variable}, '$[*]' COLUMNS ({declared})) j")
        return " UNION ALL ".join(selects)

    def fetch(self, frame: Frame) -> pa.Table:
        statement, schema = self.compiled(frame)
        rows = self._execute(statement)
        return pa.Table.from_batches([_batch(rows, schema)] if rows else [], schema)

    def run(self, statement: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        from pymysql.cursors import SSCursor

        with self.connection.cursor(SSCursor) as cursor:
            cursor.execute(statement)
            while rows := cursor.fetchmany(BATCH_ROWS >> 3):
                yield _batch(rows, schema)

    def state(self, frame: Frame) -> State:
        """The number of rows and two sums of their checksums."""
        statement, schema = self.compiled(frame)
        each = ", ".join(f"coalesce(hex({self.quoted(name)}), '-')" for name in schema.names)
        checksum = f"crc32(concat_ws(',', {each}))"
        return self._execute(f"SELECT count(*), sum({checksum}), bit_xor({checksum}) FROM ({statement}) q")[0]

    def _execute(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self.connection.cursor() as cursor:
            cursor.execute(statement, values or None)
            return list(cursor.fetchall())

    def stop(self) -> None:
        import pymysql

        with suppress(Exception), pymysql.connect(**self.options) as other, other.cursor() as cursor:
            cursor.execute(f"KILL QUERY {int(self.connection.thread_id())}")

    @classmethod
    def explain(cls, problem: BaseException) -> str:
        """MySQL's messages may contain values, so its errors are named by their numbers."""
        if not type(problem).__module__.startswith("pymysql"):
            return first_sentence(problem)
        number = problem.args[0] if problem.args and isinstance(problem.args[0], int) else None
        if number in _NAMES_ONLY:
            return first_sentence(RuntimeError(str(problem.args[1])))
        return _MEANINGS.get(number or 0) or f"{type(problem).__name__}{'' if number is None else f' {number}'}"


_LOST = "the server ended the connection, and with it the state of the data that was read so far: open the source again"
_NAMES_ONLY = (1044, 1045, 1049, 1142, 1143, 2002, 2003)
"""Errors whose messages contain users, hosts and names of tables, but no values."""
_MEANINGS = {
    2006: _LOST, 2013: _LOST, 1927: _LOST, 1053: _LOST, 1205: "another session has locked the table: run again later",
    1969: "the query was ended by max_statement_time: ask for a longer one for this user",
    3024: "the query was ended by max_execution_time: ask for a longer one for this user",
    1317: "the query was interrupted", 1290: "this server may only read", 1792: "this transaction may only read",
    1146: "the table no longer exists", 1412: "the table was changed by ALTER TABLE: run again",
    1153: "a lookup is larger than max_allowed_packet: ask for a larger one", 1021: "the disk of the server is full",
}  # fmt: skip


def _batch(rows: Sequence[Any], schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_struct_array(pa.array(rows, type=pa.struct(list(schema))))


def _json_values(column: pa.ChunkedArray) -> list[Any]:
    plain = pa.types.is_integer(column.type) or pa.types.is_string(column.type) or pa.types.is_floating(column.type)
    return column.to_pylist() if plain else [None if v is None else str(v) for v in column.to_pylist()]


def _json_type(kind: pa.DataType, column: pa.ChunkedArray) -> str:
    if pa.types.is_string(kind):
        longest = max((len(v.encode()) for v in column.to_pylist() if v is not None), default=0)
        return f"VARBINARY({max(longest, 1)})" if longest <= _KEY else "LONGBLOB"
    if pa.types.is_decimal(kind):
        return f"DECIMAL({kind.precision}, {kind.scale})"
    for matches, name in ((pa.types.is_uint64, "BIGINT UNSIGNED"), (pa.types.is_integer, "BIGINT"),
                          (pa.types.is_floating, "DOUBLE"), (pa.types.is_date, "DATE")):  # fmt: skip
        if matches(kind):
            return name
    return "DATETIME(6)"


def _parts(rows: Sequence[str], size: int) -> Iterator[list[str]]:
    """Consecutive rows of at most so many characters in all; one empty part if there are no rows."""
    part: list[str] = []
    length = 0
    for row in rows:
        if part and length + len(row) > size:
            yield part
            part, length = [], 0
        part.append(row)
        length += len(row)
    yield part
