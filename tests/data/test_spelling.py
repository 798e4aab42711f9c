"""Numbers and dates as people write them: the same from every kind of file and engine, each cell by itself."""

from __future__ import annotations

import csv
import random
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data.dialect import Dialect
from fairveil.data.spelling import Spelling
from fairveil.data.table import Table
from fairveil.engines import Source, open_source

GIVEN: dict[str, Any] = {
    "thousands": ",", "units": ["$", "%"], "dates": ["visit=%m/%d/%Y", "visit=d.m.Y", "at=%Y/%m/%d %H:%M:%S"],
    "top_codes": ["age"], "others_missing": ["rate"], "text": ["code"], "missing_values": ["."],
}  # fmt: skip
COLUMNS: dict[str, list[str]] = {
    "visit": ["03/15/2019", "3/1/2019", "12.04.2020", "2019-01-01"],
    "at": ["2016/01/01 00:47:36", "2016/12/31 23:00:00", "2017/02/03 04:05:06", "."],
    "amount": ["$1,234.50", "-$12", "$1,000,000.00", "."],
    "rate": ["12%", "3.5 %", "-", "100 %"],
    "age": ["33", ">90", "<5", "90+"],
    "code": ["01234", "1,234", "12345", "x"],
}
READ: dict[str, list[Any]] = {
    "visit": [date(2019, 3, 15), date(2019, 3, 1), date(2020, 4, 12), date(2019, 1, 1)],
    "at": ["2016-01-01 00:47:36", "2016-12-31 23:00:00", "2017-02-03 04:05:06", None],
    "amount": [1234.5, -12, 1e6, None],
    "rate": [12, 3.5, None, 100],
    "age": [33, 91, 4, 90],
    "code": ["01234", "1,234", "12345", "x"],
}


def write(path: Path, columns: dict[str, list[str]], blank: bool = False) -> Path:
    rows = [list(row) for row in zip(*columns.values(), strict=True)] + [[""] * len(columns)] * (3 * blank)
    if path.suffix == ".parquet":
        pq.write_table(pa.table(columns), path)
    elif path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in [list(columns), *rows]:
            book.active.append([cell or None for cell in row])
        book.save(path)
    elif path.suffix == ".dta":
        pd.DataFrame(columns).to_stata(path, write_index=False)
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([list(columns), *rows])
    return path


def rows_of(source: Source) -> list[dict[str, Any]]:
    cells = source.count(source.names)
    table = cells.table()
    counted = zip(table.to_arrow().to_pylist(), cells.counts.tolist(), strict=True)
    return sorted((row for row, count in counted for _ in range(count)), key=str)


@pytest.mark.parametrize(("kind", "engine"), [
    ("csv", "memory"), ("csv", "duckdb"), ("parquet", "memory"), ("parquet", "duckdb"), ("xlsx", "memory"),
    ("dta", "memory"),
])  # fmt: skip
def test_every_reader_reads_the_same(kind: str, engine: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"people.{kind}", COLUMNS)
    expected = sorted((dict(zip(READ, row, strict=True)) for row in zip(*READ.values(), strict=True)), key=str)
    assert rows_of(open_source(path, engine=engine, dialect=Dialect(**GIVEN))) == expected


@pytest.mark.parametrize(("kind", "engine"), [("csv", "memory"), ("csv", "duckdb"), ("xlsx", "memory")])
def test_rows_of_delimiters_are_no_people(kind: str, engine: str, tmp_path: Path) -> None:
    people = {"sex": ["f", "", "m"], "age": ["", "31", "40"]}
    path = write(tmp_path / f"people.{kind}", people, blank=True)
    assert open_source(path, engine=engine).rows == 3
    assert open_source(path, engine=engine, columns=["sex"]).rows == 3
    assert open_source(path, engine=engine, dialect=Dialect().cell_by_cell).rows == 3


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_file_without_a_header(engine: str, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("f,31\nm,40\n,\n")
    for dialect in (Dialect(header="no"), Dialect(header="no").cell_by_cell):
        source = open_source(tmp_path / "people.csv", engine=engine, dialect=dialect)
        assert source.names == ["column_1", "column_2"] and source.rows == 2


def test_a_cell_is_rewritten_by_itself() -> None:
    """Whatever other cells a column has, and however often it is rewritten."""
    random.seed(1)
    spelling = Spelling(",", ("$", "%", "EUR"), ("%m/%d/%Y", "%d.%m.%y", "%d %b %Y %I:%M %p"), ("x",))
    pieces = ["1", "12", "123", "0", ",", ".", " ", "-", "$", "%", "EUR", "/", "2019", "<", ">", "+", "Mar", "PM", "9"]
    cells = ["".join(random.choices(pieces, k=random.randint(1, 8))) for _ in range(5000)]
    together = spelling.respelled("x", pa.array(cells)).to_pylist()
    assert together == [spelling.plain("x", cell) for cell in cells]
    coded = spelling.respelled("x", pa.array(cells).dictionary_encode())
    assert coded.to_pylist() == together
    assert [spelling.plain("x", cell) for cell in together] == together
    assert {cell for cell, plain in zip(cells, together, strict=True) if cell != plain}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1.234,50", "1234,50"), ("1.5", "1.5"), ("1.2345", "1.2345"), ("0.123", "0.123"), ("007", "007"),
        ("-1.000", "-1000"), ("1.000.00", "1.000.00"), ("1\u00a0€", "1"), ("€ -5", "-5"), ("-€5", "-5"), ("€", "€"),
    ],
)  # fmt: skip
def test_thousands_of_german_numbers(text: str, read: str) -> None:
    assert Spelling(thousands=".", units=("€",)).plain("x", text) == read


@pytest.mark.parametrize(
    ("form", "text", "read"),
    [
        ("%m/%d/%Y", "2/30/2019", "2/30/2019"), ("m/d/Y", "02/03/2019", "2019-02-03"),
        ("d.m.y", "1.2.68", "2068-02-01"),
        ("d.m.y", "1.2.69", "1969-02-01"), ("%d-%b-%Y", "3-March-2019", "2019-03-03"),
        ("%m/%d/%Y %I:%M %p", "1/2/2019 12:05 AM", "2019-01-02 00:05:00"), ("%d.%m.%Y %T", "1.2.2019 23:59:59.25",
        "2019-02-01 23:59:59.250000"), ("%Y%m%d", "20190203", "2019-02-03"),
        ("%m/%Y", "5/1980", "1980-05"),
    ],
)  # fmt: skip
def test_dates_of_many_forms(form: str, text: str, read: str) -> None:
    assert Spelling(dates=(form,)).plain("x", text) == read


def test_what_cannot_be_meant_is_refused() -> None:
    with pytest.raises(fv.BadInput, match="dates must name day, month and year"):
        Dialect(dates=["%d/%m"])
    with pytest.raises(fv.BadInput, match="are both ','"):
        Dialect(thousands=",", decimal=",")


def test_new_files_are_read_as_the_source_was(tmp_path: Path) -> None:
    path = write(tmp_path / "people.csv", {name: cells * 6 for name, cells in COLUMNS.items()})
    table = Table.read(path, **GIVEN)
    schema = fv.Schema(quasi=["visit", "age"], plain=["amount", "rate"], drop=["at", "code"])
    release = fv.search(table, schema, guards=[fv.KAnonymity(2)]).release(0)
    read = release.recipe.schema.read
    assert read is not None
    assert read.to_dict() == Dialect(**{**GIVEN, "missing_values": read.missing_values}).to_dict()


@pytest.mark.parametrize("sign", ["'", "\u2019", " ", "\u00a0", "\u202f", "\u2009"])
def test_signs_between_thousands_are_read_however_they_are_typed(sign: str, tmp_path: Path) -> None:
    rows = [f"{20 + i % 9};{'fm'[i % 2]};{1 + i % 90}{sign}{100 + i}" for i in range(200)]
    file = tmp_path / "incomes.csv"
    file.write_text("\n".join(["age;sex;income", *rows]), encoding="utf-8")
    plan = fv.init(file)
    assert plan.source.dialect.thousands == ("'" if sign in "'\u2019" else " ")
    for engine in ("memory", "duckdb"):
        column = open_source(file, engine=engine, dialect=plan.source.dialect).domain("income")
        assert min(value for value in column.domain if value is not None) == 1_100
