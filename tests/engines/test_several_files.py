"""Several files are one table: types are widened where nothing is lost and refused by name otherwise, and names of
files are names, alike in memory, on DuckDB and on Spark."""

from __future__ import annotations

import datetime as dt
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data.common_types import wider
from fairveil.engines import open_source

ENGINES = ("memory", "duckdb", "spark")
DAY = dt.datetime(2020, 2, 28)
WIDENED = {
    "integers": (pa.array([1, 2], pa.int32()), pa.array([2**40, -1])),
    "signs": (pa.array([255, 0], pa.uint8()), pa.array([-1, 2], pa.int8())),
    "large signs": (pa.array([2**64 - 1, 0], pa.uint64()), pa.array([-1, 2])),
    "numbers": (pa.array([1, 2], pa.int32()), pa.array([0.25, 0.1])),
    "small integers": (pa.array([1, 2]), pa.array([0.25, 0.5])),
    "floats": (pa.array([0.1, 2], pa.float32()), pa.array([0.1, 0.2])),
    "decimals": (pa.array([Decimal(1)] * 2, pa.decimal128(5, 1)), pa.array([Decimal("1.2")] * 2, pa.decimal128(9, 2))),
    "integers and decimals": (pa.array([7, 8], pa.int32()), pa.array([Decimal("1.25")] * 2, pa.decimal128(9, 2))),
    "nothing": (pa.nulls(2), pa.array([1, 2])),
    "nothing and durations": (pa.nulls(2), pa.array([1, 2], pa.duration("s"))),
    "nothing and days": (pa.nulls(2), pa.array([1, 2], pa.date32())),
    "nothing and moments": (pa.nulls(2), pa.array([1, 2], pa.timestamp("us"))),
    "nothing and nanoseconds": (pa.nulls(2), pa.array([1, 2], pa.timestamp("ns"))),
    "nothing and truth": (pa.nulls(2), pa.array([True, False])),
    "days": (pa.array([DAY.date()] * 2, pa.date64()), pa.array([DAY.date()] * 2)),
    "texts": (pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "a"], pa.large_string())),
    "moments": (pa.array([DAY] * 2, pa.timestamp("ms")), pa.array([1, 2], pa.timestamp("us"))),
    "nanoseconds": (pa.array([DAY] * 2, pa.timestamp("us")), pa.array([1, 2], pa.timestamp("ns"))),
    "zones": (pa.array([DAY] * 2, pa.timestamp("us", "UTC")), pa.array([1, 2], pa.timestamp("ms", "Europe/Berlin"))),
    "durations": (pa.array([1, 2], pa.duration("s")), pa.array([1, 2], pa.duration("us"))),
    "times": (pa.array([1, 2], pa.time32("ms")), pa.array([1, 2], pa.time64("us"))),
    "lists": (pa.array([[1], [2]]), pa.array([[1], None])),
}  # fmt: skip
REFUSED = {
    "text": (pa.array(["1", "Anna Secret"]), pa.array([1, 2]), "string in one.parquet and int64 in two.parquet"),
    "large": (pa.array([2**53 + 1, 1]), pa.array([0.5, 1.5]), "int64 in one.parquet|double in two.parquet and int64"),
    "zoned": (pa.array([DAY] * 2, pa.timestamp("us")), pa.array([DAY] * 2, pa.timestamp("us", "UTC")), "tz=UTC"),
    "early": (pa.array([dt.datetime(1, 1, 1)] * 2), pa.array([1, 2], pa.timestamp("ns")), "timestamp"),
    "day": (pa.array([DAY.date()] * 2), pa.array([DAY] * 2), r"date32\[day\] in one"),
    "truth": (pa.array([True, False]), pa.array([1, 0]), "bool in one"),
    "money": (pa.array([Decimal("1.5")] * 2, pa.decimal128(5, 1)), pa.array([0.5, 0.1]), "decimal"),
    "digits": (pa.array([Decimal(1)] * 2, pa.decimal128(38, 0)), pa.array([Decimal("0.1")] * 2, pa.decimal128(38, 38)),
               "decimal"),
}  # fmt: skip


def on(engine: str, request: pytest.FixtureRequest) -> str:
    if engine == "spark":
        request.getfixturevalue("spark")
    return engine


def values_of(source: Any, names: list[str]) -> dict[str, tuple[str, list[Any]]]:
    if hasattr(source, "count"):
        source.count(names)  # at once, because each query takes Spark a second
    return {name: (str(source.domain(name).values.type), source.domain(name).domain) for name in names}


@pytest.mark.parametrize("engine", ENGINES)
def test_types_are_widened_alike(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    names = list(WIDENED)
    for number, file in enumerate(("one.parquet", "two.parquet")):
        order = names[:: 1 - 2 * number]  # the order of columns does not matter
        pq.write_table(pa.table({name: WIDENED[name][number] for name in order}), tmp_path / file)
    pq.write_table(pa.table({name: WIDENED[name][0] for name in names}), tmp_path / "three.parquet")
    source = open_source(tmp_path / "*.parquet", engine=on(engine, request))
    assert source.rows == 6 and source.names == names
    read = values_of(source, [name for name in names if name != "lists"])
    for name, (_, values) in read.items():
        kind = source.domain(name).values.type
        wanted = {value for each in WIDENED[name] for value in each.drop_null().cast(kind).to_pylist()}
        assert {value for value in values if value is not None} == wanted, (name, kind)
    assert read == values_of(open_source(tmp_path / "*.parquet", engine="memory"), list(read))
    with pytest.raises(fv.BadInput, match="column 'lists' has lists"):
        source.domain("lists")


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("engine", ENGINES)
def test_types_that_lose_are_refused_by_name(
    engine: str, name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    one, two, sentence = REFUSED[name]
    pq.write_table(pa.table({"q": ["a", "b"], "p": one}), tmp_path / "one.parquet")
    pq.write_table(pa.table({"q": ["a", "b"], "p": two}), tmp_path / "two.parquet")
    with pytest.raises(fv.BadInput, match=sentence) as problem:
        open_source(tmp_path / "*.parquet", engine=on(engine, request))
    assert "column 'p' is " in str(problem.value) and "Anna" not in str(problem.value)


@pytest.mark.parametrize("engine", ENGINES)
def test_texts_of_several_csv_files(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("q,n,d\na,1,2020-01-01\nb,2,\n")
    (tmp_path / "2.csv").write_text("n;q;d\n0.5;c;2021-01-01\n007;a;x\n")
    source = open_source(tmp_path / "*.csv", engine=on(engine, request))
    assert source.rows == 4 and source.names == ["q", "n", "d"]
    assert values_of(source, ["q", "n", "d"]) == {
        "q": ("string", ["a", "b", "c"]), "n": ("string", ["0.5", "007", "1", "2"]),
        "d": ("string", ["2020-01-01", "2021-01-01", "x", None]),
    }  # fmt: skip


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("engine", ENGINES[:2])
def test_a_part_without_rows_changes_nothing(engine: str, ending: str, tmp_path: Path) -> None:
    """As one of many that a cluster wrote may have; its integers fit into any type."""
    kinds = pa.schema([("q", pa.string()), ("n", pa.int64())])
    parts = [pa.table({"q": ["a", "b"], "n": [1, 2]}), kinds.empty_table(), pa.table({"q": ["a", "c"], "n": [0.5, 1]})]
    for number, part in enumerate(parts):
        path = tmp_path / f"{number}.{ending}"
        pq.write_table(part, path) if ending == "parquet" else pa.csv.write_csv(part, path)
    source = open_source(tmp_path / f"*.{ending}", engine=engine)
    assert source.rows == 4 and values_of(source, ["q", "n"])["n"] == ("double", [0.5, 1, 2])
    for number in (0, 2):
        (tmp_path / f"{number}.{ending}").unlink()
    with pytest.raises(fv.BadInput, match="has a header but no rows"):
        open_source(tmp_path / f"*.{ending}", engine=engine).count(["q"])


@pytest.mark.parametrize("engine", ENGINES[:2])
@pytest.mark.parametrize("name", ["pipe.csv", "pipe.parquet", "pipe"])
def test_a_pipe_is_refused_and_not_waited_for(engine: str, name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(fv.BadInput, match="is not a regular file"):
        open_source(tmp_path / name, engine=engine)


def test_types_of_workbooks_are_compared_as_they_are_read(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("openpyxl")
    for number, values in enumerate(([1, 2], [0.5, 1.5], [None, None])):
        pandas.DataFrame({"q": ["a", "b"], "n": values}).to_excel(tmp_path / f"{number}.xlsx", index=False)
    assert fv.Table.read(tmp_path / "*.xlsx").column("n").domain == [0.5, 1, 1.5, 2, None]
    pandas.DataFrame({"q": ["a", "b"], "n": ["Anna", "b"]}).to_excel(tmp_path / "3.xlsx", index=False)
    with pytest.raises(fv.BadInput, match=r"column 'n' is int64 in 0\.xlsx and string in 3\.xlsx"):
        fv.Table.read(tmp_path / "*.xlsx")


ODD = ("s*.parquet", "q?.parquet", "a[1].parquet", "{a,b}.parquet", "a b.parquet", "100%41.parquet",
       "it's \"q\".parquet", "ü.parquet", "#x.parquet", "a,b.parquet", "$HOME.parquet")  # fmt: skip
LIKE_THEM = ("sx.parquet", "qx.parquet", "a1.parquet", "a.parquet", "b.parquet", "100A.parquet", "backslash.parquet")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_name_is_a_name(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    folder = tmp_path / "year=2020" / "[x]*"
    folder.mkdir(parents=True)
    for name in (*ODD, *LIKE_THEM):
        pq.write_table(pa.table({"q": [name]}), folder / name)
    for name in ODD:
        source = open_source(folder / name, engine=on(engine, request))
        assert (source.names, source.domain("q").domain) == (["q"], [name])
    pattern = tmp_path / "year=2020" / "[[]x[]]*" / "[sq]?.parquet"
    assert open_source(pattern, engine=engine).domain("q").domain == [
        "q?.parquet",
        "qx.parquet",
        "s*.parquet",
        "sx.parquet",
    ]


def test_files_that_spark_would_skip_are_refused(spark: Any, tmp_path: Path) -> None:
    for name in ("a.parquet", "_b.parquet"):
        pq.write_table(pa.table({"q": [name]}), tmp_path / name)
    with pytest.raises(fv.BadInput, match=r"such as '_b.parquet': rename it"):
        open_source(tmp_path / "*.parquet", engine="spark")


def test_every_pair_of_types_is_widened_without_loss_or_not_at_all() -> None:
    kinds = [pa.int8(), pa.uint8(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64(), pa.float16(), pa.float32(),
             pa.float64(), pa.decimal128(5, 2), pa.decimal128(38, 0), pa.string(), pa.bool_(), pa.date32(),
             pa.timestamp("s"), pa.timestamp("us", "UTC"), pa.duration("s"), pa.time32("s"), pa.null()]  # fmt: skip
    extremes = {"int8": [-128, 127], "uint8": [0, 255], "int32": [-(2**31), 2**31 - 1], "uint32": [0, 2**32 - 1],
                "int64": [-(2**63), 2**63 - 1], "uint64": [0, 2**64 - 1]}  # fmt: skip
    for one in kinds:
        for other in kinds:
            both = wider(one, other)
            assert both == wider(other, one)
            for number in extremes.get(str(one), []) if both is not None else []:
                assert pa.array([number], one).cast(both, safe=False)[0].as_py() == number, (one, other)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_message_contains_a_value(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    (tmp_path / "ragged.csv").write_text("q,p\nAnna Secret,1\nBob,2,3\n")
    (tmp_path / "quote.csv").write_text('q,p\nAnna Secret,"1\nBob,2\n')
    whole = pa.table({"q": ["Anna Secret", "Bob"] * 5000})
    pq.write_table(whole, tmp_path / "cut.parquet", compression="none")
    content = (tmp_path / "cut.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(content[:40] + b"\xff" * 40 + content[80:])
    for file in ("ragged.csv", "quote.csv", "cut.parquet"):
        try:
            source = open_source(tmp_path / file, engine=on(engine, request))
            source.count(["q"])
        except fv.BadInput as problem:
            assert "Anna" not in str(problem) and "Bob" not in str(problem), file
