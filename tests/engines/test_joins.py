"""Several tables joined on a key: every engine publishes the same bytes, and what does not fit is one sentence."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data.dialect import Dialect
from fairveil.data.join import Join
from fairveil.engines import Source
from fairveil.errors import BadInput
from fairveil.methods.incognito import Incognito
from fairveil.run.plan import Plan
from fairveil.run.request import Request
from fairveil.run.sections import Origin
from tests.known import ANY_DANGER

TOWNS = ["Rome", "Bari", "Oslo", "Pisa", None]
PEOPLE = pa.table({
    "id": [n // 2 for n in range(120)],
    "age": [20 + n * 7 % 30 for n in range(120)],
    "town": [TOWNS[n % 5] for n in range(120)],
    "year": [2020 + n % 3 for n in range(120)],
})  # fmt: skip
NEAR = pa.table({
    "name": ["Rome", "Bari", "Oslo", "Turin", None],
    "region": ["Lazio", "Puglia", None, "odd", "nowhere"],
    "size": ["28", "3", "7", "007", "1"],  # a text only because of a row without a partner
})  # fmt: skip
PRICES = pa.table({
    "town": [town for town in ("Rome", "Bari", "Oslo") for _ in range(3)],
    "year": [2020, 2021, 2022] * 3,
    "rent": [500 + n % 4 * 100 for n in range(9)],
})  # fmt: skip
JOINS = (Join("towns", on="town", key="name"), Join("rents", on=("town", "year")))
TABLES = {"people": PEOPLE, "towns": NEAR, "rents": PRICES}


def in_files(folder: Path, ending: str) -> Origin:
    for name, table in TABLES.items():
        path = folder / f"{name}.{ending}"
        pq.write_table(table, path) if ending == "parquet" else pc.write_csv(table, path)
    joins = tuple(replace(join, path=f"{folder / str(join.path)}.{ending}") for join in JOINS)
    return Origin(f"{folder}/people.{ending}", join=joins)


def in_database(kind: str, folder: Path, request: pytest.FixtureRequest) -> Origin:
    joins = tuple(replace(join, path=None, table=join.path) for join in JOINS)
    if kind == "duckdb-file":
        import duckdb

        with duckdb.connect(folder / "people.duckdb") as owner:
            for name, table in TABLES.items():
                owner.from_arrow(table).create(name)
        return Origin(str(folder / "people.duckdb"), table="people", join=joins)
    if kind == "sqlite":
        with sqlite3.connect(folder / "people.db") as owner:
            insert(owner, "?")
        return Origin(str(folder / "people.db"), table="people", join=joins)
    import psycopg

    server = request.getfixturevalue("postgres")
    os.environ["PGPASSWORD"] = server.password
    with psycopg.connect(server.url_with_password) as owner:
        owner.execute("create schema if not exists joins; set search_path to joins")
        insert(owner.cursor(), "%s")
    named = tuple(replace(join, table=f"joins.{join.table}") for join in joins)
    return Origin(url=server.url, table="joins.people", join=named)


def insert(owner: Any, mark: str) -> None:
    for name, table in TABLES.items():
        kinds = (f"{column} {'text' if pa.types.is_string(kind) else 'bigint'}"
                 for column, kind in zip(table.column_names, table.schema.types, strict=True))  # fmt: skip
        owner.execute(f"drop table if exists {name}")
        owner.execute(f"create table {name} ({', '.join(kinds)})")
        rows = list(zip(*table.to_pydict().values(), strict=True))
        owner.executemany(f"insert into {name} values ({', '.join([mark] * table.num_columns)})", rows)


def rows_of(source: Source) -> Any:
    cells = source.count(source.names)
    table = cells.table().to_arrow()
    return sorted(map(str, zip(*table.to_pydict().values(), cells.counts.tolist(), strict=True)))


def published(origin: Origin, folder: Path) -> dict[str, bytes]:
    schema = fv.Schema(
        quasi=["age", "town", "rent"], sensitive=["region"], plain=["size"], drop=["id", "year"],
        hierarchies={
            "age": fv.hierarchy.intervals([20, 50], widths=(5, 10)),
            "rent": fv.hierarchy.intervals([500, 900], widths=(200,)),
        },
    )  # fmt: skip
    plan = Plan(origin, (fv.KAnonymity(2, suppression=0.1),), schema, (Incognito(),))
    release = plan.run(progress=False)
    path = release.save(folder, format="parquet", accept=ANY_DANGER).path
    return {name: (path / name).read_bytes() for name in ("data.parquet", "recipe.json")}


def places(origin: Origin, engine: str) -> Origin:
    return replace(origin, engine=engine, master="local[2]" if engine == "spark" else None)


@pytest.mark.parametrize("kind", ["csv-duckdb", "csv-spark", "parquet-duckdb", "duckdb-file", "sqlite", "postgres"])
def test_every_engine_publishes_the_same_bytes(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    ending, _, engine = kind.partition("-")
    if engine == "spark":
        request.getfixturevalue("spark")
    is_file = ending in ("csv", "parquet")
    there = places(in_files(tmp_path, ending), engine) if is_file else in_database(kind, tmp_path, request)
    here = replace(in_files(tmp_path, ending if is_file else "parquet"), engine="memory")
    for unmatched in ("keep", "drop") if engine != "spark" else ():  # a query of Spark takes a second
        at = [replace(o, join=(replace(o.join[0], unmatched=unmatched), o.join[1])) for o in (here, there)]
        memory, source = (origin.open() for origin in at)
        assert memory.names == source.names == ["id", "age", "town", "year", "region", "size", "rent"]
        assert memory.rows == source.rows == (120 if unmatched == "keep" else 72)
        assert rows_of(memory) == rows_of(source)
        assert memory.snapshot.notes[0].startswith("72 of 120 rows have a partner in towns")
        assert [note.replace("joins.", "") for note in source.snapshot.notes] == [
            note.replace(f".{ending if is_file else 'parquet'}", f".{ending}" if is_file else "")
            for note in memory.snapshot.notes
        ]
    assert published(there, tmp_path / "there") == published(here, tmp_path / "here")
    complete = [
        replace(
            o,
            join=(replace(o.join[0], unmatched="drop"), o.join[1]),
            dialect=Dialect(missing="drop"),
            where=("rent > 500",),
        )
        for o in (here, there)
    ]
    memory, source = (origin.open() for origin in complete)
    assert rows_of(memory) == rows_of(source) and memory.dropped == source.dropped > 0


def test_types_of_text_files_come_from_all_rows_on_every_engine(tmp_path: Path) -> None:
    """A subset, or rows that are dropped, do not change what a column is."""
    path = tmp_path / "a.csv"
    path.write_text("age,sex\n" + "".join(f"{n % 9},{'fm'[n % 2]}\n" for n in range(40)) + "007,\n")
    for options in ({"where": ("sex is not missing",)}, {"dialect": Dialect(missing="drop", text=["sex"])}):
        origins = [Origin(str(path), engine=engine, **options) for engine in ("memory", "duckdb")]
        assert len({str(origin.open().domain("age").values) for origin in origins}) == 1


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_row_with_several_partners_is_refused_or_repeated(engine: str, tmp_path: Path) -> None:
    origin = replace(in_files(tmp_path, "csv"), engine=engine)
    several = replace(origin, join=(replace(origin.join[1], on=("town",), columns=("rent",)),))
    with pytest.raises(BadInput, match=r"3 keys occur in several rows of rents\.csv \(town\).* repeat=True.*person="):
        several.open()
    allowed = replace(several, join=(replace(several.join[0], repeat=True),))
    assert allowed.open().rows == 72 * 3 + 48
    schema = fv.Schema(quasi=["age"], drop=["id", "town", "year", "rent"])
    with pytest.raises(BadInput, match=r"several partners in rents\.csv.*person="):
        Request(allowed, (fv.KAnonymity(2),), schema).task()
    persons = fv.Schema(quasi=["age"], person="id", drop=["town", "year", "rent"])
    assert Request(allowed, (fv.KAnonymity(2),), persons).task().rows == 264


@pytest.mark.parametrize(
    ("join", "sentence"),
    [
        ("towns.csv:on=twon,key=name", "no column 'twon'.*town"),
        ("towns.csv:on=town", r"towns\.csv: no column 'town'"),
        ("towns.csv:on=town,key=name,columns=regoin", "regoin.*region"),
        ("towns.csv:on=town,key=name,size", "'on' has 1 column|in the same order"),
        ("towns.csv:on=age,key=name", r"'age' holds numbers and column 'name' of towns\.csv texts"),
        ("towns.csv:on=town,key=region", r"no row has a partner in towns\.csv"),
        ("rents.csv:on=town,repeat=yes", r"both have a column 'year'.*prefix='rents_'"),
        ("rents.csv:on=town,unmatched=lose", "keep.*drop"),
        ("rents.csv", "needs its key"),
        ("rents.csv:town", "no file|needs its key"),
        ("none.csv:on=town", r"none\.csv"),
        (":table=towns,on=town", "is a table of a database, and the source is a file"),
    ],
)
def test_what_does_not_fit_is_one_sentence(join: str, sentence: str, tmp_path: Path) -> None:
    in_files(tmp_path, "csv")
    with pytest.raises(BadInput, match=sentence):
        origin = Origin("people.csv", join=(Join.of(join),))
        fv.errors.refuse(origin.problems())
        origin.open(tmp_path)


def test_a_file_is_not_joined_with_a_database(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    in_files(tmp_path, "csv")
    origin = in_database("sqlite", tmp_path, request)
    mixed = replace(origin, join=(Join(str(tmp_path / "towns.csv"), on="town", key="name"),))
    for place in (mixed, replace(mixed, table=None)):
        with pytest.raises(BadInput, match="is a file, and the source is a database"):
            fv.errors.refuse(place.problems())
            place.open()
    assert not replace(origin, path="elsewhere.db").problems()


def test_a_plan_states_it_and_reads_it_back(tmp_path: Path) -> None:
    in_files(tmp_path, "csv")
    text = """format = 1
[source]
path = "people.csv"
text = ["year", "size"]
[[source.join]]
path = "towns.csv"
on = "town"
key = "name"
prefix = "town_"
[schema]
quasi = ["age", "town_region"]
drop = ["id", "town", "year", "town_size"]
[[guards]]
kind = "k-anonymity"
k = 2
"""
    plan = Plan.from_toml(text, tmp_path)
    assert Plan.from_toml(plan.to_toml(), tmp_path) == plan
    (tmp_path / "deeper").mkdir()
    assert Plan.read(plan.save(tmp_path / "deeper" / "plan.toml")).task().rows == 120
    with pytest.raises(BadInput, match="town_regoin"):
        Plan.from_toml(text.replace("town_region", "town_regoin"), tmp_path)
    with pytest.raises(BadInput, match="unmached"):
        Plan.from_toml(text.replace("prefix", "unmached"), tmp_path)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_joined_file_that_changes_stops_the_release(engine: str, tmp_path: Path) -> None:
    origin = replace(in_files(tmp_path, "parquet"), engine=engine)
    source = origin.open()
    assert "towns.parquet" in str(source.snapshot) and source.rows == 120
    pq.write_table(NEAR.slice(1), tmp_path / "towns.parquet")
    if engine == "memory":
        source.snapshot.check()  # its rows are in memory
        return
    with pytest.raises(BadInput, match=r"towns\.parquet changed"):
        source.snapshot.check()


def test_python_calls_take_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_files(tmp_path, "csv")
    monkeypatch.chdir(tmp_path)
    schema = fv.Schema(quasi=["age", "region"], drop=["id", "town", "year", "size"])
    join = fv.Join("towns.csv", on="town", key="name")
    k = fv.KAnonymity(2, suppression=0.3)
    by_path = fv.search("people.csv", schema, guards=k, join=[join]).best("loss")
    by_frame = fv.search(PEOPLE.to_pandas(), schema, guards=k, join=["towns.csv:on=town,key=name"]).best("loss")
    assert by_path.recipe == by_frame.recipe and any("have a partner in towns.csv" in note for note in by_path.private)
    with pytest.raises(BadInput, match="reads every cell by itself"):
        fv.explore("people.csv", schema, guards=[fv.KAnonymity(2)], methods=[fv.NoisyTable(epsilon=1)], join=[join])
