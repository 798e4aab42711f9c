"""Every database gives what memory gives, in one state, with the rights that people have."""

from __future__ import annotations

import gc
import json
import sqlite3
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.engines import lazy_rows, open_source, source_of
from fairveil.engines.native import first_sentence
from fairveil.errors import BadInput, is_installed
from tests import real_parts
from tests.engines.test_engines import ODD, rows_of
from tests.known import ANY_DANGER

SCHEMA = fv.Schema(
    quasi=["q", "n"], plain=["p", "t"], identifier=["id"],
    hierarchies={"n": fv.hierarchy.intervals([0, 40], widths=(10, 20))},
)  # fmt: skip
TEXTS = [text for text in ODD if text is None or len(text) < 100]


def people(rows: int = 400) -> pa.Table:
    """Values of the types that every database has, with what is easily confused."""
    rng = np.random.default_rng(1)
    return pa.table({
        "id": pa.array(np.arange(rows)),
        "q": pa.array([f"a{i % 4}" if i % 9 else None for i in range(rows)]),
        "n": pa.array(rng.integers(0, 40, rows), mask=rng.random(rows) < 0.05),
        "p": pa.array((rng.integers(0, 300, rows) / 7).tolist(), mask=rng.random(rows) < 0.1),
        "t": pa.array([TEXTS[i % len(TEXTS)] for i in range(rows)]),
    })  # fmt: skip


@dataclass
class Place:
    """A database: its URL, statements of its owner, and a user who may only read the table `people`."""

    url: str
    run: Callable[..., Any]
    reader: str


CREATE = "create table people (id bigint, q {text}, n bigint, p double precision, t {text})"


@pytest.fixture(params=["sqlite", "postgres", "mariadb"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A database with the table `people`."""
    rows = list(zip(*people().to_pydict().values(), strict=True))
    if request.param == "sqlite":
        with closing(sqlite3.connect(tmp_path / "people.db", isolation_level=None)) as owner:
            owner.execute("pragma journal_mode = wal")
            owner.execute(CREATE.format(text="text collate nocase"))
            owner.executemany("insert into people values (?, ?, ?, ?, ?)", rows)
            url = f"sqlite:///{tmp_path}/people.db"
            yield Place(url, owner.execute, url)
        return
    server, number = request.getfixturevalue(request.param), ", ".join(["%s"] * 5)
    if request.param == "postgres":
        import psycopg

        monkeypatch.setenv("PGPASSWORD", server.password)
        with psycopg.connect(server.url_with_password, autocommit=True) as owner:
            owner.execute("drop table if exists people")
            owner.execute(CREATE.format(text="text"))
            owner.cursor().executemany(f"insert into people values ({number})", rows)
            owner.execute(f"drop role if exists reader; create role reader login password '{server.password}'")
            owner.execute("grant select on people to reader")
            owner.execute("revoke temporary on database postgres from public")
            owner.execute("alter role reader set default_transaction_read_only = on")
            yield Place(server.url, owner.execute, server.url.replace("steward", "reader"))
            owner.execute("drop table people; drop owned by reader; drop role reader")
        return
    import pymysql

    with pymysql.connect(**server.login) as owner, owner.cursor() as cursor:
        cursor.execute("drop table if exists people")
        cursor.execute(CREATE.format(text="longtext character set utf8mb4") + " engine = innodb")
        cursor.executemany(f"insert into people values ({number})", rows)
        cursor.execute(f"create or replace user reader@localhost identified by '{server.password}'")
        cursor.execute("grant select on people.people to reader@localhost")
        yield Place(server.url(), cursor.execute, server.url("reader"))


def on_engine(url: str) -> Any:
    return open_source(url, table="people")


def saved(source: Any, folder: Path) -> dict[str, bytes]:
    release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.05)]).best("loss")
    path = release.save(folder, format="parquet", accept=ANY_DANGER).path
    return {name: (path / name).read_bytes() for name in ("data.parquet", "recipe.json", "evidence.json")}


@pytest.mark.parametrize("few", [False, True])
def test_a_role_that_may_only_read_publishes_what_memory_publishes(
    place: Place, few: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = people()
    source = on_engine(place.reader)
    assert source.names == table.column_names and source.rows == table.num_rows
    assert rows_of(source, table.column_names) == rows_of(source_of(table), table.column_names)
    monkeypatch.setattr(lazy_rows, "FEW", 1 if few else 10**6)
    assert saved(open_source(place.reader, table="people"), tmp_path / "there") == saved(table, tmp_path / "here")


def test_others_commit_between_the_queries(place: Place, tmp_path: Path) -> None:
    source = on_engine(place.reader)
    rows = source.rows
    place.run("update people set p = 1000 + p, t = 'new' where n < 20")
    place.run("delete from people where q = 'a1'")
    assert saved(source, tmp_path / "there") == saved(people(), tmp_path / "here")
    assert "transaction" in str(source.snapshot)
    assert open_source(place.reader, table="people").rows < rows


def test_a_connection_is_closed_when_nobody_uses_its_source(place: Place, tmp_path: Path) -> None:
    """Not only when Python collects cycles: others may wait for a table that a transaction reads."""

    def used() -> weakref.ref[Any]:
        source = on_engine(place.reader)
        saved(source, tmp_path / "there")
        return weakref.ref(source.native)

    gc.collect()
    gc.disable()
    try:
        assert used()() is None
    finally:
        gc.enable()


def test_what_is_not_there_or_not_allowed(place: Place) -> None:
    with pytest.raises(BadInput, match="no table 'peple': did you mean 'people'"):
        open_source(place.url, table="peple")
    if place.url != place.reader:
        place.run("create table secret_one (a int)")
        try:
            with pytest.raises(BadInput, match=r"secret_one.*SELECT|no table 'secret_one'") as problem:
                open_source(place.reader, table="secret_one")
            assert "postgres" not in place.url or "no table" not in str(problem.value)
        finally:
            place.run("drop table secret_one")


def test_cancelled_queries_leave_the_snapshot(place: Place) -> None:
    source = on_engine(place.reader)
    batches = source.engine.native.batches(source.engine.frame)
    next(iter(batches))
    del batches
    source.engine.native.stop()
    assert source.count(["q"]).counts.sum() == 400


def test_an_ibis_table_comes_back_as_one(postgres: Any) -> None:
    import ibis

    connection = ibis.connect(postgres.url_with_password)
    connection.create_table("given_table", people(), overwrite=True)
    release = fv.search(connection.table("given_table"), SCHEMA, guards=[fv.KAnonymity(3)]).best("loss")
    exact = fv.search(people(), SCHEMA, guards=[fv.KAnonymity(3)]).best("loss").to_frame()
    frame = release.to_frame()
    assert isinstance(frame, ibis.Table) and frame.to_pyarrow().cast(exact.schema).equals(exact)
    connection.create_table("temporary_one", people(), temp=True)
    with pytest.raises(BadInput, match="not visible to another connection"):
        source_of(connection.table("temporary_one"))


def test_an_ibis_table_of_duckdb_comes_back_as_one() -> None:
    import ibis

    connection = ibis.duckdb.connect()
    given = connection.create_table("given_table", people())
    frame = _released(given).to_frame()
    assert isinstance(frame, ibis.Table) and frame.to_pyarrow().cast(_exact().schema).equals(_exact())
    assert connection.con.sql("SELECT name FROM (SHOW TABLES)").fetchall() == [("given_table",)]


def test_a_frame_of_spark_comes_back_as_one(spark: Any) -> None:
    frame = _released(spark.createDataFrame(people())).to_frame()
    assert type(frame).__name__ == "DataFrame" and frame.sparkSession is not None
    found = frame.toArrow().cast(_exact().schema)
    assert sorted(map(str, found.to_pylist())) == sorted(map(str, _exact().to_pylist()))


def _released(given: Any) -> fv.Release:
    return fv.search(given, SCHEMA, guards=[fv.KAnonymity(3)]).best("loss")


def _exact() -> pa.Table:
    table: pa.Table = _released(people()).to_frame()
    return table


def test_a_relation_that_is_read_once_leaves_nothing_on_the_connection() -> None:
    import duckdb

    connection = duckdb.connect()
    connection.register("people", people())
    relation = connection.sql("SELECT *, uuid() AS code FROM people")
    schema = fv.Schema(quasi=["q"], plain=["p"], identifier=["id", "code"], drop=["n", "t"])
    release = fv.search(relation, schema, guards=[fv.KAnonymity(3)]).best("loss")
    frame = release.to_frame()
    with pytest.raises(BadInput):
        fv.search(relation, fv.Schema(quasi=["nothing"]), guards=[fv.KAnonymity(3)])
    assert "fairveil_" in str(connection.sql("SELECT name FROM (SHOW TABLES)").fetchall())
    del release
    gc.collect()
    assert connection.sql("SELECT name FROM (SHOW TABLES)").fetchall() == [("people",)]
    assert len(frame.fetchall()) == 400


def refusal(work: Callable[[], Any]) -> str:
    with pytest.raises(BadInput) as problem:
        work()
    assert "\n" not in str(problem.value)
    return str(problem.value)


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_missing_rights_are_named(place: Place, tmp_path: Path) -> None:
    place.run("create schema if not exists hidden")
    place.run("create table hidden.visits as select 'a' q")
    place.run("create table partly (q text, salary int)")
    place.run("insert into partly select 'a' || i % 2, i from generate_series(1, 8) i")
    place.run("grant select (q) on partly to reader")
    try:
        assert "right USAGE on the schema 'hidden'" in refusal(lambda: open_source(place.reader, table="hidden.visits"))
        place.run("alter role reader set search_path = hidden, public")
        assert "right USAGE on the schema 'hidden'" in refusal(lambda: open_source(place.reader, table="visits"))
        said = refusal(lambda: open_source(place.reader, table="partly"))
        assert "'reader' may not read" in said and "SELECT on the columns 'salary'" in said
        assert open_source(place.reader, table="partly", columns=["q"]).count(["q"]).counts.tolist() == [4, 4]
        source = on_engine(place.reader)
        release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.05)]).best("loss")
        said = refusal(lambda: release.save(tmp_path / "into", table="published", accept=ANY_DANGER))
        assert "may only read" in said
        place.run("alter role reader reset default_transaction_read_only")
        said = refusal(lambda: release.save(tmp_path / "into", table="published", accept=ANY_DANGER))
        assert "a right is missing: permission denied for schema public" in said
        place.run("create view slow as select 'a' q, pg_sleep(1)::text t; grant select on slow to reader")
        place.run("alter role reader set statement_timeout = '100ms'")
        assert "statement_timeout" in refusal(lambda: open_source(place.reader, table="slow").count(["t"]))
    finally:
        place.run("drop view if exists slow; drop table partly; drop schema hidden cascade")
        place.run("alter role reader reset all")


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_check_reads_only_the_columns_that_it_needs(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    place.run("create table partly (q text, sex text, salary int, patient_id int)")
    place.run("insert into partly select 'a' || i % 2, 'F', i, i / 2 from generate_series(1, 8) i")
    place.run("grant select (q, sex) on partly to reader")
    words = ["check", place.reader, "--table", "partly", "--json"]
    try:
        assert run([*words, "--quasi", "q,sex", "--k", "4"]) == 0
        notes = json.loads(capsys.readouterr().out)["notes"]
        assert notes == ["'patient_id' may not be read, so persons with several rows are not noticed by it"]
        assert run([*words, "--quasi", "q,salary", "--k", "4"]) == 2
        assert "SELECT on the columns 'salary' of it" in capsys.readouterr().err
        assert run([*words, "--quasi", "q,celery", "--k", "4"]) == 2
        assert "no column 'celery'" in capsys.readouterr().err
        place.run("grant select (patient_id) on partly to reader")
        assert run([*words, "--quasi", "q,sex", "--k", "4"]) == 0
        assert "'patient_id' repeats" in json.loads(capsys.readouterr().out)["notes"][0]
    finally:
        place.run("drop table partly")


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_an_original_of_which_only_the_columns_of_the_release_may_be_read(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place.run("create table partly (q text, sex text, salary int)")
    place.run("insert into partly select 'a' || i % 2, 'F', i from generate_series(1, 40) i")
    place.run("grant select (q, sex) on partly to reader")
    try:
        source = open_source(place.reader, table="partly", columns=["q", "sex"])
        release = fv.search(source, fv.Schema(quasi=["q", "sex"]), guards=[fv.KAnonymity(3)]).best("loss")
        folder = release.save(tmp_path / "out", format="parquet", accept=ANY_DANGER).path
        for command in (["attack"], ["utility", "--resamples", "5"]):
            printed = []
            for user in (place.reader, place.url):
                words = [*command, str(folder), "--original", user, "--original-table", "partly", "--json"]
                assert run(words) in (0, 1), capsys.readouterr().err
                printed.append(json.loads(capsys.readouterr().out))
            assert printed[0] == printed[1]
            place.run("revoke select (q) on partly from reader")
            assert run([*words[:-4], place.reader, *words[-3:]]) == 2
            assert "SELECT on the columns 'q', 'salary' of it" in capsys.readouterr().err
            place.run("grant select (q) on partly to reader")
    finally:
        place.run("drop table partly")


def test_a_view_that_draws_anew_is_refused(place: Place) -> None:
    """Also where another view reads it: no transaction keeps one state of that."""
    draw = "rand" if "mysql" in place.url else "random"
    place.run(f"create view drawn as select q, {draw}() > 0.5 luck from people")
    place.run("create view above as select * from drawn")
    place.run("create view calm as select q, n from people")
    try:
        assert open_source(place.url, table="calm").count(["q"]).counts.sum() == 400
        for view in ("drawn", "above"):
            assert "'drawn' computes other values" in refusal(partial(open_source, place.url, table=view))
    finally:
        for view in ("above", "drawn", "calm"):
            place.run(f"drop view {view}")


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_hot_standby_publishes_what_memory_publishes(place: Place, postgres: Any, tmp_path: Path) -> None:
    import psycopg

    with real_parts.hot_standby(postgres) as standby:
        source: Any = open_source(standby.url, table="people")
        place.run("update people set p = 1000 + p where n < 20")  # which the standby replays meanwhile
        assert saved(source, tmp_path / "there") == saved(people(), tmp_path / "here")
        release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.05)]).best("loss")
        said = refusal(lambda: release.save(tmp_path / "into", table="published", accept=ANY_DANGER))
        assert "may only read" in said and "standby" in said
        with psycopg.connect(standby.url_with_password, autocommit=True) as owner:
            owner.execute("alter system set max_standby_streaming_delay = 0")
            owner.execute("select pg_reload_conf()")
            source = open_source(standby.url, table="people")
            release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.05)]).best("loss")
            process = source.engine.native.connection.info.backend_pid
            idle = "pid <> pg_backend_pid() and state = 'idle in transaction'"  # a vacuum keeps what they may still see
            place.run(f"select pg_terminate_backend(pid) from pg_stat_activity where {idle}")
            place.run("delete from people where n < 20")
            running = "select from pg_stat_activity where pid = %s"
            deadline = time.monotonic() + 60
            while owner.execute(running, [process]).fetchone() is not None and time.monotonic() < deadline:
                place.run("vacuum people")  # the standby does not wait: it ends who still needs these rows
                time.sleep(0.02)
        said = refusal(lambda: release.save(tmp_path / "out", format="parquet", accept=ANY_DANGER))
        assert "open the source again" in said or "run again" in said
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_timeouts_of_the_server_are_one_sentence(place: Place, tmp_path: Path) -> None:
    place.run("alter role reader set lock_timeout = '50ms'")
    source = on_engine(place.reader)
    release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.05)]).best("loss")
    place.run("begin")
    place.run("lock table people in access exclusive mode")  # before opening, between two queries, while writing
    works: list[Callable[[], Any]] = [
        partial(on_engine, place.reader),
        partial(source.count, ["q", "p"]),
        lambda: release.save(tmp_path / "out", format="parquet", accept=ANY_DANGER),
    ]
    for work in works:
        assert "locked the table for longer than lock_timeout: run again later" in refusal(work)
    assert not (tmp_path / "out").exists()
    place.run("rollback")
    assert source.count(["q", "p"]).counts.sum() == 400  # its state is still there
    place.run("alter role reader set idle_in_transaction_session_timeout = '20ms'")
    source = on_engine(place.reader)
    process = source.engine.native.connection.info.backend_pid
    while place.run("select from pg_stat_activity where pid = %s", [process]).fetchone() is not None:
        place.run("select pg_sleep(0.02)")
    works = [partial(source.count, ["q"]), lambda: source.rows, partial(saved, source, tmp_path / "out")]
    for work in works:
        assert "the server ended the connection" in refusal(work)
    assert not list(tmp_path.iterdir())
    place.run("alter role reader reset all")


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_table_that_is_truncated_or_replaced_is_refused(place: Place) -> None:
    another = "drop table people; create table people as select 'a' q, 1 id, 2 n, 3.0 p, 'x' t"
    for statement in ("truncate people", another, "alter table people alter n type numeric"):
        source = open_source(place.url, table="people")
        place.run(statement)  # no lock is held between queries
        said = refusal(partial(source.count, ["q"]))
        assert "truncated or rewritten" in said or "no longer" in said


KEYS = ("private_key", "passcode", "credentials", "access_token", "api_key", "PASSWORD", "other", "sslpassword", "pwd")
SECRETS = [
    "postgresql://u:hunter2@h/db", "postgresql://u%3Ahunter2@h/db", "postgresql://u:p/hunter2@h/db",
    "postgresql://u:p?hunter2@h/db", "postgresql://u:p#hunter2@h/db", "postgresql://u:hunter2",
    "postgresql://u:p[hunter2@h/db", "jdbc:postgresql://h/db;password=hunter2", "postgresql://h/db;PASSWORD=hunter2",
    "postgresql://h/password=hunter2", "postgresql://h/db#password=hunter2", "postgresql://u:${P}hunter2@h/db",
    "postgresql://h/db?sslmode=require;password=hunter2", "postgresql://h/db?options=-c%20x.password=hunter2",
    "host=h user=u password=hunter2", "md:x?motherduck_token=hunter2", "duckdb://md:x?motherduck_token=hunter2",
    *(f"{kind}://u@h/db?{key}=hunter2" for kind in ("snowflake", "bigquery", "databricks", "mysql") for key in KEYS),
    *(f"{start}u:hunter2@h/db" for start in ("", "//", "postgresql:", "postgresql:/", "postgresql//", " postgresql://")),
    "duckdb://:hunter2@/people.duckdb", "sqlite://:hunter2@/people.db",
]  # fmt: skip


@pytest.mark.parametrize("url", SECRETS)
def test_a_secret_in_a_location_is_refused_and_not_repeated(url: str) -> None:
    assert "hunter2" not in refusal(lambda: open_source(url, table="t"))


@pytest.mark.parametrize(
    "url", ["md:", "md:clinic", "MD:clinic", "motherduck:clinic", "duckdb:md:clinic", "duckdb:///md:x"]
)
def test_motherduck_is_refused_by_name(url: str) -> None:
    assert refusal(lambda: open_source(url, table="t")).startswith("MotherDuck is not supported")
    assert refusal(lambda: open_source(url)).startswith("MotherDuck is not supported")


FACES = {
    "profile": ("{url}", "--table", "t"), "check": ("{url}", "--table", "t", "--quasi", "q", "--k", "2"),
    "init": ("{url}", "--table", "t"), "explore": ("{plan}",), "release": ("{plan}", "--out", "{out}", "--json"),
    "verify": ("{folder}", "--published", "{url}", "--json"), "attack": ("{folder}", "--original", "{url}"),
    "utility": ("{folder}", "--original", "{url}"), "report": ("{folder}", "--published", "{url}"),
    "apply": ("{folder}", "{url}"),
}  # fmt: skip


@pytest.mark.parametrize("command", FACES)
def test_no_command_repeats_a_secret(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Wherever a location is given, also where only a file may be."""
    release = fv.search(pa.table({"q": ["a", "a"]}), fv.Schema(quasi=["q"]), guards=fv.KAnonymity(2)).best("loss")
    folder = release.save(tmp_path / "release", accept=ANY_DANGER).path
    for url in (
        *SECRETS[:8],
        *SECRETS[14:18],
        *SECRETS[-8:],
        "host=h pwd=hunter2",
        "s3://k:hunter2@b/x",
        "https://h/x?sig=hunter2",
    ):
        plan = tmp_path / "plan.toml"
        source = f'[source]\nurl = "{url}"\ntable = "t"\n[schema]\nquasi = ["q"]'
        plan.write_text(f'format = 1\n{source}\n[[guards]]\nkind = "k-anonymity"\nk = 2\n')
        given = {"url": url, "plan": plan, "folder": folder, "out": tmp_path / "out"}
        assert run([command, *(word.format(**given) for word in FACES[command])]) == 2, url
        shown = capsys.readouterr()
        assert "hunter2" not in shown.out + shown.err and shown.err.startswith("fairveil: "), url


def test_a_driver_that_repeats_a_secret_is_not_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P", "hunter2")
    for url in (
        "postgresql://u:${P}@127.0.0.1:1/db",
        "postgresql://u@127.0.0.1/db?port=${P}",
        "mysql://u:${P}@127.0.0.1:1/d",
    ):
        if "mysql" not in url or is_installed("pymysql"):
            assert "hunter2" not in refusal(partial(open_source, url, table="t"))


def test_values_are_not_repeated(place: Place) -> None:
    """Whatever the server says about a value, in any query."""
    source = on_engine(place.reader)
    native = source.engine.native
    cast = {"postgres": "CAST('Anna' AS int)", "sqlite": "json('Anna')", "mysql": "JSON_VALUE('Anna', 'Anna')"}
    statement = f"SELECT {cast[native.dialect]} AS a"
    try:
        list(native.run(statement, pa.schema([("a", pa.int64())])))
    except Exception as problem:
        assert "Anna" not in native.explain(problem)
    assert "Anna" not in first_sentence(ValueError("invalid literal 'Anna'"))


HOLD = """
import duckdb, sys
connection = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "reads")
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("other", ["writes", "reads"])
def test_a_file_that_another_process_has_opened(other: str, tmp_path: Path) -> None:
    """Two processes may read a DuckDB file; nobody may read it while another writes, and the refusal says so."""
    import duckdb

    file = tmp_path / "people.duckdb"
    with duckdb.connect(file) as connection:
        connection.register("given", people())
        connection.execute("CREATE TABLE people AS FROM given")
    words = [sys.executable, "-c", HOLD, str(file), other]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"open\n"
        if other == "writes":
            said = refusal(lambda: open_source(file))
            assert str(file) in said and "another process has opened it for writing: close it there" in said
        else:
            release = fv.search(open_source(file), SCHEMA, guards=[fv.KAnonymity(3, suppression=0.05)]).best("loss")
            said = refusal(lambda: release.save(tmp_path / "out", table="published", accept=ANY_DANGER))
            assert f"written into {file}, because another process has opened it: close it there" in said
        assert "lock" not in said and "PID" not in said
        holder.communicate()
