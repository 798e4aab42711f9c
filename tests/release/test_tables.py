"""A release whose rows are a table of the source's database: whole or not at all, verified there."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.engines import open_source
from fairveil.engines.database_tables import DuckDBFile, Postgres, SQLiteFile
from fairveil.errors import BadInput
from fairveil.release.verify import verify
from tests import real_parts

SCHEMA = fv.Schema(
    quasi=["age", "sex"], plain=["paid", "since", "at", "well", "note"], drop=["who"],
    hierarchies={"age": fv.hierarchy.intervals([0, 100], widths=(10, 50))},
)  # fmt: skip
_names = itertools.count()


def people(rows: int = 60) -> pa.Table:
    numbers = range(rows)
    return pa.table(
        {
            "who": [f"p{n}" for n in numbers],
            "age": [20 + n % 30 for n in numbers],
            "sex": [("F", "M")[n % 2] for n in numbers],
            "paid": pa.array([Decimal(n % 3) / 4 for n in numbers], pa.decimal128(10, 2)),
            "since": [date(2020, 1, 1 + n % 2) for n in numbers],
            "at": pa.array([datetime(2020, 1, 1, 12, n % 2) for n in numbers], pa.timestamp("us")),
            "well": [n % 4 == 0 for n in numbers],
            "note": [(None, "", 'a, "b"', "ü\n'")[n % 4] for n in numbers],
        }
    )


@dataclass(frozen=True)
class Database:
    """A database with people in a table of their own; `ask` gives the answer to a query on a connection of its own."""

    url: str
    table: str
    ask: Callable[[str], list[Any]]
    listing: str = "SELECT table_name FROM information_schema.tables"

    def tables(self) -> set[str]:
        return {name for (name,) in self.ask(self.listing) if "pg_" not in name}

    def release(self) -> fv.Release:
        source = open_source(self.url, table=self.table)
        return fv.search(source, SCHEMA, guards=[fv.KAnonymity(5)]).best("loss")


@pytest.fixture(params=["duckdb", "sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    name = f"people_{next(_names)}"
    if request.param == "duckdb":
        import duckdb

        path = tmp_path / "people.duckdb"
        with duckdb.connect(path) as connection:
            connection.register("given", people())
            connection.execute(f"CREATE TABLE {name} AS FROM given")

        def ask_duckdb(query: str) -> list[Any]:
            with duckdb.connect(path, read_only=query.startswith("SELECT")) as connection:
                return list(connection.execute(query).fetchall())

        yield Database(f"duckdb://{path}", name, ask_duckdb)
        return
    if request.param == "sqlite":
        file, plain = tmp_path / "people.db", (str, int, bool, type(None))

        def ask_sqlite(query: str) -> list[Any]:
            with closing(sqlite3.connect(file, isolation_level=None)) as connection:
                return connection.execute(query).fetchall()

        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("pragma journal_mode = wal")
            connection.execute(f"CREATE TABLE {name} ({', '.join(people().column_names)})")
            rows = ([v if isinstance(v, plain) else str(v) for v in row.values()] for row in people().to_pylist())
            connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * people().num_columns)})", rows)
        yield Database(f"sqlite:///{file}", name, ask_sqlite, "SELECT name FROM sqlite_master WHERE type = 'table'")
        return
    import psycopg
    import pyarrow.parquet as pq

    server: real_parts.Postgres = request.getfixturevalue("postgres")
    monkeypatch.setenv("PGPASSWORD", server.password)
    pq.write_table(people(), tmp_path / "people.parquet")
    real_parts.copy_parquet(tmp_path / "people.parquet", server, name)

    def ask(query: str) -> list[Any]:
        with psycopg.connect(server.url_with_password) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    yield Database(server.url, name, ask)


def test_the_table_holds_what_files_would_and_is_verified_where_it_is(database: Database, tmp_path: Path) -> None:
    release, table = database.release(), f"{database.table}_out"
    folder = release.save(tmp_path / "out", table=table).path
    files = release.save(tmp_path / "files", format="parquet").path
    assert {file.name for file in folder.iterdir()} == {"evidence.json", "recipe.json", "report.html"}
    told, of_files = (json.loads((f / "evidence.json").read_text()) for f in (folder, files))
    assert told["table"]["name"] == table and database.url not in json.dumps(told)
    same = set(told) - {"table", "files", "seal"}
    assert {key: told[key] for key in same} == {key: of_files[key] for key in same}
    columns = ", ".join(f'"{name}"' for name in told["types"])
    rows = database.ask(f"SELECT {columns} FROM {table}")
    import pyarrow.parquet as pq

    published = pq.read_table(files / "data.parquet")
    assert sorted(map(repr, rows)) == sorted(map(repr, zip(*(c.to_pylist() for c in published.columns), strict=True)))

    assert verify(folder, published=database.url)
    assert any("name the database" in problem for problem in verify(folder).problems)
    del release  # which keeps the database from being changed, in this process, too
    database.ask(f"ALTER TABLE {table} RENAME TO {table}_moved")
    assert any("does not exist" in problem for problem in verify(folder, published=database.url).problems)
    assert verify(folder, published=database.url, table=f"{table}_moved")
    database.ask(f"UPDATE {table}_moved SET sex = 'F'")
    problems = verify(folder, published=database.url, table=f"{table}_moved").problems
    assert any("was changed" in problem for problem in problems)
    with pytest.raises(BadInput, match="in a database, table"):
        fv.attack(folder)


def test_nothing_is_replaced_but_the_table_of_the_release_that_is(database: Database, tmp_path: Path) -> None:
    release, table = database.release(), f"{database.table}_out"
    before = database.tables()
    for overwrite in (False, True):
        with pytest.raises(BadInput, match="already exists"):
            release.save(tmp_path / "out", table=database.table, overwrite=overwrite)
    assert database.tables() == before and not (tmp_path / "out").exists()
    release.save(tmp_path / "out", table=table)
    with pytest.raises(BadInput, match="already"):
        release.save(tmp_path / "out", table=table)
    with pytest.raises(BadInput, match="not its release"):
        release.save(tmp_path / "other", table=table, overwrite=True)
    release.save(tmp_path / "out", table=table, overwrite=True)
    assert verify(tmp_path / "out", published=database.url)
    assert database.tables() == before | {table}
    assert len(database.ask(f"SELECT 1 FROM {database.table}")) == 60


@pytest.mark.parametrize("step", ["create", "append", "counted", "rename", "commit"])
def test_a_failure_at_any_step_leaves_nothing(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    from fairveil.engines import database_tables

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("the line is dead")

    release, before = database.release(), database.tables()
    for owner in (DuckDBFile, Postgres, SQLiteFile) if step == "commit" else (database_tables.NewTable,):
        monkeypatch.setattr(owner, step, fail)
    with pytest.raises(BadInput, match="the line is dead"):
        release.save(tmp_path / "out" / "there", table=f"{database.table}_out")
    assert database.tables() == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_connection_that_is_lost_in_the_middle(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairveil.engines import database_tables

    append = database_tables.NewTable.append

    def cut(*given: Any) -> None:
        append(*given)
        database.ask("select pg_terminate_backend(pid) from pg_stat_activity where query like 'COPY%'")

    release, before = database.release(), database.tables()
    monkeypatch.setattr(database_tables.NewTable, "append", cut)
    with pytest.raises(BadInput, match="the database failed while writing the table") as problem:
        release.save(tmp_path / "out", table=f"{database.table}_out")
    assert "\n" not in str(problem.value)
    assert database.tables() == before and not (tmp_path / "out").exists()


KILLED = """
import os, sys
import fairveil as fv
from fairveil.engines import open_source, database_tables
from tests.release.test_tables import SCHEMA
url, table, out, step = sys.argv[1:]
release = fv.search(open_source(url, table=table), SCHEMA, guards=[fv.KAnonymity(5)]).best("loss")
place = getattr(database_tables.NewTable, step)
def then_die(*given, **named):
    place(*given, **named)
    os.kill(os.getpid(), 9)
setattr(database_tables.NewTable, step, then_die)
release.save(out, table=table + "_out")
"""


@pytest.mark.parametrize("step", ["append", "rename"])
def test_a_kill_leaves_nothing_and_the_next_run_works(database: Database, tmp_path: Path, step: str) -> None:
    before, out = database.tables(), tmp_path / "out"
    words = [sys.executable, "-c", KILLED, database.url, database.table, str(out), step]
    assert subprocess.run(words, env={**os.environ}, cwd=Path(__file__).parents[2], check=False).returncode == -9
    deadline = time.monotonic() + 10
    while database.tables() != before and time.monotonic() < deadline:  # the server has to notice
        time.sleep(0.05)
    assert database.tables() == before and not out.exists()
    database.release().save(out, table=f"{database.table}_out")
    assert verify(out, published=database.url)
    assert [file.name for file in tmp_path.glob(".fairveil-*")] == []


def test_only_where_the_source_is_in_a_database(tmp_path: Path) -> None:
    release = fv.search(people(), SCHEMA, guards=[fv.KAnonymity(5)]).best("loss")
    with pytest.raises(BadInput, match="publish files"):
        release.save(tmp_path / "out", table="people")
    assert not (tmp_path / "out").exists()
