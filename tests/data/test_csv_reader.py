"""Text files as people have them: encodings, separators, decimal separators, compressed, one or many."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pandas as pd
import pytest

import fairveil as fv
from fairveil import Table
from fairveil.data import csv_reader
from fairveil.data.dialect import Dialect

ROWS = "name;age;weight\nJosé;31;70,5\nÅsa;40;61\nZoë €;52;80,25\n"


def written(folder: Path, text: str, encoding: str, name: str = "people.csv") -> Path:
    path = folder / name
    raw = text.encode(encoding)
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return path


@pytest.mark.parametrize("name", ["people.csv", "people.csv.gz"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_the_encoding_is_found(tmp_path: Path, encoding: str, name: str) -> None:
    path = written(tmp_path, ROWS, encoding, name)
    table = Table.read(path)
    plainly = pd.read_csv(path, sep=";", decimal=",", encoding=encoding)
    for column in table.names:
        assert table.to_arrow()[column].to_pylist() == plainly[column].tolist()
    found = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    assert table.read_as == {"encoding": found, "separator": ";", "decimal": ","}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "latin-1", "cp850", "UTF8"])
def test_an_encoding_that_is_given(tmp_path: Path, encoding: str) -> None:
    text = ROWS.replace(" €", "")
    assert Table.read(written(tmp_path, text, encoding), encoding=encoding).column("name").domain == [
        "José",
        "Zoë",
        "Åsa",
    ]


def test_a_letter_far_behind_the_beginning(tmp_path: Path) -> None:
    """Also where it is cut in two by the pieces that are looked at."""
    for shift in range(4):
        filler = "a" * (csv_reader._PIECE - 8 + shift)
        assert Table.read(written(tmp_path, f"x\n{filler}\nüüü\n", "utf-8")).read_as["encoding"] == "utf-8"
        assert Table.read(written(tmp_path, f"x\n{filler}\nüüü\n", "cp1252")).read_as["encoding"] == "cp1252"


@pytest.mark.parametrize(
    ("encoding", "given", "sentence"),
    [
        ("cp1252", "utf-8", "people.csv is not UTF-8 text: name its encoding"),
        ("utf-16", "cp1252", "has the byte order mark of UTF-16, so its encoding is not cp1252"),
        ("utf-8-sig", "latin-1", "has the byte order mark of UTF-8"),
        ("utf-8", "utf-9", "no encoding 'utf-9': did you mean 'utf-8'"),
        ("utf-8", "base64", "no encoding 'base64'"),
    ],
)
def test_a_wrong_encoding_is_one_sentence(tmp_path: Path, encoding: str, given: str, sentence: str) -> None:
    with pytest.raises(fv.BadInput, match=sentence):
        Table.read(written(tmp_path, ROWS, encoding), encoding=given)


def test_letters_that_come_later_than_what_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_reader, "_PIECE", 16)
    monkeypatch.setattr(csv_reader, "MAX_EXAMINED", 32)
    path = written(tmp_path, "x\n" + "abcd\n" * 20 + "é\n", "cp1252")
    with pytest.raises(fv.BadInput, match="is not UTF-8 text: name its encoding"):
        Table.read(path)
    assert Table.read(path, encoding="cp1252").column("x").domain == ["abcd", "é"]


@pytest.mark.parametrize(
    ("rows", "decimal", "values"),
    [
        (["1,5", "2"], None, [1.5, 2.0]),
        (["-0,5", "+1,25"], None, ["+1,25", "-0,5"]),  # a plus sign is a label's, as in "+49"
        (["1.5", "2"], None, [1.5, 2.0]),
        (["1,5", "2.5"], None, ["1,5", "2.5"]),
        (["1,234", "2"], ",", [1.234, 2.0]),
        (["1,234", "2"], ".", ["1,234", "2"]),
        (["1,5", "x"], ",", ["1,5", "x"]),
        (["01,5", "2"], ",", [1.5, 2.0]),
        (["1,50", "1,5"], None, [1.5]),
    ],
)
def test_decimal_signs(tmp_path: Path, rows: list[str], decimal: str | None, values: list[object]) -> None:
    path = written(tmp_path, "x;y\n" + "".join(f"{row};a\n" for row in rows), "utf-8")
    assert Table.read(path, decimal=decimal).column("x").domain == values


@pytest.mark.parametrize(
    ("row", "decimal", "sentence"),
    [
        ("1,234", None, "column 'x' contains '1,234', which may be a fraction or thousands: set decimal"),
        ("1.5", ",", r"column 'x' has decimal points \(such as '1.5'\), and decimal is ','"),
        ("1", ";", "decimal must be '.' or ',', not ';'"),
    ],
)
def test_a_wrong_decimal_sign_is_one_sentence(tmp_path: Path, row: str, decimal: str | None, sentence: str) -> None:
    path = written(tmp_path, f"x;y\n{row};a\n", "utf-8")
    with pytest.raises(fv.BadInput, match=sentence):
        Table.read(path, decimal=decimal)


def test_commas_between_fields_are_no_decimal_signs(tmp_path: Path) -> None:
    path = written(tmp_path, 'x,y\n"1,5",a\n"2,5",b\n', "utf-8")
    assert Table.read(path).column("x").domain == ["1,5", "2,5"]
    assert Table.read(path, decimal=",").column("x").domain == [1.5, 2.5]


def test_what_only_suppressed_rows_hold_does_not_decide_on_decimals(tmp_path: Path) -> None:
    """Words in suppressed rows make it a column of text, but what is published of it are numbers all the same."""
    published = []
    for odd in ("word{}", "9,{}"):
        rows = "a;1,5\n" * 3 + "a;2,5\n" * 3 + "".join(f"b{i};{odd.format(i)}\n" for i in range(8))
        table = Table.read(written(tmp_path, "q;plain\n" + rows, "utf-8"))
        assert (str(table.column("plain").values.type) == "string") == (odd == "word{}")
        schema = fv.Schema(quasi=["q"], plain=["plain"])
        found = fv.search(table, schema, guards=fv.KAnonymity(4, suppression=0.6))
        folder = tmp_path / f"out-{odd[0]}"
        found.best("loss").save(folder, accept=["uniqueness"])
        published.append((folder / "data.csv").read_bytes())
    assert published[0] == published[1]
    assert b"1.5" in published[0]


class TestManyFiles:
    def test_are_read_as_one(self, tmp_path: Path) -> None:
        written(tmp_path, "a,b\n1,x\n", "utf-8", "2023.csv")
        written(tmp_path, "b;a\ny;2\n", "utf-16", "2024.csv.gz")
        table = Table.read(tmp_path / "202*")
        assert table.to_arrow().to_pylist() == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
        assert table.read_as["files"] == "2"

    def test_need_the_same_columns(self, tmp_path: Path) -> None:
        written(tmp_path, "a,b\n1,x\n", "utf-8", "2023.csv")
        written(tmp_path, "a,c\n1,x\n", "utf-8", "2024.csv")
        with pytest.raises(fv.BadInput, match=r"2024.csv and 2023.csv do not have the same columns: only one has 'b'"):
            Table.read(tmp_path / "*.csv")

    def test_a_pattern_that_names_none(self, tmp_path: Path) -> None:
        with pytest.raises(fv.BadInput, match=r"no file matches .*\*\.csv"):
            Table.read(tmp_path / "*.csv")

    def test_a_name_that_looks_like_a_pattern(self, tmp_path: Path) -> None:
        assert Table.read(written(tmp_path, "a\n1\n", "utf-8", "people[1].csv")).rows == 1


def test_two_ways_to_read_lines_cell_by_cell_agree(tmp_path: Path) -> None:
    """Which of them reads a line depends on the lines beside it, so they must not differ."""
    draw = random.Random(1)
    pieces = ["a", ",", ",", "  ", "1.5", "é", "\t", "\r", "'", "\\", "\u2028", "\x0b", "\x1c", "", "NA", "null"]
    for _ in range(80):
        lines = ["".join(draw.choices(pieces, k=draw.randint(0, 7))) for _ in range(draw.randint(1, 12))]
        tables = []
        for more in ("", '"'):  # a line with an open quotation mark, which is skipped
            (tmp_path / "p.csv").write_bytes(("x,y,z\n" + "\n".join([*lines, more]) + "\n").encode())
            dialect = Dialect(missing_values=["NA"]).cell_by_cell
            tables.append(Table.read(tmp_path / "p.csv", dialect=dialect, progress=False).to_arrow())
        assert tables[0].equals(tables[1])
