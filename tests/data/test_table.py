"""Tables: any frame or file in, the same kind out, types and order kept, nothing of the caller's changed."""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data.csv_reader import open_csv
from fairveil.data.dialect import CellDialect, Dialect

COLUMNS = {
    "zip": ["08540", "10001", "08540", "99999"],
    "age": [31, 40, 9, 31],
    "weight": [1.5, 2.0, None, 1.5],
    "born": [date(1990, 1, 2), date(1980, 3, 4), date(2015, 5, 6), None],
    "name": ["é", "<b>", None, "x"],
    "ok": [True, False, True, None],
}


def frames() -> list[Any]:
    return [pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), pa.table(COLUMNS)]


@pytest.mark.parametrize("frame", frames(), ids=lambda f: type(f).__module__.split(".")[0])
def test_the_same_kind_comes_out(frame: Any) -> None:
    back = fv.Table.from_frame(frame).to_frame()
    assert type(back) is type(frame)
    if isinstance(frame, pd.DataFrame):
        pd.testing.assert_frame_equal(back, frame, check_dtype=True)
    else:
        assert back.equals(frame)


def test_pandas_types_that_arrow_does_not_carry_are_kept_where_values_still_fit() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["u", "v", "u"]), "i": pd.array([1, 2, None], dtype="Int64")})
    assert list(fv.Table.from_frame(frame).to_frame().dtypes) == list(frame.dtypes)
    schema = fv.Schema(quasi=["c"], plain=["i"])
    release = fv.search(frame, schema, guards=[fv.KAnonymity(3)]).best("loss")
    assert release.to_frame()["c"].tolist() == ["*", "*", "*"]  # no NaN from a category that is not listed


def test_the_callers_frame_is_not_changed() -> None:
    for frame in frames():
        before = pickle(frame)
        table = fv.Table.from_frame(frame)
        schema = fv.Schema(quasi=["zip", "age"], plain=["weight", "born", "name", "ok"])
        fv.search(table, schema, guards=[fv.KAnonymity(2)]).best("loss").to_frame()
        assert pickle(frame) == before


def pickle(frame: object) -> bytes:
    import pickle as standard

    return standard.dumps(frame)


def test_files_and_frames_give_the_same_table(tmp_path: Path) -> None:
    source = pa.table(COLUMNS)
    pq.write_table(source, tmp_path / "t.parquet")
    pd.DataFrame(COLUMNS).to_csv(tmp_path / "t.csv", index=False)
    with gzip.open(tmp_path / "t.csv.gz", "wt") as file:
        file.write((tmp_path / "t.csv").read_text())
    parquet = fv.Table.read(tmp_path / "t.parquet")
    assert parquet.to_arrow().equals(source)
    for name in ("t.csv", "t.csv.gz"):
        csv = fv.Table.read(tmp_path / name)
        assert csv.names == source.column_names
        for column in ("zip", "age", "weight", "born", "name"):
            assert csv.to_arrow()[column].to_pylist() == COLUMNS[column], column


def test_codes_with_leading_zeros_stay_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("zip;n\n08540;1\n10001;2\n")
    table = fv.Table.read(tmp_path / "t.csv")
    assert table.column("zip").domain == ["08540", "10001"]
    assert table.column("n").domain == [1, 2]


def test_one_number_spelled_two_ways_is_one_value(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,y\n1.0,a\n1,b\n2.50,c\n,d\n")
    column = fv.Table.read(tmp_path / "t.csv").column("x")
    assert column.domain == [1.0, 2.5, None]
    assert column.codes.tolist() == [0, 0, 1, 2]


def test_missing_values_are_a_category_or_their_rows_go_and_are_counted() -> None:
    frame = pa.table({"a": ["x", None, "y"], "b": [1, 2, None]})
    kept = fv.Table.from_frame(frame)
    assert (kept.rows, kept.dropped) == (3, 0)
    assert kept.column("a").domain == ["x", "y", None]
    dropped = fv.Table.from_frame(frame, missing="drop")
    assert (dropped.rows, dropped.dropped) == (1, 2)
    assert dropped.column("a").domain == ["x"]


def test_there_is_one_zero(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n-0.0\n0.0\n1.5\n")
    for table in (fv.Table.read(tmp_path / "t.csv"), fv.Table.from_frame(pa.table({"a": [-0.0, 0.0, 1.5]}))):
        assert table.column("a").codes.tolist() == [0, 0, 1] and str(table.column("a").domain[0]) == "0.0"


def test_missing_values_spelled_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n?,1\nx,2\n")
    assert fv.Table.read(tmp_path / "t.csv", missing_values=["?"]).column("a").domain == ["x", None]


@given(st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=30), st.integers(1, 7))
def test_coding_in_pieces_is_coding_at_once(values: list[str | None], size: int) -> None:
    from fairveil.data.coding import Coder

    pieces, whole = Coder("x"), Coder("x")
    array = pa.array(values, pa.string())
    whole.add(array)
    for start in range(0, len(array), size):
        pieces.add(array.slice(start, size))
    in_pieces, at_once = pieces.finish(), whole.finish()
    assert in_pieces.domain == at_once.domain
    assert in_pieces.codes.tolist() == at_once.codes.tolist()
    assert in_pieces.to_arrow().to_pylist() == values


@pytest.mark.parametrize("content", [",age\n0,31\n1,40\n", "\ufeff,age\r\n0,31\r\n1,40\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_column_without_a_name_gets_that_of_its_place(tmp_path: Path, content: str, encoding: str) -> None:
    """pandas writes the row numbers so."""
    (tmp_path / "t.csv").write_bytes(content.encode(encoding))
    for dialect in (Dialect(), CellDialect()):
        pieces = list(open_csv(tmp_path / "t.csv", dialect, None).pieces())
        assert {tuple(piece) for piece in pieces} == {("column_1", "age")}
        assert [age for piece in pieces for age in piece["age"].to_pylist()] == ["31", "40"]


def test_a_sheet_of_pandas_has_row_numbers_without_a_name(tmp_path: Path) -> None:
    pd.DataFrame({"age": [31, 40]}).to_excel(tmp_path / "t.xlsx")
    assert fv.Table.read(tmp_path / "t.xlsx").names == ["column_1", "age"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "t.csv is empty"),
        (b"a,b\n", "t.csv has a header but no rows"),
        (b"a,a\n1,2\n", "two columns are called 'a'"),
        (b"column_2,\n1,2\n", "two columns are called 'column_2'"),
        (b"a,b\n1,2\n3\n", "t.csv is truncated, or is not a CSV file"),
        (b"a\n1\n2\nx\n", r"column 'a' mixes numbers and text \(such as 'x'\)"),
        (b"\xff\xfe\x00", "t.csv is not UTF-16"),
        (b"a\n\x00\x01\x02\n", "t.csv contains zero bytes"),
        (b"a\n\x81\x8d\n", "t.csv is neither UTF-8 nor cp1252"),
    ],
)
def test_bad_csv_files(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(fv.BadInput, match=sentence):
        fv.Table.read(tmp_path / "t.csv")


def test_half_written_files(tmp_path: Path) -> None:
    pq.write_table(pa.table(COLUMNS), tmp_path / "t.parquet")
    (tmp_path / "t.parquet").write_bytes((tmp_path / "t.parquet").read_bytes()[:-20])
    with pytest.raises(fv.BadInput, match="is truncated, or is not a Parquet file"):
        fv.Table.read(tmp_path / "t.parquet")
    packed = gzip.compress(b"a,b\n" + b"1,2\n" * 10_000)
    (tmp_path / "t.csv.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(fv.BadInput, match=r"cannot be read|not a CSV"):
        fv.Table.read(tmp_path / "t.csv.gz")


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (pd.DataFrame({"a": [1, "x"]}), "column 'a' mixes types"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns are called 'a'"),
        (pd.DataFrame({"a": []}), "no rows"),
        (pa.table({"a": [[1], [2]]}), "each cell must be a single value"),
        ({"a": [1]}, "is not a data frame"),
    ],
)
def test_bad_frames(frame: object, sentence: str) -> None:
    with pytest.raises(fv.BadInput, match=sentence):
        fv.Table.from_frame(frame).column("a")


def test_a_mistyped_column_is_refused_with_the_nearest(tmp_path: Path) -> None:
    table = fv.Table.from_frame(pa.table({"Sex": ["f"]}))
    with pytest.raises(fv.BadInput, match="no column 'Sexx': did you mean 'Sex'"):
        table.column("Sexx")
    (tmp_path / "adult.csv").write_text("a\n1\n")
    with pytest.raises(fv.BadInput, match=r"did you mean .adult\.csv"):
        fv.Table.read(tmp_path / "adlut.csv")


def test_codes_take_the_smallest_type() -> None:
    table = fv.Table.from_frame(pa.table({"few": np.arange(1000) % 3, "many": np.arange(1000)}))
    assert table.column("few").codes.dtype == np.uint8
    assert table.column("many").codes.dtype == np.uint16
