"""Delta and Iceberg tables: a run publishes one version of the table, whatever is committed meanwhile."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.engines import open_source
from fairveil.engines.memory import InMemoryTable
from tests.engines.test_snapshots import CHANGES, Meanwhile, people, published

deltalake = pytest.importorskip("deltalake")
sql = pytest.importorskip("pyiceberg.catalog.sql")
KINDS, ENGINES = ("delta", "iceberg"), ("memory", "duckdb", "spark")
DAY = dt.datetime(2020, 1, 2, 3, 4, 5, 6)
VALUES = {
    "whole": pa.array([5, None, -1]),
    "day": pa.array([DAY.date(), None, dt.date(1900, 1, 1)]),
    "zoned": pa.array([DAY, None, DAY], pa.timestamp("us", "UTC")),
    "moment": pa.array([DAY, None, DAY], pa.timestamp("us")),
    "truth": pa.array([True, None, False]),
    "price": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("12345678.25")], pa.decimal128(10, 2)),
    "real": pa.array([1.5, None, 0.1]),
    "town": pa.array(["x y/%=", None, "Ü'`\""]),
}


PLAN = """
format = 1
accept = ["homogeneity", "uniqueness", "derivation"]
[source]
path = "people@NUMBER"
[schema]
identifier = ["who"]
quasi = ["age", "place"]
plain = ["paid"]
[[guards]]
kind = "k-anonymity"
k = 3
"""


class Lake:
    """A table that another session writes to."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder / "people"
        self.catalog: Any = None
        if kind == "iceberg":
            self.catalog = sql.SqlCatalog("c", uri=f"sqlite:///{folder}/catalog.db", warehouse=folder.as_uri())
            self.catalog.create_namespace("n")

    def commit(self, table: pa.Table, mode: str = "overwrite", partition: list[str] | None = None) -> Lake:
        if self.kind == "delta":
            options: Any = {"schema_mode": "merge"} if mode == "append" else {"partition_by": partition}
            deltalake.write_deltalake(self.folder, table, mode=mode, **options)
            return self
        known = self.catalog.create_table_if_not_exists("n.people", table.schema, str(self.folder))
        with known.update_schema() as changes:
            changes.union_by_name(table.schema)
        getattr(known, mode)(table)
        return self

    @property
    def newest(self) -> int:
        if self.kind == "delta":
            number: int = deltalake.DeltaTable(self.folder).version()
            return number
        return int(self.catalog.load_table("n.people").current_snapshot().snapshot_id)


@pytest.fixture(params=KINDS)
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Lake:
    return Lake(request.param, tmp_path)


@pytest.fixture(params=ENGINES)
def reader(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Opens a table on an engine."""
    if request.param == "spark":
        request.getfixturevalue("spark")
    return lambda path: open_source(path, engine=request.param)


def rows(source: Any) -> dict[tuple[Any, ...], int]:
    """Each distinct row and how often it occurs, from the counts that an engine returns."""
    cells = source.count(source.names)
    values = [source.domain(name).values.to_pylist() for name in source.names]
    found = zip(
        *([known[code] for code in codes] for known, codes in zip(values, cells.codes.values(), strict=True)),
        strict=True,
    )
    return dict(zip(found, cells.counts.tolist(), strict=True))


def test_a_commit_before_every_query_changes_nothing(
    lake: Lake, reader: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    if lake.kind == "iceberg" and request.node.callspec.params["reader"] == "spark":
        pytest.skip("a run on Spark takes seconds, and reads the files of both kinds alike")
    start = people()
    before = published(lambda: start, tmp_path / "out")
    lake.commit(start)
    first = lake.newest
    meanwhile = Meanwhile(monkeypatch)
    monkeypatch.setattr(meanwhile, "tick", lambda: lake.commit(CHANGES["age"](start)))
    assert before is not None and published(lambda: reader(lake.folder), tmp_path / "out", meanwhile.tick) == before
    assert lake.newest != first
    assert published(lambda: reader(f"{lake.folder}@{first}"), tmp_path / "out") == before


def test_rows_are_those_of_the_version(lake: Lake, reader: Callable[..., Any]) -> None:
    start = people()
    first = lake.commit(start).newest
    added = people(5).append_column("added", pa.array(list("vwxyz")))
    second = lake.commit(added, "append").newest
    if lake.kind == "delta":
        deltalake.DeltaTable(lake.folder).delete("age < 30")
    else:
        lake.catalog.load_table("n.people").delete("age < 30")
    both = pa.concat_tables([start, added], promote_options="default")
    for name, expected in ((f"{lake.folder}@{first}", start), (f"{lake.folder}@{second}", both)):
        assert rows(reader(name)) == rows(InMemoryTable(fv.Table.from_frame(expected)))
    remaining = both.filter(pc.greater_equal(both["age"], 30))
    assert rows(reader(lake.folder)) == rows(InMemoryTable(fv.Table.from_frame(remaining)))


def test_partitions_of_every_type(reader: Callable[..., Any], tmp_path: Path) -> None:
    table = pa.table({"n": pa.array([1, 2, 3]), **VALUES})
    source = reader(Lake("delta", tmp_path).commit(table, partition=list(VALUES)).folder)
    assert list(source.names) == table.column_names
    assert rows(source) == rows(InMemoryTable(fv.Table.from_frame(table)))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_partitions_of_iceberg_whose_values_are_escaped_in_paths(engine: str, tmp_path: Path) -> None:
    table = pa.table({"n": [1, 2, 3, 4], "town": ["x y/%=", "a#b?c", "Ü+", "%41"]})
    lake = Lake("iceberg", tmp_path)
    known = lake.catalog.create_table("n.people", table.schema, lake.folder.as_uri())
    with known.update_spec() as spec:
        spec.add_identity("town")
    known.append(table)
    assert rows(open_source(lake.folder, engine=engine)) == rows(InMemoryTable(fv.Table.from_frame(table)))


def test_a_partition_without_a_value_is_not_one_of_a_text(tmp_path: Path) -> None:
    table = pa.table({"n": [1, 2], "town": [None, "None"]})
    lake = Lake("delta", tmp_path).commit(table, partition=["town"])
    for engine in ("memory", "duckdb"):
        assert rows(open_source(lake.folder, engine=engine)) == rows(InMemoryTable(fv.Table.from_frame(table)))


def test_hundreds_of_partitions(tmp_path: Path) -> None:
    table = pa.table({"n": range(300), "part": [f"{n:03}" for n in range(300)]})
    lake = Lake("delta", tmp_path).commit(table, partition=["part"])
    for engine in ("memory", "duckdb"):
        assert rows(open_source(lake.folder, engine=engine)) == rows(InMemoryTable(fv.Table.from_frame(table)))


def test_the_owner_is_told_the_version(lake: Lake, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = lake.commit(people()).newest
    lake.commit(people(9))
    (tmp_path / "plan.toml").write_text(PLAN.replace("NUMBER", str(number)))
    assert run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
    shown = " ".join("".join(capsys.readouterr()).split())
    assert f"{number} of the {lake.kind.title()} table people" in shown, shown


@pytest.mark.parametrize("feature", ["deletionVectors", "columnMapping", "anotherOne"])
def test_what_hides_rows_or_names_is_refused(tmp_path: Path, feature: str) -> None:
    lake = Lake("delta", tmp_path).commit(people())
    [log] = (lake.folder / "_delta_log").glob("*0.json")
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    for entry in entries:
        if "protocol" in entry:
            features = {"readerFeatures": [feature], "writerFeatures": [feature]}
            entry["protocol"] = {"minReaderVersion": 3, "minWriterVersion": 7, **features}
        if "metaData" in entry and feature == "columnMapping":
            entry["metaData"]["configuration"] = {"delta.columnMapping.mode": "name"}
    log.write_text("\n".join(map(json.dumps, entries)))
    if feature == "deletionVectors":  # in use only once a file has one
        assert open_source(lake.folder).rows == people().num_rows
        vector = {"storageType": "i", "pathOrInlineDv": "x" * 40, "sizeInBytes": 40, "cardinality": 6}
        for entry in entries:
            if "add" in entry:
                entry["add"]["deletionVector"] = vector
        log.write_text("\n".join(map(json.dumps, entries)))
    with pytest.raises(fv.BadInput, match=r"people .*cannot be read") as refused:
        open_source(lake.folder)
    assert "\n" not in str(refused.value)


def test_renamed_columns_of_iceberg_are_refused(tmp_path: Path) -> None:
    lake = Lake("iceberg", tmp_path).commit(people())
    with lake.catalog.load_table("n.people").update_schema() as changes:
        changes.rename_column("paid", "sum")
    with pytest.raises(fv.BadInput, match="'sum' was renamed"):
        open_source(lake.folder)


def test_versions_that_are_gone_are_refused(lake: Lake) -> None:
    lake.commit(people())
    with pytest.raises(fv.BadInput, match="99 of the table"):
        open_source(f"{lake.folder}@99")
    for file in lake.folder.rglob("*.parquet"):
        file.unlink()
    with pytest.raises(fv.BadInput, match=r"was removed: name a newer version|cannot be read"):
        open_source(lake.folder)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_file_of_a_table_is_refused_and_the_hint_works(lake: Lake, engine: str) -> None:
    lake.commit(people())
    file = next(lake.folder.rglob("*.parquet"))
    for name in (file, file.parent / "*.parquet"):
        with pytest.raises(fv.BadInput, match="files also contain deleted rows: name the folder") as refused:
            open_source(name, engine=engine)
        hint = str(refused.value).split("name the folder, ")[1].split(", or")[0]
        assert open_source(hint, engine=engine).rows == people().num_rows


def test_hudi_is_refused_and_the_hint_works(tmp_path: Path) -> None:
    (tmp_path / "people" / ".hoodie").mkdir(parents=True)
    for name in (tmp_path / "people", tmp_path / "people" / "*.parquet"):
        with pytest.raises(fv.BadInput, match=r"Hudi table, .*: write one state of it to Parquet files"):
            open_source(name)
    pq.write_table(people(), tmp_path / "state.parquet")
    assert open_source(tmp_path / "state.parquet").rows == people().num_rows


def test_a_table_of_iceberg_is_named_by_its_metadata_too(tmp_path: Path) -> None:
    lake = Lake("iceberg", tmp_path).commit(people())
    [*_, newest] = sorted((lake.folder / "metadata").glob("*.metadata.json"))
    lake.commit(people(9))
    assert open_source(newest).rows == people().num_rows
    assert open_source(lake.folder).rows == 9
    [*_, newest] = sorted((lake.folder / "metadata").glob("*.metadata.json"))
    shutil.copy(newest, newest.with_name(newest.name.replace("-", "-a", 1)))  # left by a commit that failed
    with pytest.raises(fv.BadInput, match="two of its states have the number") as refused:
        open_source(lake.folder)
    assert open_source(str(refused.value).split("name one, ")[1]).rows == 9
    (lake.folder / "metadata" / "version-hint.text").write_text(newest.name.removesuffix(".metadata.json"))
    assert open_source(lake.folder).rows == 9
