"""An honest release is never denied: whatever columns hold and are called, it verifies, and readers see its rows."""

from __future__ import annotations

import csv
import datetime as dt
import io
import math
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data.release_csv import marked, write_csv
from fairveil.data.types import narrowest
from fairveil.data.writers import Format
from fairveil.methods import METHODS
from fairveil.published.csv_runs import read_csv
from tests.contracts.people import quick
from tests.known import ANY_DANGER

K2 = [fv.KAnonymity(2)]
NASTY = ["", "NA", "null", "NaN", "None", "=1+1", "+1", "-", "'", "''=", "@x", "a,b", 'q"q', "a;b", "x\ny", "x\r\ny",
         "\r", "\t", " lead", "trail ", "\ufeffbom", "e\u0301", "\u00e9", "🙂", "0", "08540", "1e5", "true", "#N/A",
         "1.0", "-0", "inf", "2020-01-01", "\u202edlrow", "*", "\\", "\\N"]  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(["a;b", "x\ny", "=1", "-", "'", 'q"', "a,b", "\ufeffb", "\té", "e\u0301", " lead", "trail ", "a|b",
                     "a.1", "NA", "name" * 80, "\r", "*", "data"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8),
).filter(lambda name: name.strip())  # fmt: skip
UTC = dt.UTC
SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
MOMENTS = st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1))
KINDS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "text": (pa.string(), st.one_of(st.sampled_from(NASTY), st.text(SIGNS, max_size=6))),
    "int64": (pa.int64(), st.one_of(st.integers(-3, 3), st.integers(-(2**63), 2**63 - 1))),
    "int8": (pa.int8(), st.integers(-128, 127)),
    "uint64": (pa.uint64(), st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1))),
    "double": (pa.float64(), st.floats(allow_nan=True, allow_infinity=True)),
    "float": (pa.float32(), st.floats(width=32)),
    "bool": (pa.bool_(), st.booleans()),
    "decimal": (pa.decimal128(30, 6), st.decimals(-10**9, 10**9, places=6, allow_nan=False)),
    "date": (pa.date32(), st.dates(dt.date(1600, 1, 1), dt.date(2200, 1, 1))),
    "moment": (pa.timestamp("us"), MOMENTS),
    "seconds": (pa.timestamp("s"), MOMENTS.map(lambda d: d.replace(microsecond=0))),
    "zoned": (pa.timestamp("ns", "Europe/Berlin"), MOMENTS.map(lambda d: d.replace(tzinfo=UTC))),
    "offset": (pa.timestamp("ms", "+05:30"), MOMENTS.map(lambda d: d.replace(microsecond=0, tzinfo=UTC))),
    "time": (pa.time64("us"), st.times()),
    "clock": (pa.time32("s"), st.times().map(lambda t: t.replace(microsecond=0))),
    "duration": (pa.duration("us"), st.timedeltas(dt.timedelta(-9999), dt.timedelta(9999))),
    "category": (pa.dictionary(pa.int32(), pa.string()), st.sampled_from(NASTY)),
    "large text": (pa.large_string(), st.sampled_from(NASTY)),
    "half": (pa.float16(), st.sampled_from([0.5, 1.0, -2.0]).map(np.float16)),
}  # fmt: skip


def column_of(kind: pa.DataType, values: list[Any]) -> pa.Array:
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode()
    return pa.array(values, kind)


@st.composite
def columns(draw: st.DrawFn) -> pa.Array:
    """A column of any type: few values, missing ones among them, sometimes nothing else."""
    kind, values = KINDS[draw(st.sampled_from(sorted(KINDS)))]
    known = draw(st.lists(st.one_of(st.none(), values), min_size=1, max_size=4))
    return column_of(kind, [draw(st.sampled_from(known)) for _ in range(8)])


@st.composite
def tables(draw: st.DrawFn) -> tuple[pa.Table, fv.Schema]:
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    quasi = names[: draw(st.integers(1, len(names)))]
    rest = names[len(quasi) :]
    cut = draw(st.integers(0, len(rest)))
    table = pa.table([draw(columns()) for _ in names], names=names)
    return table, fv.Schema(quasi=quasi, sensitive=rest[:cut], plain=rest[cut:])


def plain(value: Any) -> Any:
    if isinstance(value, float) and math.isnan(value):
        return None
    return value


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(case=tables(), format=st.sampled_from(["csv", "parquet"]))
def test_any_types_names_and_values(case: tuple[pa.Table, fv.Schema], format: str) -> None:
    table, schema = case
    release = fv.search(table, schema, guards=K2).best("loss")
    with tempfile.TemporaryDirectory() as place:
        folder = release.save(Path(place) / "out", format=format, accept=ANY_DANGER).path  # type: ignore[arg-type]
        verification = fv.verify(folder)
        assert verification, verification.problems
        if format == "parquet":
            frame = pd.read_parquet(folder / "data.parquet")
            if not any(str(kind).endswith("+05:30]") for kind in table.schema.types):  # Polars knows named zones only
                assert pl.read_parquet(folder / "data.parquet").shape == frame.shape
        else:
            frame = pd.read_csv(folder / "data.csv")
            as_csv_readers_see_it(folder / "data.csv", release)
        assert frame.shape == (release.table.rows, len(release.table.names))


def as_csv_readers_see_it(path: Path, release: fv.Release) -> None:
    """The same rows for the csv module, Polars and Arrow, and the same texts and missing values for pandas."""
    shape = (release.table.rows, len(release.table.names))
    with path.open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    assert header == marked(pa.array(release.table.names)).to_pylist()
    assert len(rows) == shape[0] and all(len(row) == shape[1] for row in rows)
    assert pl.read_csv(path, infer_schema=False).shape == shape
    options = pa.csv.ParseOptions(newlines_in_values=True)
    assert pa.csv.read_csv(path, parse_options=options).shape == shape
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=str)
    for column, name in zip(release.table.columns, frame.columns, strict=True):
        if pa.types.is_string(column.values.type):
            texts = marked(column.to_arrow()).to_pylist()
            assert [None if pd.isna(value) else value for value in frame[name]] == texts


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_any_type_beside_any_method(method: Any, kind: str, tmp_path: Path) -> None:
    """Every method publishes a column of every type; what it cannot take it refuses in one sentence."""
    arrow, _ = KINDS[kind]
    special: dict[str, list[Any]] = {
        "text": ["", "=1", "a;b", None], "int64": [2**62, -1, 0, None], "int8": [1, -7, 100, None],
        "uint64": [2**64 - 1, 0, 5, None], "double": [1.5, math.inf, -0.0, None], "float": [0.1, 2.0, -1.0, None],
        "bool": [True, False, None, True], "decimal": [Decimal("1.500000"), Decimal("-2"), Decimal("0"), None],
        "date": [dt.date(2020, 1, 1), dt.date(1999, 1, 1), dt.date(2000, 2, 29), None],
        "time": [dt.time(1, 2, 3, 4), dt.time(0), dt.time(23, 59, 59), None],
        "clock": [dt.time(1, 2, 3), dt.time(0), dt.time(23, 59, 59), None],
        "duration": [dt.timedelta(days=-1, microseconds=1), dt.timedelta(0), dt.timedelta(5), None],
        "category": ["", "NA", "x", None], "large text": ["", "'", "x", None],
        "half": [np.float16(0.5), np.float16(1), np.float16(3), None],
    }  # fmt: skip
    some = special.get(kind, [dt.datetime(2020, 1, 1, tzinfo=UTC if getattr(arrow, "tz", None) else None), None])
    rng = np.random.default_rng(0)
    rows = 40
    table = pa.table({
        "q": pa.array(rng.choice(["a", "b"], rows)), "r": pa.array(rng.integers(0, 4, rows)),
        "odd": column_of(arrow, [some[i % len(some)] for i in range(rows)]),
        "y": pa.array(rng.choice(["no", "yes"], rows)),
    })  # fmt: skip
    schemas = (fv.Schema(quasi=["q", "r"], plain=["odd"], protected=["q"], decision="y", denied="no"),
               fv.Schema(quasi=["q", "r", "odd"], protected=["q"], decision="y", denied="no"))  # fmt: skip
    turn = METHODS.names.index(method.kind) + sorted(KINDS).index(kind)
    for number, schema in enumerate(schemas, start=turn):  # each type in each role and format, and so each method
        try:
            release = fv.search(table, schema, guards=K2, method=quick(method)).release(0)
        except (fv.BadInput, fv.Infeasible) as problem:
            assert "\n" not in str(problem)
            continue
        format: Format = "parquet" if number % 2 else "csv"
        assert release.save(tmp_path / str(number), format=format)  # verifies itself


@pytest.mark.parametrize("values", [["a", "a", None, None], [None] * 4, [1, 1, None, None], [1.5, 1.5, None, None],
                                    ["", "", None, None], ["", "", "'", "'"]])  # fmt: skip
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_one_column_loses_no_row(values: list[Any], format: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": values})
    release = fv.search(frame, fv.Schema(quasi=["q"]), guards=K2).best("loss")
    folder = release.save(tmp_path / "out", format=format).path  # type: ignore[arg-type]
    assert fv.verify(folder), fv.verify(folder).problems
    if format == "csv":
        as_csv_readers_see_it(folder / "data.csv", release)
        assert len(pd.read_csv(folder / "data.csv")) == 4


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary(3), pa.list_(pa.int64()),
                                  pa.struct([("a", pa.int64())]), pa.map_(pa.string(), pa.int64())])  # fmt: skip
def test_what_cannot_be_published_is_refused_before_any_work(kind: pa.DataType) -> None:
    table = pa.table({"q": ["a", "a"], "odd": pa.nulls(2, kind)})
    with pytest.raises(fv.BadInput, match="column 'odd' has"):
        fv.search(table, fv.Schema(quasi=["q"], plain=["odd"]), guards=K2)


def test_a_row_longer_than_a_block(tmp_path: Path) -> None:
    long = "x" * 3_000_000
    table = pa.table({"q": ["a", "a", "b", "b"], long[:200_000]: ["u", long, "u", "v"]})
    schema = fv.Schema(quasi=["q"], plain=[long[:200_000]])
    folder = fv.search(table, schema, guards=K2).best("loss").save(tmp_path / "out", accept=ANY_DANGER).path
    assert fv.verify(folder), fv.verify(folder).problems


@given(texts=st.lists(st.one_of(st.none(), st.sampled_from(NASTY), st.text("'=-+@\t\ra", max_size=5)), max_size=8),
       name=NAMES)  # fmt: skip
def test_own_csv_comes_back(texts: list[str | None], name: str) -> None:
    for table in (
        pa.table({name: pa.array(texts, pa.string())}),
        pa.table({name: pa.array(texts, pa.string()), "2 " + name: texts}),
    ):
        if not table.num_rows:
            continue
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "data.csv"
            write_csv(fv.Table.from_frame(table), path)
            back, counts = read_csv(io.BytesIO(path.read_bytes()), "data.csv")
        assert back.names == table.column_names
        assert np.repeat(np.array(back.column(name).to_arrow().to_pylist(), dtype=object), counts).tolist() == texts


@given(columns())
def test_the_narrowest_type_holds_the_same_values(column: pa.Array) -> None:
    values = fv.Table.from_frame(pa.table({"x": column})).column("x").values
    narrow = narrowest(values)
    again = narrowest(narrow)
    assert again.type == narrow.type and again.equals(narrow)
    assert [plain(v) for v in narrow.to_pylist()] == [plain(v) for v in values.to_pylist()]
