"""Another session changes the data before any query of a run: one state is published, byte for byte, or nothing."""

from __future__ import annotations

import importlib
import itertools
import os
import pkgutil
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil import engines
from fairveil.data import file_pieces
from fairveil.engines import open_source
from fairveil.engines.native import EngineAdapter
from tests.known import ANY_DANGER

ROWS = 48
SCHEMA = fv.Schema(
    quasi=["age", "place"], plain=["paid"], identifier=["who"],
    hierarchies={"age": fv.hierarchy.intervals([0, 80], widths=(20, 40))},
)  # fmt: skip


def people(rows: int = ROWS) -> pa.Table:
    numbers = range(rows)
    return pa.table(
        {
            "who": [f"p{n:03}" for n in numbers],
            "age": [n * 7 % 80 for n in numbers],
            "place": [f"town {n % 3}" for n in numbers],
            "paid": [None if n % 5 == 0 else n * n % 37 for n in numbers],
        }
    )


def updated(table: pa.Table, name: str, change: Callable[[Any], Any]) -> pa.Table:
    values = [change(value) if n % 2 else value for n, value in enumerate(table[name].to_pylist())]
    return table.set_column(table.schema.get_field_index(name), name, pa.array(values, table.schema.field(name).type))


CHANGES: dict[str, Callable[[pa.Table], pa.Table]] = {
    "insert": lambda table: pa.concat_tables([table, updated(table.slice(0, 20), "who", lambda _: "new")]).slice(1),
    "more": lambda table: people(ROWS + 12),
    "delete": lambda table: table.slice(9),
    "quasi": lambda table: updated(table, "place", lambda value: f"{value}!"),
    "age": lambda table: updated(table, "age", lambda value: 79 - value),
    "plain": lambda table: updated(table, "paid", lambda value: value if value is None else value + 1000),
    "missing": lambda table: updated(table, "paid", lambda value: None),
    "person": lambda table: updated(table, "who", lambda _: "p001"),
}


@dataclass
class Place:
    """Where people are: `given` opens them, `commit` is another session that replaces them."""

    given: Callable[[], Any]
    commit: Callable[[pa.Table], None]
    start: Callable[[pa.Table], None]


def file_place(folder: Path, ending: str, opened: Callable[[Path], Any]) -> Place:
    path = folder / f"people.{ending}"

    def commit(table: pa.Table) -> None:
        written = folder / f"next.{ending}"
        write(table, written)
        os.replace(written, path)

    return Place(lambda: opened(path), commit, commit)


def write(table: pa.Table, path: Path) -> None:
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".csv":
        pa.csv.write_csv(table, path)
    else:
        frame = table.to_pandas()
        frame.to_excel(path, index=False) if path.suffix == ".xlsx" else frame.to_stata(path, write_index=False)


def relation_place(folder: Path, opened: Callable[[Any, Path], Any]) -> Place:
    """A connection of the user's own, and another session in the same process."""
    connection = duckdb.connect(folder / "people.duckdb")

    def commit(table: pa.Table) -> None:
        session = connection.cursor()
        session.register("given", table)
        session.execute("BEGIN; CREATE TABLE IF NOT EXISTS people AS FROM given LIMIT 0; DELETE FROM people")
        session.execute("INSERT INTO people FROM given; COMMIT")

    return Place(lambda: opened(connection, folder / "people.duckdb"), commit, commit)


def one_of_many(folder: Path, opened: Callable[[Path], Any]) -> Place:
    """Files under a pattern: one more appears, and the first is rewritten without it."""
    (folder / "years").mkdir()

    def start(table: pa.Table) -> None:
        for old in (folder / "years").iterdir():
            old.unlink()
        write(table.slice(0, 20), folder / "years" / "2023.parquet")
        write(table.slice(20), folder / "years" / "2024.parquet")

    def commit(table: pa.Table) -> None:
        write(table.slice(20), folder / "years" / "2024.parquet")
        write(table.slice(10, 10), folder / "years" / "2025.parquet")
        write(table.slice(0, 10), folder / "years" / "2023.parquet")

    return Place(lambda: opened(folder / "years" / "*.parquet"), commit, start)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    name, folder = request.param, tmp_path / "in"
    folder.mkdir()
    if name == "a relation of DuckDB":
        return relation_place(folder, lambda connection, _: connection.sql("FROM people"))
    if name == "a DuckDB file that this process writes":
        return relation_place(folder, lambda _, path: open_source(f"duckdb://{path}", table="people"))
    if name == "many files on DuckDB":
        return one_of_many(folder, lambda path: open_source(path, engine="duckdb"))
    if name == "many files in memory":
        return one_of_many(folder, lambda path: open_source(path, engine="memory"))
    if name == "a scan of Polars":
        return file_place(folder, "parquet", pl.scan_parquet)
    if name == "a frame of Spark":
        spark = request.getfixturevalue("spark")
        return file_place(folder, "parquet", lambda path: spark.read.parquet(str(path)))
    if name == "PostgreSQL":
        return postgres_place(request.getfixturevalue("postgres"), monkeypatch)
    ending, _, engine = name.partition(" on ")
    if engine == "spark":
        request.getfixturevalue("spark")
    return file_place(folder, ending, lambda path: open_source(path, engine=engine))


def postgres_place(server: Any, monkeypatch: pytest.MonkeyPatch) -> Place:
    import psycopg

    monkeypatch.setenv("PGPASSWORD", server.password)

    def commit(table: pa.Table) -> None:
        with psycopg.connect(server.url_with_password) as session:
            session.execute("CREATE TABLE IF NOT EXISTS moving (who text, age bigint, place text, paid bigint)")
            session.execute("DELETE FROM moving")
            with session.cursor() as cursor:
                rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
                cursor.executemany("INSERT INTO moving VALUES (%s, %s, %s, %s)", rows)

    return Place(lambda: open_source(server.url, table="moving"), commit, commit)


class Meanwhile:
    """Calls another session's `commit` at one of the moments of a run: its queries, the pieces of a file, its calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left, self.moments, self.inside = -1, 0, False
        self.commit: Callable[[], None] = lambda: None
        for module in pkgutil.iter_modules(engines.__path__, "fairveil.engines."):
            importlib.import_module(module.name)
        kinds = [EngineAdapter]
        for kind in kinds:
            kinds.extend(kind.__subclasses__())
            for name in {"fetch", "batches", "all_differ", "worked"} & vars(kind).keys():
                monkeypatch.setattr(kind, name, self.before(getattr(kind, name)))
        monkeypatch.setattr(file_pieces.FilePieces, "__iter__", self.before_pieces(file_pieces.FilePieces.__iter__))

    def tick(self) -> None:
        self.moments += 1
        self.left -= 1
        if self.left == 0:
            self.commit()

    def before(self, query: Callable[..., Any]) -> Callable[..., Any]:
        def asked(*given: Any, **named: Any) -> Any:
            outer, self.inside = self.inside, True
            try:
                if not outer:
                    self.tick()
                return query(*given, **named)
            finally:
                self.inside = outer

        return asked

    def before_pieces(self, pieces: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        def read(file: Any) -> Iterator[Any]:
            self.tick()
            for piece in pieces(file):
                self.tick()
                yield piece

        return read


def published(given: Callable[[], Any], out: Path, tick: Callable[[], None] = lambda: None) -> dict[str, bytes] | None:
    """The files of the release, or None if it is refused in one sentence and nothing is left."""
    shutil.rmtree(out, ignore_errors=True)
    try:
        source = given()
        tick()
        release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.3)]).best("loss")
        tick()
        folder = release.save(out, format="parquet", accept=ANY_DANGER).path
    except (fv.BadInput, fv.Infeasible) as problem:
        assert str(problem) and "\n" not in str(problem)
        assert not out.exists() and not list(out.parent.glob(".fairveil*"))
        return None
    return {file.name: file.read_bytes() for file in folder.iterdir()}


PLACES = (
    "a relation of DuckDB", "a DuckDB file that this process writes", "many files on DuckDB", "many files in memory",
    "a scan of Polars", "parquet on duckdb", "csv on duckdb", "parquet on memory", "csv on memory", "xlsx on memory",
    "dta on memory", "PostgreSQL", "a frame of Spark", "csv on spark",
)  # fmt: skip
STEPS = {"a frame of Spark": 8, "csv on spark": 6}
"""Where a run takes seconds, not every query is looked at."""
_changes = itertools.cycle(CHANGES)


@cache
def after(name: str = "") -> dict[str, bytes] | None:
    """The release of the people after a change, or before any, from memory."""
    table = CHANGES[name](people()) if name else people()
    with tempfile.TemporaryDirectory() as folder:
        return published(lambda: table, Path(folder) / "out")


@pytest.mark.parametrize("place", PLACES, indirect=True)
def test_another_session_commits_before_any_query(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    start = people()
    before = after()
    assert before is not None and sum(after(name) is not None for name in CHANGES) > 3
    meanwhile = Meanwhile(monkeypatch)
    place.start(start)
    assert published(place.given, tmp_path / "out", meanwhile.tick) == before
    step = STEPS.get(request.node.callspec.id, 1)
    for moment in range(meanwhile.moments, 0, -step):
        name = next(_changes)
        place.start(start)
        meanwhile.left, meanwhile.commit = moment, partial(place.commit, CHANGES[name](start))
        files = published(place.given, tmp_path / "out", meanwhile.tick)
        assert files is None or files in (before, after(name)), (moment, name)


def test_the_owner_is_told_which_state_it_is_and_nobody_else(tmp_path: Path) -> None:
    write(people(), tmp_path / "people.parquet")
    for engine in ("memory", "duckdb"):
        source = open_source(tmp_path / "people.parquet", engine=engine)
        release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.3)]).best("loss")
        assert release.snapshot.startswith("people.parquet of 2") and release.snapshot.endswith(" UTC")
        folder = release.save(tmp_path / engine, format="parquet", accept=ANY_DANGER).path
        assert not any(release.snapshot.encode() in file.read_bytes() for file in folder.iterdir())


def test_a_view_of_a_database_file_that_reads_other_files(tmp_path: Path) -> None:
    """The same values in other rows: every lookup succeeds, and the guards still hold."""
    place, database = file_place(tmp_path, "parquet", lambda path: path), tmp_path / "people.duckdb"
    place.start(people())
    with duckdb.connect(database) as connection:
        connection.execute(f"CREATE VIEW moving AS FROM '{tmp_path / 'people.parquet'}'")
        connection.execute("CREATE VIEW drawn AS SELECT *, CAST(random() * 9 AS INT) AS luck FROM moving")
    source = open_source(f"duckdb://{database}", table="moving")
    release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.3)]).best("loss")
    turned = people().set_column(3, "paid", people()["paid"].take(pa.array(range(ROWS - 1, -1, -1))))
    place.commit(turned)
    with pytest.raises(fv.BadInput, match="changed while it was read"):
        release.save(tmp_path / "out", format="parquet", accept=ANY_DANGER)
    assert not (tmp_path / "out").exists()
    drawn = open_source(f"duckdb://{database}", table="drawn")  # is read once
    assert drawn.count(["luck"]).counts.tolist() == drawn.only(["luck"]).count(["luck"]).counts.tolist()


def test_a_query_that_fails_because_the_file_changed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer columns, another type, no rows: the engine's own error would be about a file that is no longer there."""
    place = file_place(tmp_path, "parquet", lambda path: open_source(path, engine="duckdb"))
    paid = people()["paid"].cast(pa.string())
    others = [people().drop_columns(["age"]), people().set_column(3, "paid", paid), people().slice(0, 0)]
    meanwhile = Meanwhile(monkeypatch)
    place.start(people())
    before = published(place.given, tmp_path / "out", meanwhile.tick)
    moments, sentences = meanwhile.moments, []
    for moment, other in itertools.product(range(1, moments + 1), others):
        meanwhile.left = -1
        place.start(people())
        source = place.given()
        source.snapshot.begin()
        meanwhile.left, meanwhile.commit = moment, partial(place.commit, other)
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        try:
            release = fv.search(source, SCHEMA, guards=[fv.KAnonymity(3, suppression=0.3)]).best("loss")
            folder = release.save(tmp_path / "out", format="parquet", accept=ANY_DANGER).path
        except fv.BadInput as problem:
            sentences.append(str(problem))
        else:
            assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert {sentence for sentence in sentences if "changed while it was read" not in sentence} == set()
    assert len(sentences) > moments
