"""Every type that people have is published alike from every engine that has it, or refused in the same sentence."""

from __future__ import annotations

import datetime as dt
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data.coding import source_piece
from fairveil.data.dialect import Dialect, Missing
from fairveil.engines import open_source, source_of
from fairveil.engines.lazy import LazySource
from tests import real_parts
from tests.contracts.people import contents
from tests.known import ANY_DANGER

ROWS, MANY = 12, 20_000
MOMENT = dt.datetime(2020, 2, 28, 23, 59, 58)
TWICE = [dt.datetime(2020, 10, 25, hour, 30, tzinfo=dt.UTC) for hour in (0, 1)]
"""Both are half past two in Berlin, where the hour comes twice."""
UUIDS = [uuid.UUID(int=2**100 + number) for number in range(3)]


@dataclass(frozen=True)
class Case:
    """Three values of a type, its name in PostgreSQL, and the engines that have no such type."""

    values: pa.Array
    postgres: str = ""
    lacking: str = ""


def array(values: list[Any], kind: pa.DataType | None = None) -> pa.Array:
    return pa.array(values, kind)


NO_ARROW = "spark"
"""Spark takes no such array, but reads it from Parquet files."""
PUBLISHED = {
    "text": Case(array(["a", "é", "a "]), "text"),
    "large text": Case(array(["a", "b", "c"], pa.large_string()), "varchar(9)"),
    "long text": Case(array(["x" * 100_000, "y", "x" * 100_001]), "text"),
    "NUL": Case(array(["a\0", "a", "a\0b"])),
    "category": Case(array(["sad", "ok", None]).dictionary_encode(), "mood"),
    "coded category": Case(array([1, 5, 7]).dictionary_encode(), "bigint"),
    "padded": Case(array(["a", "b", "c"]), "char(5)"),
    "UUID": Case(array([u.bytes for u in UUIDS], pa.uuid()), "uuid", f"polars {NO_ARROW}"),
    "no value": Case(pa.nulls(3), "text"),
    "truth": Case(array([True, False, None]), "boolean"),
    "int8": Case(array([1, -2, 100], pa.int8()), "smallint"),
    "int16": Case(array([1, -2, 100], pa.int16()), "smallint"),
    "int32": Case(array([1, -2, 100], pa.int32()), "integer"),
    "int64": Case(array([2**63 - 1, -(2**63), 2**53 + 1]), "bigint"),
    "uint8": Case(array([1, 2, 255], pa.uint8()), "smallint", NO_ARROW),
    "uint16": Case(array([1, 2, 2**16 - 1], pa.uint16()), "integer", NO_ARROW),
    "uint32": Case(array([1, 2, 2**32 - 1], pa.uint32()), "bigint", NO_ARROW),
    "uint64": Case(array([2**64 - 1, 0, 5], pa.uint64()), "", NO_ARROW),
    "float16": Case(array([0.5, -2.25, 1e-7], pa.float16()), "", f"duckdb {NO_ARROW}"),
    "float32": Case(array([0.1, -0.0, float("inf")], pa.float32()), "real"),
    "float64": Case(array([0.1 + 0.2, float("nan"), -5e-324]), "double precision"),
    "decimal": Case(array([Decimal("1.10"), Decimal("-2.00"), Decimal("0")], pa.decimal128(9, 2)), "numeric"),
    "decimal32": Case(array([Decimal("1.10"), Decimal("-2"), Decimal("0")], pa.decimal32(9, 2)), "numeric(9, 2)"),
    "38 digits": Case(array([Decimal(10**38 - 1), Decimal(-1), Decimal(3)], pa.decimal128(38, 0)), "numeric(38)"),
    "38 places": Case(array([Decimal("0." + "1" * 38), Decimal("-0.1"), None], pa.decimal128(38, 38)), "numeric"),
    "day": Case(array([dt.date(1, 1, 1), dt.date(1582, 10, 10), dt.date(9999, 12, 31)]), "date"),
    "date64": Case(array([dt.date(1, 1, 1), dt.date(1899, 10, 10), MOMENT.date()], pa.date64()), "date",
                   f"polars {NO_ARROW}"),
    "seconds": Case(array([MOMENT, None, dt.datetime(1, 1, 1)], pa.timestamp("s")), "timestamp(0)"),
    "milliseconds": Case(array([MOMENT, None, dt.datetime(1900, 1, 1)], pa.timestamp("ms")), "timestamp(3)"),
    "microseconds": Case(array([MOMENT, dt.datetime(9999, 12, 31, 1, 1, 1, 1), None], pa.timestamp("us")), "timestamp"),
    "nanoseconds": Case(array([1, 2, 10**18], pa.timestamp("ns")), "", NO_ARROW),
    "Berlin": Case(array([*TWICE, None], pa.timestamp("us", "Europe/Berlin")), "timestamptz"),
    "zoned nanoseconds": Case(array([1, 2, 10**18], pa.timestamp("ns", "Asia/Kathmandu")), "", NO_ARROW),
    "time in s": Case(array([0, 1, 86399], pa.time32("s")), "time", NO_ARROW),
    "time in ms": Case(array([0, 1, 86_399_999], pa.time32("ms")), "time", NO_ARROW),
    "time in us": Case(array([0, 1, 86_399_999_999], pa.time64("us")), "time", NO_ARROW),
    "time in ns": Case(array([0, 1, 86_399_999_999_999], pa.time64("ns")), "", NO_ARROW),
    "duration in s": Case(array([1, -2, 10**9], pa.duration("s")), "interval"),
    "duration in ms": Case(array([1, -2, 10**9], pa.duration("ms")), "interval"),
    "duration in us": Case(array([1, -86_400_000_001, 10**15], pa.duration("us")), "interval"),
    "duration in ns": Case(array([1, -2, 10**15], pa.duration("ns")), "", f"duckdb {NO_ARROW}"),
    "interval": Case(array([(0, 1, 0), (0, 0, -5000), (0, -2, 1000)], pa.month_day_nano_interval()), "interval",
                     "polars parquet spark"),
}  # fmt: skip
STRANGE = {"UUID", "uint64", "float64", "nanoseconds", "Berlin", "duration in us"}
REFUSED = {
    "map": Case(array([[("a", 1)], [], None], pa.map_(pa.string(), pa.int8())), "", "pandas"),
    "list": Case(array([[1], [2], None]), "int[]"),
    "structure": Case(array([{"a": 1}, {"a": 2}, None]), ""),
    "bytes": Case(array([b"a", b"\xff", None]), "bytea"),
    "16 bytes": Case(array([b"a" * 16, b"b" * 16, None], pa.binary(16)), ""),
    "JSON": Case(array(['{"a":1}', "[]", None], pa.json_()), "jsonb", f"pandas {NO_ARROW}"),
    "months": Case(array([(1, 0, 0), (0, 1, 0), None], pa.month_day_nano_interval()), "interval",
                   "polars parquet spark"),
    "39 digits": Case(array([Decimal(1), Decimal(2), None], pa.decimal256(39, 0)), "",
                      f"pandas polars duckdb {NO_ARROW}"),
    "year 12000": Case(array([3_700_000, 0, None], pa.int32()).cast(pa.date32()), "", "pandas"),
    "millennia": Case(array([400_000_000_000_000_000, 0, None], pa.timestamp("us")), "", "pandas"),
}  # fmt: skip


def having(cases: Mapping[str, Case], engine: str) -> dict[str, Case]:
    """The cases of types that an engine has."""
    if engine == "postgres":
        return {name: case for name, case in cases.items() if case.postgres}
    return {name: case for name, case in cases.items() if not {*engine.split()} & {*case.lacking.split()}}


def table_of(cases: Mapping[str, Case], roles: tuple[str, ...], one_each: bool = False) -> pa.Table:
    """Each type in each role, or in one of them; an identifier has each value once."""
    columns: dict[str, pa.Array] = {"q": array(["a", "b"] * (ROWS // 2))}
    for position, role in enumerate(roles):
        once = role in ("pseudonym", "identifier")
        rows = array([*range(3), *([None] * (ROWS - 3))] if once else [*range(3)] * (ROWS // 3), pa.int64())
        those = [*cases][position :: len(roles)] if one_each else cases
        columns |= {f"{role} {name}": cases[name].values.take(rows) for name in those}
    return pa.table(columns)


TOGETHER = 13
"""Columns of one table with many rows: an engine plans more of them together slowly."""


def many_rows(engine: str, rows: int) -> Iterator[tuple[dict[str, Case], pa.Table]]:
    """Tables of so many rows with all types that an engine has, some in each; long texts would not fit into memory."""
    cases = [(name, case) for name, case in having(PUBLISHED, engine).items() if name != "long text"]
    for start in range(0, len(cases), TOGETHER):
        some = dict(cases[start : start + TOGETHER])
        yield some, drawn(some, rows)


def postgres_types(cases: Mapping[str, Case]) -> dict[str, str]:
    """The types on PostgreSQL of the columns that are drawn."""
    return {"q": "text", **{f"plain {name}": case.postgres for name, case in cases.items()}}


def add_enum(server: Any) -> None:
    """Create the enumeration that a case names."""
    import psycopg

    with psycopg.connect(server.url_with_password, autocommit=True) as connection:
        connection.execute("DROP TYPE IF EXISTS mood CASCADE")
        connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")


def drawn(cases: Mapping[str, Case], rows: int) -> pa.Table:
    """So many rows of values of every type, drawn column by column."""
    random = np.random.default_rng(0)
    draws = {f"plain {name}": case.values.take(pa.array(random.integers(0, 3, rows))) for name, case in cases.items()}
    return pa.table({"q": pa.array(random.choice(["a", "b"], rows)), **draws})


def schema_of(names: list[str], quasi: tuple[str, ...] = ("q",)) -> fv.Schema:
    def those(*roles: str) -> list[str]:
        return [name for name in names if name.startswith(roles) and name not in quasi]

    return fv.Schema(
        quasi=quasi, plain=those("plain "), sensitive=those("sensitive "), pseudonyms=those("pseudonym "),
        identifier=those("pseudonym ", "identifier "), drop=those("drop ", *(["q"] if "q" not in quasi else [])),
    )  # fmt: skip


ENGINES = (
    "pandas",
    "polars",
    "polars lazy",
    "duckdb",
    "parquet memory",
    "parquet duckdb",
    pytest.param("parquet", id="parquet on spark"),
    "spark",
    "postgres",
)


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Callable[..., Any]]:
    """The name of an engine, and a function that makes a source of a table there."""
    return request.param, maker(request.param, request, tmp_path_factory.mktemp("types"))


def maker(engine: str, request: pytest.FixtureRequest, folder: Path) -> Callable[..., Any]:
    if engine == "pandas":
        import pandas

        return lambda table, _: table.to_pandas(types_mapper=pandas.ArrowDtype)
    if engine.startswith("polars"):
        import polars

        return lambda table, _: polars.from_arrow(table).lazy() if "lazy" in engine else polars.from_arrow(table)
    if engine == "duckdb":
        import duckdb

        return lambda table, _: duckdb.connect().from_arrow(table)
    if engine == "postgres":
        server = request.getfixturevalue("postgres")
        return partial(on_postgres, server)
    session: Any = request.getfixturevalue("spark") if engine in ("parquet", "spark") else None
    if engine == "spark":
        from pyspark.sql.pandas.types import from_arrow_schema

        return lambda table, _: session.createDataFrame(
            table, from_arrow_schema(table.schema, prefer_timestamp_ntz=True)
        )

    def from_file(table: pa.Table, _: Any, missing: Missing = "category") -> Any:
        pq.write_table(table, folder / "types.parquet")
        where = engine.partition(" ")[2] or "spark"
        return open_source(folder / "types.parquet", engine=where, dialect=Dialect(missing))

    return from_file


def on_postgres(server: Any, table: pa.Table, cases: Mapping[str, Case], missing: Missing = "category") -> Any:
    """The table on PostgreSQL."""
    import psycopg

    kinds = ["text", *(cases[name.partition(" ")[2]].postgres for name in table.column_names[1:])]
    add_enum(server)
    with psycopg.connect(server.url_with_password, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS every_type")
        columns = ", ".join(f'"{name}" {kind}' for name, kind in zip(table.column_names, kinds, strict=True))
        connection.execute(f"CREATE TABLE every_type ({columns})".encode())
        values = ", ".join(f"%s::{kind}" for kind in kinds)
        rows = zip(*(map(in_postgres, column.to_pylist()) for column in table.columns), strict=True)
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO every_type VALUES ({values})".encode(), list(rows))
    return open_source(server.url, table="every_type", dialect=Dialect(missing))


def in_postgres(value: Any) -> Any:
    if type(value).__name__ == "MonthDayNano":
        return f"{value.months} months {value.days} days {value.nanoseconds // 1000} microseconds"
    if isinstance(value, dict):
        return str(value)
    return value


def saved(data: Any, schema: fv.Schema, path: Path, **options: Any) -> dict[str, bytes]:
    found = fv.search(data, schema, guards=[fv.KAnonymity(2)], **options).best("loss")
    return contents(found.save(path, format="parquet", accept=ANY_DANGER).path)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key that nobody knows")
    if "postgres" in request.node.name:
        monkeypatch.setenv("PGPASSWORD", request.getfixturevalue("postgres").password)


def counted(given: Any) -> Any:
    """The source with all columns counted at once: on Spark, each query takes a second."""
    source = source_of(given)
    if isinstance(source, LazySource):
        source.count([name for name in source.names if not name.startswith(("drop ", "identifier "))])
    return source


def test_the_release_is_the_same_in_every_role(engine: tuple[str, Callable[..., Any]], tmp_path: Path) -> None:
    name, made = engine
    cases = having(PUBLISHED, name)
    table = table_of(cases, ("plain", "sensitive", "pseudonym", "identifier", "drop"))
    if name in ("parquet", "spark"):  # which joins each column with its values: every type is published in one role
        table = table_of(cases, ("plain", "sensitive", "pseudonym"), one_each=True)
    schema = schema_of(table.column_names)
    theirs = saved(table, schema, tmp_path / "memory")
    ours = saved(counted(made(table, cases)), schema, tmp_path / "engine")
    if ours != theirs:
        one, other = (pq.read_table(tmp_path / each / "data.parquet") for each in ("memory", "engine"))
        assert one.schema == other.schema
        assert {n: one[n].to_pylist() for n in one.column_names} == {n: other[n].to_pylist() for n in one.column_names}
    assert ours == theirs


@pytest.mark.parametrize(
    "quasi", [("UUID", "category", "no value", "padded"), ("Berlin", "nanoseconds", "time in ms", "duration in us"),
              ("uint64", "float16", "38 digits", "float64", "interval")]
)  # fmt: skip
def test_quasi_identifiers(engine: tuple[str, Callable[..., Any]], quasi: tuple[str, ...], tmp_path: Path) -> None:
    name, made = engine
    cases = {each: case for each, case in having(PUBLISHED, name).items() if each in quasi}
    table = table_of(cases, ("plain",))
    schema = schema_of(table.column_names, tuple(f"plain {each}" for each in cases))
    missing: Missing = "category" if "no value" in cases else "drop"
    theirs = saved(table, schema, tmp_path / "memory", missing=missing)
    given = made(table, cases, missing) if name.startswith(("parquet", "postgres")) else made(table, cases)
    assert saved(source_of(given, missing=missing), schema, tmp_path / "engine") == theirs


def test_many_rows(engine: tuple[str, Callable[..., Any]], tmp_path: Path, request: pytest.FixtureRequest) -> None:
    name, made = engine
    for number, (cases, table) in enumerate(many_rows(name, MANY)):
        if name in ("parquet", "spark"):  # which joins each column with its values, and takes seconds for it
            table = table.select(["q", *(f"plain {each}" for each in cases if each in STRANGE)])
        if table.num_columns == 1:
            continue
        out, schema = tmp_path / str(number), schema_of(table.column_names)
        out.mkdir()
        if name == "postgres":
            postgres = request.getfixturevalue("postgres")
            add_enum(postgres)
            pq.write_table(without_intervals(table), out / "many.parquet")
            real_parts.copy_parquet(out / "many.parquet", postgres, "many", postgres_types(cases))
            source = open_source(postgres.url, table="many")
        else:
            source = source_of(made(table, cases))
        assert saved(source, schema, out / "engine") == saved(table, schema, out / "memory")


def without_intervals(table: pa.Table) -> pa.Table:
    """The table with durations instead of intervals, which Parquet files have not."""
    columns = [source_piece(name, table[name]) if pa.types.is_interval(table[name].type) else table[name]
               for name in table.column_names]  # fmt: skip
    return pa.table(columns, names=table.column_names)


def test_what_cannot_be_published_is_refused_in_one_sentence_or_dropped(
    engine: tuple[str, Callable[..., Any]], tmp_path: Path
) -> None:
    name, made = engine
    cases = having(REFUSED, name)
    table = table_of(cases, ("plain", "identifier", "drop"))
    source = source_of(made(table, cases))
    for column in (f"plain {each}" for each in cases):
        with pytest.raises(fv.BadInput) as theirs:
            source_of(table).domain(column)
        with pytest.raises(fv.BadInput) as ours:
            pytest.fail(f"{column} has {source.domain(column).domain}")
        assert str(ours.value) == str(theirs.value) and repr(column) in str(ours.value)
    left = schema_of([each for each in table.column_names if not each.startswith("plain ")])
    schema = fv.Schema(quasi=["q"], identifier=left.identifier, drop=[*left.drop, *(f"plain {each}" for each in cases)])
    assert saved(source, schema, tmp_path / "engine") == saved(table, schema, tmp_path / "memory")


def test_texts_of_pandas_that_are_no_texts_can_be_dropped() -> None:
    import pandas

    frame = pandas.DataFrame({"q": list("aabb"), "half": pandas.Series(["\ud800", "x", None, "y"], dtype=object),
                              "mixed": [1, "x", None, b"z"]})  # fmt: skip
    schema = fv.Schema(quasi=["q"], drop=["half", "mixed"])
    assert fv.search(frame, schema, guards=[fv.KAnonymity(2)]).best("loss").table.rows == 4
    for name, sentence in (("half", "has texts with unpaired surrogates"), ("mixed", "mixes types")):
        with pytest.raises(fv.BadInput, match=f"column '{name}' {sentence}"):
            fv.search(frame[["q", name]], fv.Schema(quasi=["q"], plain=[name]), guards=[fv.KAnonymity(2)])


def test_a_relation_that_computes_other_values_each_time_is_read_once(tmp_path: Path) -> None:
    import duckdb

    connection = duckdb.connect()
    connection.execute("CREATE VIEW people AS SELECT uuid() AS id, 'a' || range % 2 AS q, now() AS at FROM range(40)")
    for relation in (
        connection.sql("FROM people"),
        connection.sql("SELECT uuid() AS id, 'a' AS q, now() AS at FROM range(9)"),
    ):
        schema = fv.Schema(identifier=["id"], pseudonyms=["id"], quasi=["q"], plain=["at"])
        assert saved(relation, schema, tmp_path / str(len(relation)))


RUNS = fv.Schema(quasi=["q"], plain=["plain"])


def test_encodings_of_arrow_that_it_cannot_compute_with(tmp_path: Path) -> None:
    """Runs of equal values are read as the values; binary views are refused as all binary values."""
    import duckdb

    ends = pa.array([8, 12], pa.int32())
    q = array(["a", "b"] * (ROWS // 2))
    for values in (array(["b", None]), array([2.5, 1]), array([dt.date(2020, 1, 1), None])):
        runs = pa.table({"q": q, "plain": pa.RunEndEncodedArray.from_arrays(ends, values)})
        theirs = saved(runs.set_column(1, "plain", values.take(array([0] * 8 + [1] * 4))), RUNS, tmp_path / "plain")
        for number, given in enumerate((runs, duckdb.connect().from_arrow(runs))):
            assert saved(given, RUNS, tmp_path / str(number)) == theirs
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()
    sentences = set()
    for kind in (pa.binary(), pa.binary_view(), pa.large_binary(), pa.binary(1)):
        table = pa.table({"q": q, "plain": array([b"x"] * ROWS, kind)})
        pq.write_table(table, tmp_path / "binary.parquet")
        for given in (table, tmp_path / "binary.parquet", open_source(tmp_path / "binary.parquet", engine="duckdb")):
            with pytest.raises(fv.BadInput) as problem:
                saved(given, RUNS, tmp_path / "binary")
            sentences.add(str(problem.value))
    assert len(sentences) == 1 and "binary values" in sentences.pop()
