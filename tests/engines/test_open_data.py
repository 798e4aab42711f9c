"""Files and tables are opened alike on every engine; what cannot be opened is said in one sentence, without secrets."""

from __future__ import annotations

import gzip
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import narwhals as nw
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import fairveil as fv
from fairveil.data.atomic import locked
from fairveil.data.dialect import Dialect
from fairveil.engines import InMemoryTable, Source, open_data, open_source, source_of
from fairveil.engines.addresses import Address
from fairveil.engines.duckdb import DuckDB
from fairveil.engines.lazy import LazySource
from fairveil.engines.native import interruptible
from fairveil.engines.postgres import PostgreSQL
from fairveil.engines.spills import SPILLS, spill_folder
from fairveil.errors import BadInput, Cancelled
from fairveil.progress import Progress

CSV = (
    'zip,age,number,day,"odd, name",note\n'
    '01234,31,1,2020-01-01,"a ""quoted"" one",é\n'
    "01234,31,1.0,2020-01-01,NA,\n"
    '99999, 40,2.50,2019-12-31,?,"two\nlines"\n'
    '10000,,-0,,"",x\n'
    "10000,040,0.0,2019-12-31, spaces ,x\n"
)


def same(one: Source, other: Source) -> None:
    assert one.names == other.names and one.rows == other.rows and one.dropped == other.dropped
    for name in one.names:
        assert one.domain(name).values.equals(other.domain(name).values), name
    assert rows_of(one) == rows_of(other)


def rows_of(source: Source) -> Counter[tuple[Any, ...]]:
    cells = source.count(source.names)
    columns = [column.to_pylist() for column in cells.table().to_arrow().columns]
    return Counter(dict(zip(zip(*columns, strict=True), cells.counts.tolist(), strict=True)))


OPTIONS: list[dict[str, Any]] = [
    {"missing_values": ["?", "NA"]},
    {"text": ["number"]},
    {"missing": "drop", "missing_values": ["?"]},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_texts_become_the_values_that_memory_reads(
    engine: str, options: dict[str, Any], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if engine == "spark":
        request.getfixturevalue("spark")
    (tmp_path / "t.csv").write_text(CSV)
    columns = ["number", "zip"] if "text" in options else None
    same(
        open_source(tmp_path / "t.csv", engine=engine, columns=columns, dialect=Dialect(**options)),
        InMemoryTable(fv.Table.read(tmp_path / "t.csv", columns=columns, **options)),
    )


def test_many_files_and_packed_ones(tmp_path: Path) -> None:
    frames = [pa.table({"a": [i, i + 1], "b": ["x", None]}) for i in range(3)]
    for number, frame in enumerate(frames):
        pa.parquet.write_table(frame, tmp_path / f"part {number}'s.parquet")
        text = "a,b\n" + "".join(f"{a},{b or ''}\n" for a, b in zip(*frame.to_pydict().values(), strict=True))
        (tmp_path / f"part-{number}.csv.gz").write_bytes(gzip.compress(text.encode()))
    whole = source_of(pa.concat_tables(frames))
    for pattern in ("part*.parquet", "part-?.csv.gz"):
        source = open_source(tmp_path / pattern)
        assert isinstance(source, LazySource)
        same(source, whole)
    with pytest.raises(BadInput, match="no file matches"):
        open_source(tmp_path / "none*.csv")
    pa.parquet.write_table(pa.table({"a": [1]}), tmp_path / "part 3's.parquet")
    with pytest.raises(BadInput, match=r"part 3's.parquet and .* do not have the same columns: only one has 'b'"):
        open_source(tmp_path / "part*.parquet")


def test_small_files_stay_in_memory_and_large_ones_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    assert isinstance(source_of(tmp_path / "t.csv"), InMemoryTable)
    monkeypatch.setattr(open_data, "LARGE", 10)
    assert isinstance(source_of(str(tmp_path / "t.csv")), LazySource)
    assert isinstance(source_of(tmp_path / "t.csv", rows=True), InMemoryTable)
    [verdict] = fv.check(tmp_path / "t.csv", fv.Schema(quasi=["zip"]), [fv.KAnonymity(2)])
    assert not verdict and verdict.values == {"zip": "99999"}


@pytest.mark.parametrize(
    ("place", "options", "message"),
    [
        ("t.csv", {"engine": "duckbd"}, "did you mean 'duckdb'"),
        ("t.csv", {"engine": "sql"}, "reads a URL and a table"),
        ("t.csv", {"table": "people"}, "is a file and has no table"),
        ("t.csv", {"engine": "duckdb", "memory": "lots"}, "memory must be a size of at least 1.5GB"),
        ("t.csv", {"engine": "duckdb", "columns": ["zipp"]}, "did you mean 'zip'"),
        ("twice.csv", {"engine": "duckdb"}, "differ only in upper and lower case"),
        ("ragged.csv", {"engine": "duckdb"}, "record 2 has 3 fields, and the header has 2"),
        ("none.csv", {"engine": "duckdb"}, "does not exist"),
        ("broken.parquet", {"engine": "duckdb"}, "is truncated, or is not a Parquet file"),
        ("postgresql://somebody@127.0.0.1:1/db", {}, "a URL needs the name of a table"),
        ("postgresql://somebody@127.0.0.1:1/db", {"table": "t"}, "no connection to postgresql://127.0.0.1:1/db"),
        ("postgresql://u:hunter2@host/db", {"table": "t"}, "contains a password: leave it out and set PGPASSWORD"),
        ("postgresql://u@host/db?password=hunter2", {"table": "t"}, "contains a password"),
        ("postgresql://u:${NOBODY_SET_THIS}@host/db", {"table": "t"}, "set it in the environment"),
    ],
)  # fmt: skip
def test_what_cannot_be_opened(place: str, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    (tmp_path / "twice.csv").write_text("a,A\n1,2\n")
    (tmp_path / "ragged.csv").write_text("a,b\n1,2\n1,2,3\n")
    (tmp_path / "broken.parquet").write_text("PAR1 it is not")
    with pytest.raises(BadInput) as problem:
        open_source(place if "://" in place else tmp_path / place, **options)
    assert message in str(problem.value) and "hunter2" not in str(problem.value) and "\n" not in str(problem.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:hunter2@h/db", "postgresql://u%3Ahunter2@h/db", "postgres://u%253ahunter2@h/db",
        "u:hunter2@h/db", "u%3Ahunter2@h/db", "snowflake://u@h/db?token=hunter2", "https://h/hunter2.csv?sig=hunter2", "s3://hunter2@b/f",
    ],
)  # fmt: skip
def test_a_url_in_the_place_of_a_file_is_not_repeated(url: str, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    ending = '[schema]\nquasi = ["a"]\n[[guards]]\nkind = "k-anonymity"\nk = 5\n'
    (tmp_path / "t.csv").write_text(CSV)
    joined = f"""[source]\npath = 't.csv'\n[[source.join]]\npath = '{url}'\non = 'a'\n"""
    for source in (f"[source]\npath = '{url}'\n", joined):
        plan.write_text("format = 1\n" + source + ending)
        with pytest.raises(BadInput) as problem:
            fv.Plan.read(plan).run()
        assert "hunter2" not in str(problem.value) and "\n" not in str(problem.value)


def test_passwords_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_PASSWORD", "hunter2")
    url = "postgresql://u:${MY_PASSWORD}@host/db"
    address = Address.of(url)
    assert address.password == "hunter2" and "hunter2" not in repr(address) + str(address)


def test_a_table_of_a_database(postgres: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    monkeypatch.setenv("PGPASSWORD", postgres.password)
    with psycopg.connect(postgres.url, password=postgres.password) as connection:
        connection.execute("create table guests (name text, age int2, paid numeric(8,2), raw bytea, at timestamptz)")
        connection.execute("insert into guests values ('a', 1, 2.5, '\\x00', now()), ('b', null, null, null, null)")
    source = open_source(postgres.url, table="guests")
    assert source.names == ["name", "age", "paid", "raw", "at"] and source.rows == 2
    assert source.domain("age").domain == [1, None] and str(source.domain("paid").values.type) == "decimal128(8, 2)"
    with pytest.raises(BadInput, match="column 'raw' has binary values, which cannot be published"):
        source.count(["raw"])
    assert postgres.password not in repr(source)
    with pytest.raises(BadInput, match="did you mean 'guests'"):
        open_source(postgres.url, table="guest")
    monkeypatch.setenv("PGPASSWORD", "another")
    with pytest.raises(BadInput, match=r"no connection to postgresql://127\.0\.0\.1") as problem:
        open_source(postgres.url, table="guests")
    assert "another" not in str(problem.value)


def test_a_connection_that_is_lost(postgres: Any) -> None:
    import ibis
    import psycopg

    database = ibis.connect(postgres.url_with_password)
    source = source_of(database.create_table("lost", pa.table({"a": [1, 2]})))
    with psycopg.connect(postgres.url, password=postgres.password, autocommit=True) as other:
        other.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() "
                      "and backend_type = 'client backend' and query not like '%%pg_terminate%%'")  # fmt: skip
    with pytest.raises(BadInput, match="PostgreSQL failed while counting"):
        source.count(["a"])


def counting(source: Source) -> tuple[threading.Thread, list[BaseException]]:
    """A thread that counts, and how that ends."""
    ended: list[BaseException] = []

    def count() -> None:
        try:
            source.count(["a"])
        except BaseException as problem:
            ended.append(problem)

    query = threading.Thread(target=count)
    query.start()
    return query, ended


def test_a_connection_that_is_lost_in_the_middle_of_a_query(postgres: Any, request: pytest.FixtureRequest) -> None:
    import psycopg

    source = source_of(SLOW["postgres"](request))
    assert isinstance(source, LazySource) and isinstance(source.native, PostgreSQL)
    query, ended = counting(source)
    with psycopg.connect(postgres.url, password=postgres.password, autocommit=True) as other:
        backend = source.native.connection.info.backend_pid
        running = f"select 1 from pg_stat_activity where pid = {backend} and state = 'active'"
        deadline = time.monotonic() + 20
        while not other.execute(running.encode()).fetchall() and time.monotonic() < deadline:
            time.sleep(0.02)
        other.execute(f"select pg_terminate_backend({backend})".encode())
    query.join(10)
    assert isinstance(ended[0], BadInput) and "PostgreSQL failed while counting 1 column: " in str(ended[0])
    assert "\n" not in str(ended[0])


SLOW: dict[str, Callable[[pytest.FixtureRequest], Any]] = {}


def slow(way: Callable[[pytest.FixtureRequest], Any]) -> Callable[[pytest.FixtureRequest], Any]:
    SLOW[way.__name__] = way
    return way


@slow
def duckdb(_: pytest.FixtureRequest) -> Any:
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar_print = false; SET enable_progress_bar = true")
    connection.execute("SET progress_bar_time = 0")
    return connection.sql("select (a.range * b.range) % 7 as a from range(1000000) a, range(1000000) b")


@slow
def postgres(request: pytest.FixtureRequest) -> Any:
    import ibis

    database = ibis.connect(request.getfixturevalue("postgres").url_with_password)
    return database.sql(
        "select a::bigint * b % 7 as a from generate_series(1, 1000000) a, generate_series(1, 100000) b"
    )


@slow
def spark(request: pytest.FixtureRequest) -> Any:
    session = request.getfixturevalue("spark")
    numbers = session.range(10_000_000)
    return numbers.crossJoin(numbers.withColumnRenamed("id", "b")).selectExpr("id * b % 7 as a")


@pytest.mark.parametrize("engine", SLOW)
def test_cancelling_stops_the_query(engine: str, request: pytest.FixtureRequest) -> None:
    said: list[str] = []
    progress = Progress(lambda _, what: said.append(what))
    source = source_of(SLOW[engine](request), progress=progress)
    query, ended = counting(source)
    deadline = time.monotonic() + 20
    while not any("%" in what for what in said) and time.monotonic() < deadline and engine != "postgres":
        time.sleep(0.02)
    assert query.is_alive() and said[0] == "counting 1 column"
    assert engine == "postgres" or "%" in said[-1], "PostgreSQL does not tell how far it is"
    time.sleep(0.3)
    progress.cancel()
    query.join(5)  # half a second where nothing else is done
    assert not query.is_alive() and isinstance(ended[0], Cancelled)


def test_what_spilled_is_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, others = tmp_path / f"{SPILLS}left", tmp_path / f"{SPILLS}others"
    left.mkdir()
    (left / "people").write_text("rows")
    others.mkdir()
    lock = locked(others)  # somebody else's, who is still at work, in any container
    mine = spill_folder()
    assert not left.exists() and mine.stat().st_mode & 0o777 == 0o700
    assert sorted(tmp_path.iterdir()) == sorted([mine, others])
    source = open_source(_written(tmp_path), engine="duckdb")
    assert len(list(tmp_path.glob(f"{SPILLS}*"))) == 3
    del source
    assert len(list(tmp_path.glob(f"{SPILLS}*"))) == 2
    assert lock is not None
    os.close(lock)


def test_csv_files_are_read_into_a_file_that_nobody_else_can_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    rows = 200_000
    (tmp_path / "people.csv").write_text("a,b\n" + "a text that is longer than twelve bytes,b\n" * rows)
    source = open_source(tmp_path / "people.csv", engine="duckdb")
    assert source.rows == rows
    [folder] = (tmp_path / "tmp").glob(f"{SPILLS}*")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert not [*folder.glob("rows*")], "a killed process would leave the rows behind"
    del source
    assert not list((tmp_path / "tmp").iterdir())


def _written(folder: Path) -> Path:
    pa.parquet.write_table(pa.table({"a": [1]}), folder / "t.parquet")
    return folder / "t.parquet"


def test_an_engine_that_fails_says_so_without_a_secret() -> None:
    expected = "DuckDB failed while trying: could not reach postgresql://u@h/db"
    with pytest.raises(BadInput, match=expected), interruptible(DuckDB(None), None, "trying"):
        raise RuntimeError("could not reach postgresql://u:hunter2@h/db\nand more")


def test_missing_nan_in_parquet_is_dropped(tmp_path: Path) -> None:
    table = pa.table({"x": [1.0, float("nan"), 200.0, None] * 500, "y": ["a"] * 2000})
    pa.parquet.write_table(table, tmp_path / "t.parquet", row_group_size=100)
    dropped = open_source(tmp_path / "t.parquet", engine="duckdb", dialect=Dialect("drop"))
    same(dropped, source_of(table, missing="drop"))


def test_narwhals_frames_and_kinds() -> None:
    import polars

    lazy = polars.LazyFrame({"a": [1, 2], "c": ["x", "y"]}, schema_overrides={"c": polars.Categorical})
    for given in (lazy, nw.from_native(lazy)):
        source = source_of(given)
        assert isinstance(source, LazySource) and source.domain("c").domain == ["x", "y"]
    assert isinstance(source_of(lazy.collect()), InMemoryTable)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("name", ["s[1]", "s*", "s?"])
def test_a_file_is_not_taken_for_a_pattern(name: str, engine: str, tmp_path: Path) -> None:
    for stem, values in ((name, [1, 2]), ("s1", [5])):
        table = pa.table({"a": values})
        pa.parquet.write_table(table, tmp_path / f"{stem}.parquet")
        pa.csv.write_csv(table, tmp_path / f"{stem}.csv")
    for ending in ("parquet", "csv"):
        assert open_source(tmp_path / f"{name}.{ending}", engine=engine).domain("a").domain == [1, 2]
