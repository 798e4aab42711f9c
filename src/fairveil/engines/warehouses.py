"""Warehouses: BigQuery, Snowflake, Databricks, Trino and ClickHouse, through a connection of Ibis.

Their queries are compiled and parsed in the tests, but none has run against a server. Where a warehouse keeps earlier
versions of a table, all queries read the version at the time of opening; otherwise a checksum is compared before and
after. Lookups are rows of VALUES inside the queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, urlencode

import pyarrow as pa

from fairveil.engines.native import BATCH_ROWS, Frame
from fairveil.engines.sql import Database
from fairveil.errors import BadInput, suggest

if TYPE_CHECKING:
    from fairveil.data.snapshot import State
    from fairveil.engines.addresses import Address


class Warehouse(Database):
    """A warehouse, by the Ibis connection to it."""

    version = ""
    """What stands after the name of a table to read an earlier version; "{now}" is the time of opening."""

    def __init__(self, connection: Any, now: datetime | None = None) -> None:
        super().__init__()
        self.connection = connection
        self.now = f"{now or datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
        self.consistent = bool(self.version)
        self.snapshot = f"the version of {self.now} UTC" if self.version else ""

    @classmethod
    def at(cls, address: Address) -> Self:
        import ibis

        login = quote(address.user, safe="") + (f":{quote(address.password, safe='')}" if address.password else "")
        place = f"{login}{'@' if login else ''}{address.host}{':' if address.port else ''}{address.port}"
        options = f"?{urlencode(address.options)}" if address.options else ""
        return cls(ibis.connect(f"{address.scheme}://{place}/{quote(address.path)}{options}"))

    @classmethod
    def beside(cls, connection: Any) -> Self:
        return cls(connection)

    def quoted(self, name: str) -> str:
        from sqlglot import exp

        return str(exp.to_identifier(name, quoted=True).sql(dialect=self.dialect))

    def table(self, name: str, columns: Sequence[str] | None = None) -> Frame:
        schema, _, table = name.rpartition(".")
        tables = self.connection.list_tables(database=schema or None)
        if table not in tables:
            raise BadInput(suggest(table, tables, "table"))
        types = self.connection.get_schema(table, database=schema or None)
        return self.versioned(name, {n: kind for n, kind in types.items() if columns is None or n in columns} or types)

    def versioned(self, name: str, types: Any) -> Frame:
        """A table at the version of this source."""
        columns = ", ".join(map(self.quoted, types))
        version = self.version.format(now=self.now)
        return self.source(f"SELECT {columns} FROM {self.path(name)}{version}", {n: str(t) for n, t in types.items()})

    def query(self, select: str) -> Frame:
        """A query of one's own reads whatever is current, so a checksum is compared before and after."""
        self.consistent, self.snapshot = False, ""
        types = self.connection._get_schema_using_query(select)
        return self.source(select, {n: str(t) for n, t in types.items()})

    def lookup(self, table: pa.Table) -> str:
        import ibis
        from sqlglot import exp

        kinds = ibis.Schema.from_pyarrow(table.schema)
        types = [type_mapper(self.dialect).from_ibis(kind) for kind in kinds.types]
        rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
        listed = rows or [(None,) * len(types)]
        values = [
            tuple(exp.cast(_literal(value), kind) for value, kind in zip(row, types, strict=True)) for row in listed
        ]
        names = [exp.to_identifier(name, quoted=True) for name in table.schema.names]
        select = exp.select(*(exp.column(name.copy()) for name in names)).from_(exp.values(values, "t", columns=names))
        return str((select if rows else select.where(exp.false())).sql(dialect=self.dialect))

    def state(self, frame: Frame) -> State:
        statement, schema = self.compiled(frame)
        [row] = pa.Table.from_batches(self.run(self.checksum(statement, schema), _COUNTS), _COUNTS).to_pylist()
        return tuple(row.values())

    def checksum(self, statement: str, schema: pa.Schema) -> str:
        """A query for the number of rows and a sum of their hashes, as texts."""
        raise NotImplementedError

    def stop(self) -> None:
        with suppress(Exception):
            self.connection.con.cancel()


class BigQuery(Warehouse):
    name = "BigQuery"
    dialect = "bigquery"
    driver = "google.cloud.bigquery"
    package = "ibis-framework[bigquery]"
    version = " FOR SYSTEM_TIME AS OF TIMESTAMP '{now}+00:00'"

    def run(self, statement: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        self._job = self.connection.client.query(statement)
        for batch in self._job.result(page_size=BATCH_ROWS).to_arrow_iterable():
            yield batch.cast(schema)

    def checksum(self, statement: str, schema: pa.Schema) -> str:
        return _counted("CAST(BIT_XOR(FARM_FINGERPRINT(TO_JSON_STRING(q))) AS STRING)", "STRING", statement)

    def stop(self) -> None:
        with suppress(Exception):
            self._job.cancel()


class Snowflake(Warehouse):
    name = "Snowflake"
    dialect = "snowflake"
    driver = "snowflake.connector"
    package = "ibis-framework[snowflake]"
    version = " AT (TIMESTAMP => '{now} +0000'::TIMESTAMP_TZ)"

    def run(self, statement: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        with self.connection.con.cursor() as cursor:
            for table in cursor.execute(statement).fetch_arrow_batches():
                yield from table.cast(schema).to_batches()

    def checksum(self, statement: str, schema: pa.Schema) -> str:
        return _counted("CAST(HASH_AGG(*) AS VARCHAR)", "VARCHAR", statement)


class Databricks(Warehouse):
    """Tables of Delta Lake have versions."""

    name = "Databricks"
    dialect = "databricks"
    driver = "databricks.sql"
    package = "ibis-framework[databricks]"
    version = " TIMESTAMP AS OF '{now}Z'"

    def run(self, statement: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        with self.connection.con.cursor() as cursor:
            cursor.execute(statement)
            while (table := cursor.fetchmany_arrow(BATCH_ROWS)).num_rows:
                yield from table.cast(schema).to_batches()

    def checksum(self, statement: str, schema: pa.Schema) -> str:
        cells = ", ".join(f"{q}, {q} IS NULL" for q in map(self.quoted, schema.names))
        return _counted(f"CAST(SUM(CAST(XXHASH64({cells}) AS DECIMAL(38, 0))) AS STRING)", "STRING", statement)


class Trino(Warehouse):
    """Only some connectors of Trino have versions, and a query does not tell which: a checksum is compared."""

    name = "Trino"
    dialect = "trino"
    driver = "trino"
    package = "ibis-framework[trino]"

    def run(self, statement: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        cursor = self.connection.con.cursor()
        self._cursor = cursor
        cursor.execute(statement)
        while rows := cursor.fetchmany(BATCH_ROWS):
            yield pa.RecordBatch.from_struct_array(pa.array(map(tuple, rows), type=pa.struct(list(schema))))

    def checksum(self, statement: str, schema: pa.Schema) -> str:
        cells = ", ".join(map(self.quoted, schema.names))
        return _counted(f"TO_HEX(CHECKSUM(ROW({cells})))", "VARCHAR", statement)

    def stop(self) -> None:
        with suppress(Exception):
            self._cursor.cancel()


class ClickHouse(Warehouse):
    """ClickHouse has no versions: a checksum is compared."""

    name = "ClickHouse"
    dialect = "clickhouse"
    driver = "clickhouse_connect"
    package = "ibis-framework[clickhouse]"

    def run(self, statement: str, schema: pa.Schema) -> Iterable[pa.RecordBatch]:
        # a row without a match has missing values, not zeros and empty texts
        with self.connection.con.query_arrow_stream(statement, settings={"join_use_nulls": 1}) as batches:
            for batch in batches:
                yield batch.cast(schema)

    def checksum(self, statement: str, schema: pa.Schema) -> str:
        return _counted("toString(sum(cityHash64(*)))", "String", statement)


_COUNTS = pa.schema([("size", pa.string()), ("hashes", pa.string())])


def _counted(hashes: str, text: str, statement: str) -> str:
    return f"SELECT CAST(COUNT(*) AS {text}) AS size, {hashes} AS hashes FROM ({statement}) AS q"


def type_mapper(dialect: str) -> Any:
    return import_module(f"ibis.backends.sql.compilers.{dialect}").compiler.type_mapper


def _literal(value: Any) -> Any:
    from sqlglot import exp

    if value is None:
        return exp.null()
    return exp.Literal.number(value) if type(value) in (int, bool) else exp.Literal.string(str(value))
