"""One body of tests, every engine: a table as a source in memory, on Polars, DuckDB, Spark and PostgreSQL."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from fairveil.engines import Source, source_of
from fairveil.engines.lazy import LazySource

ENGINES = ("polars", "duckdb", "spark", "postgres")
Opened = Callable[..., Any]
_numbers = itertools.count()


@pytest.fixture(scope="session", params=ENGINES)
def native(request: pytest.FixtureRequest) -> Callable[[pa.Table], Any]:
    """A table as a frame of the engine."""
    if request.param == "polars":
        import polars

        return lambda table: polars.from_arrow(table).lazy()
    if request.param == "duckdb":
        import duckdb

        connection = duckdb.connect()
        return connection.from_arrow
    if request.param == "spark":
        from pyspark.sql.pandas.types import from_arrow_schema

        session = request.getfixturevalue("spark")
        return lambda table: session.createDataFrame(table, from_arrow_schema(table.schema, prefer_timestamp_ntz=True))
    server = request.getfixturevalue("postgres")
    import ibis

    database = ibis.connect(server.url_with_password)
    return lambda table: database.create_table(f"t{next(_numbers)}", table)


@pytest.fixture
def opened(native: Callable[[pa.Table], Any]) -> Opened:
    """A table as a source on the engine, as a user would give it."""

    def open_it(table: pa.Table, **options: Any) -> Source:
        source = source_of(native(table), **options)
        assert isinstance(source, LazySource)
        return source

    return open_it
