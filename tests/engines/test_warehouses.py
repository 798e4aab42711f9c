"""The queries of a run in the SQL of each warehouse: they parse there and, translated for DuckDB, give what memory
gives. None has run against a server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
import sqlglot
from sqlglot import exp

from fairveil.data.dialect import Dialect
from fairveil.engines import lazy_rows, open_data, source_of
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.warehouses import BigQuery, ClickHouse, Databricks, Snowflake, Trino, Warehouse
from tests.engines.test_databases import people, saved

KINDS = (BigQuery, Snowflake, Databricks, Trino, ClickHouse)


def translated(kind: type[Warehouse], statement: str, place: Any) -> pa.Table:
    """The result of a statement that was read in the warehouse's SQL and written in DuckDB's."""
    [tree] = sqlglot.parse(statement, dialect=kind.dialect, error_level=sqlglot.ErrorLevel.RAISE)
    assert isinstance(tree, exp.Query) and not list(tree.find_all(exp.Command))
    versions = [table for table in tree.find_all(exp.Table) if table.args.get("version") or table.args.get("when")]
    assert bool(versions) == ('FROM "people"' in statement.replace("`", '"') and bool(kind.version))
    for call in list(tree.find_all(exp.Anonymous)):  # ClickHouse's name of IS NULL
        if call.name.lower() == "isnull":
            call.replace(exp.Paren(this=exp.Is(this=call.expressions[0].copy(), expression=exp.null())))
    for table in versions:
        table.set("version", None)
        table.set("when", None)
    return place.sql(tree.sql(dialect="duckdb")).to_arrow_table()


@pytest.mark.parametrize("kind", KINDS)
def test_queries_of_a_run(kind: type[Warehouse], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb
    import ibis

    place, statements = duckdb.connect(), []
    place.register("people", people())

    def run(_: Warehouse, statement: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        statements.append(statement)
        yield from translated(kind, statement, place).cast(schema).to_batches()

    monkeypatch.setattr(kind, "run", run)
    monkeypatch.setattr(kind, "state", lambda *_: "the same")
    monkeypatch.setattr(lazy_rows, "FEW", 10**6)
    database = kind(None)
    frame = database.versioned("people", ibis.Schema.from_pyarrow(people().schema))
    source = open_data._lazy(frame, database, None, Dialect(), MemoryBudget(), None)
    assert saved(source, tmp_path / "there") == saved(people(), tmp_path / "here")
    assert source.sizes(["t"], named=True) == source_of(people()).sizes(["t"], named=True)
    assert any("JOIN" in each and re.search(r"VALUES|STRUCT\(|UNION ALL", each) for each in statements)
    assert database.consistent == (kind not in (Trino, ClickHouse)) and database.quoted("a") in ('"a"', "`a`")


@pytest.mark.parametrize("kind", KINDS)
def test_checksums(kind: type[Warehouse]) -> None:
    statement = kind(None).checksum("SELECT 1 AS a, 'x' AS b", pa.schema([("a", pa.int64()), ("b", pa.string())]))
    [tree] = sqlglot.parse(statement, dialect=kind.dialect, error_level=sqlglot.ErrorLevel.RAISE)
    assert isinstance(tree, exp.Query) and tree.named_selects == ["size", "hashes"]
