"""Sources on the command line and in plans: engines, databases, encodings; what cannot be had is one sentence."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import fairveil as fv
from fairveil import Plan, Table
from tests import real_parts
from tests.cli.conftest import PLAN, ROWS, Run, Said

CHECK = ("--quasi", "age,sex", "--k", "2")


def refused(result: Said, *culprits: str) -> None:
    assert result.code == 2, result
    assert result.err.count("\n") == 1, result.err
    assert all(culprit in result.err for culprit in culprits), result.err


def test_profile_shows_how_a_file_was_read(tmp_path: Path, fairveil: Run) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes("name;weight\nJosé;70,5\nZoë;61\n".encode("cp1252"))
    assert "read as: encoding cp1252, separator semicolon, decimal comma" in fairveil("profile", path).out
    found = json.loads(fairveil("profile", path, "--json").out)
    assert found["read_as"] == {"encoding": "cp1252", "separator": ";", "decimal": ","}
    refused(fairveil("profile", path, "--encoding", "utf-8"), "p.csv is not UTF-8 text")
    refused(fairveil("profile", path, "--encoding", "utf-99"), "no encoding 'utf-99'", "utf-8")
    refused(fairveil("profile", path, "--decimal", "'"), "decimal")
    refused(fairveil("profile", path, "--sheet", "1"), "has no sheets")


def test_every_place_that_takes_a_frame_takes_a_path(people: Path) -> None:
    schema = fv.Schema(quasi=["age"], plain=["sex"], drop=["name", "zip", "disease"])
    assert fv.profile(str(people)).rows == len(ROWS)
    assert not fv.check(people, fv.Schema(quasi=["age"]), fv.KAnonymity(2))[0]
    found = fv.search(people, schema, guards=fv.KAnonymity(2))
    release = found.best("loss")
    assert release.recipe.outcome(str(people)).rows == len(ROWS)
    assert len(fv.explore(people, schema, guards=fv.KAnonymity(2), methods=[fv.Incognito()])) == len(found)
    assert [finding.attack for finding in fv.attack(release, original=people)]
    assert fv.utility(release, str(people), queries=5).survival is not None


def test_a_recipe_reads_new_files_as_its_source_was_read(tmp_path: Path, fairveil: Run) -> None:
    def written(name: str) -> Path:
        rows = "".join(f"{i % 2};NULL;é\n{i % 2};b;é\n" for i in range(10))
        (tmp_path / name).write_bytes(("q;plain;place\n" + rows).encode("cp850"))
        return tmp_path / name

    (tmp_path / "plan.toml").write_text(f"""
        format = 1
        accept = ["uniqueness"]
        [source]
        path = "{written("old.csv").name}"
        missing_values = ["NULL"]
        encoding = "cp850"
        text = ["q"]
        [schema]
        quasi = ["q"]
        plain = ["plain", "place"]
        [[guards]]
        kind = "k-anonymity"
        k = 2
    """)
    assert fairveil("release", tmp_path / "plan.toml", "--out", tmp_path / "out").code == 0
    remembered = json.loads((tmp_path / "out" / "recipe.json").read_text())["schema"]["read"]
    assert remembered == {"missing_values": ["NULL"], "text": ["q"], "encoding": "cp850"}
    assert fairveil("apply", tmp_path / "out", written("new.csv"), "--out", tmp_path / "n.parquet").code == 0
    applied = Table.read(tmp_path / "n.parquet")
    assert applied.column("plain").domain == ["b", None]
    assert applied.column("place").domain == ["é"]
    assert applied.column("q").domain == ["0", "1"]
    recipe = Plan.read(tmp_path / "plan.toml").run().recipe
    assert recipe.outcome(tmp_path / "new.csv").table.column("plain").domain == ["b", None]
    assert fairveil("attack", tmp_path / "out", "--original", tmp_path / "new.csv").code == 0
    told = fairveil("apply", tmp_path / "out", tmp_path / "new.csv", "--out", tmp_path / "m.csv", "--encoding", "utf-8")
    refused(told, "new.csv is not UTF-8 text")


def test_engines_publish_the_same(people: Path, tmp_path: Path, fairveil: Run) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    published = []
    for engine in ("memory", "duckdb"):
        out = tmp_path / engine
        assert (
            fairveil("release", tmp_path / "plan.toml", "--out", out, "--engine", engine, "--format", "csv").code == 0
        )
        published.append([(out / name).read_bytes() for name in ("data.csv", "recipe.json")])
    assert published[0] == published[1]
    assert fairveil("check", people, *CHECK, "--engine", "duckdb", "--memory", "2GB").code == 1


def test_a_recipe_on_an_engine(people: Path, tmp_path: Path, fairveil: Run) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    assert fairveil("release", tmp_path / "plan.toml", "--out", tmp_path / "out").code == 0
    applied = []
    for engine in ("memory", "duckdb"):
        new = tmp_path / f"{engine}.parquet"
        done = fairveil("apply", tmp_path / "out", people, "--out", new, "--engine", engine)
        assert done.code == 0 and f"{len(ROWS)} of {len(ROWS)} rows written" in done.out, done
        rows = Table.read(new).to_arrow().to_pylist()
        applied.append(sorted(map(str, rows)))
    assert applied[0] == applied[1]
    to_csv = ("--out", tmp_path / "n.csv", "--engine", "duckdb")
    refused(fairveil("apply", tmp_path / "out", people, *to_csv), "name a .parquet file")
    on_duckdb = ("--out", tmp_path / "n.parquet", "--engine", "duckdb")
    refused(fairveil("apply", tmp_path / "out", people, *on_duckdb, "--unknown", "suppress"), "--unknown")
    people.write_text(people.read_text().replace("age", "agee"))
    refused(fairveil("apply", tmp_path / "out", people, *on_duckdb), "no column 'age'")
    assert not (tmp_path / "n.parquet").exists() and not (tmp_path / "n.csv").exists()


@pytest.mark.parametrize(
    ("options", "culprits"),
    [
        (("--engine", "duckbd"), ("no engine 'duckbd'", "did you mean 'duckdb'")),
        (("--engine", "sql"), ("--engine sql reads a URL and a table",)),
        (("--memory", "plenty"), ("plenty",)),
        (("--table", "people"), ("is a file and has no table",)),
    ],
)
def test_engines_that_cannot_be_had(
    people: Path, tmp_path: Path, fairveil: Run, options: tuple[str, ...], culprits: tuple[str, ...]
) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    refused(fairveil("profile", people, *options), *culprits)
    refused(fairveil("check", people, *CHECK, *options), *culprits)
    for command in ("explore", "release"):
        out = ("--out", tmp_path / "out") if command == "release" else ()
        result = fairveil(command, tmp_path / "plan.toml", *out, *options)
        assert result.code == 2 and result.err.count("\n") == 1, result
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("engine", "library", "place", "extra"),
    [
        ("spark", "pyspark", "people.csv", "fairveil[spark]"),
        ("sql", "ibis", "postgresql://nobody@127.0.0.1:1/none", "fairveil[sql]"),
    ],
)
def test_an_extra_that_is_missing(
    people: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch, engine: str, library: str, place: str, extra: str
) -> None:
    for name in [module for module in sys.modules if module.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    place = place if "://" in place else str(people.parent / place)
    table = ("--table", "t") if engine == "sql" else ()
    refused(fairveil("profile", place, "--engine", engine, *table), "pip install", extra)


@pytest.mark.parametrize("home", [None, "no java here"])
def test_spark_without_java(
    people: Path, tmp_path: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    from pyspark.sql import SparkSession

    monkeypatch.setattr(SparkSession, "getActiveSession", staticmethod(lambda: None))
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("MASTER", "SPARK_REMOTE", "JAVA_HOME"):
        monkeypatch.delenv(name, raising=False)
    if home is not None:
        monkeypatch.setenv("JAVA_HOME", str(tmp_path / home))
    (tmp_path / "plan.toml").write_text(PLAN)
    refused(fairveil("profile", people, "--engine", "spark"), "Spark needs Java 17 or newer", "JAVA_HOME")
    refused(fairveil("release", tmp_path / "plan.toml", "--out", tmp_path / "out", "--engine", "spark"), "Java 17")
    assert not (tmp_path / "out").exists()


class TestDatabases:
    def test_the_whole_way(
        self,
        people: Path,
        tmp_path: Path,
        fairveil: Run,
        postgres: real_parts.Postgres,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        import pyarrow.parquet as pq

        monkeypatch.setenv("PGPASSWORD", postgres.password)
        pq.write_table(Table.read(people).to_arrow(), tmp_path / "people.parquet")
        real_parts.copy_parquet(tmp_path / "people.parquet", postgres, "people_cli")
        url = f'url = "{postgres.url}"\ntable = "people_cli"'
        (tmp_path / "plan.toml").write_text(PLAN.replace('path = "people.csv"', url))
        (tmp_path / "file.toml").write_text(PLAN)
        assert fairveil("release", tmp_path / "plan.toml", "--out", tmp_path / "table").code == 0
        assert fairveil("release", tmp_path / "file.toml", "--out", tmp_path / "file").code == 0
        assert (tmp_path / "table/data.csv").read_bytes() == (tmp_path / "file/data.csv").read_bytes()
        assert fairveil("verify", tmp_path / "table").code == 0
        assert fairveil("check", postgres.url, "--table", "people_cli", *CHECK).code == 1
        secret = postgres.password.encode()
        assert all(secret not in file.read_bytes() for file in (tmp_path / "table").iterdir())
        assert f"{postgres.port}".encode() not in (tmp_path / "table/evidence.json").read_bytes()

    def test_what_cannot_be_had(
        self, fairveil: Run, postgres: real_parts.Postgres, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PGPASSWORD", postgres.password)
        refused(fairveil("profile", postgres.url), "a URL needs the name of a table")
        refused(fairveil("profile", postgres.url, "--table", "peple"), "no table 'peple'")
        refused(fairveil("profile", "postgresql://nobody@127.0.0.1:1/none", "--table", "t"), "no connection to")
        told = fairveil("profile", postgres.url_with_password, "--table", "t")
        refused(told, "contains a password", "PGPASSWORD")
        assert postgres.password not in told.err
        monkeypatch.setenv("PGPASSWORD", "another")
        told = fairveil("profile", postgres.url, "--table", "t")
        refused(told, "no connection to")
        assert "another" not in told.err

    def test_a_plan_with_a_password_is_refused(self, tmp_path: Path) -> None:
        plan = PLAN.replace('path = "people.csv"', 'url = "postgresql://me:secret@host/db"\ntable = "t"')
        with pytest.raises(fv.BadInput, match="contains a password") as told:
            Plan.from_toml(plan, tmp_path)
        assert "secret" not in str(told.value)


def test_origins_are_written_and_read_back(tmp_path: Path) -> None:
    source = 'url = "postgresql://me@host/db"\ntable = "clinic.visits"\nengine = "sql"\nmemory = "4GB"'
    plan = Plan.from_toml(PLAN.replace('path = "people.csv"', source), tmp_path)
    assert Plan.from_toml(plan.to_toml(), tmp_path) == plan
    spark = 'path = "people.csv"\nengine = "spark"\nmaster = "local[2]"\ndecimal = ","\nencoding = "cp1252"'
    (tmp_path / "people.csv").write_text("name,age,zip,sex,disease\n")
    plan = Plan.from_toml(PLAN.replace('path = "people.csv"', spark), tmp_path)
    assert Plan.from_toml(plan.to_toml(), tmp_path) == plan
    for wrong, sentence in (
        ('path = "people.csv"\nengine = "sparc"', "no engine 'sparc': did you mean 'spark'"),
        ('path = "people.csv"\nmaster = "local[2]"', 'master is for engine = "spark"'),
        ('url = "postgresql://me@host/db"', "needs a url and a table together"),
        ('path = "people.csv"\nmemory = "much"', "much"),
    ):
        with pytest.raises(fv.BadInput, match=sentence):
            Plan.from_toml(PLAN.replace('path = "people.csv"', wrong), tmp_path)
