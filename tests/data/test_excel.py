"""Workbooks: one sheet is a table, with the values that the file holds."""

from __future__ import annotations

import datetime as dt
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil import Table
from fairveil.data.readers import column_names

pytest.importorskip("fastexcel")
openpyxl = pytest.importorskip("openpyxl")

HEADER = ["name", "age", "weight", "born", "ok", "seen", "zip"]
ROWS: list[list[Any]] = [
    ["Ada", 31, 70.5, dt.date(1990, 1, 2), True, dt.datetime(2020, 1, 1, 12, 30), "08540"],
    ["Bo", 40, 61, dt.date(1991, 5, 6), False, dt.datetime(2020, 1, 2, 0, 0), "10115"],
    [None, None, None, None, None, None, None],
    ["Cy", 52, 80.25, dt.date(1977, 8, 9), True, None, "10117"],
]


def workbook(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


@pytest.fixture
def people(tmp_path: Path) -> Path:
    sheets: dict[str, list[list[Any]]] = {"People": [HEADER, *ROWS], "Other": [["x"], [1], [2]], "Empty": []}
    return workbook(tmp_path / "people.xlsx", sheets)


def test_values_come_as_they_are_in_the_file(people: Path) -> None:
    table = Table.read(people)
    assert [str(column.values.type) for column in table.columns] == [
        "string", "int64", "double", "date32[day]", "string", "timestamp[ms]", "string",
    ]  # fmt: skip
    as_texts = [
        [{True: "true", False: "false"}.get(cell, cell) if isinstance(cell, bool) else cell for cell in row]
        for row in ROWS
        if any(cell is not None for cell in row)
    ]
    assert [list(row.values()) for row in table.to_arrow().to_pylist()] == as_texts
    assert table.read_as == {"sheet": "People"}
    assert column_names(people) == HEADER


@pytest.mark.parametrize("odd", ["word", 3, 2.5, True, dt.date(2020, 1, 2), None])
def test_no_cell_decides_what_truth_values_are(odd: Any, tmp_path: Path) -> None:
    """The odd one is suppressed, so that nothing of it may show in what is published."""
    released = []
    for number, cell in enumerate([False, odd]):
        rows: list[list[Any]] = [["q", "ok"], *([("a", "b")[i % 2], i % 3 == 0] for i in range(12)), ["rare", cell]]
        path = workbook(tmp_path / f"{number}.xlsx", {"S": rows})
        schema = fv.Schema(quasi=["q"], plain=["ok"])
        release = fv.search(Table.read(path), schema, guards=[fv.KAnonymity(3, suppression=0.1)]).release(0)
        assert release.suppressed == 1
        folder = release.save(tmp_path / f"out-{number}", format="parquet").path
        released.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert released[0] == released[1]


def test_a_sheet_by_name_or_number(people: Path) -> None:
    for sheet in ("Other", 2, "2"):
        assert Table.read(people, sheet=sheet).column("x").domain == [1, 2]
    assert Table.read(people, columns=["zip"], text=["zip"]).names == ["zip"]


def test_marks_for_missing_values(tmp_path: Path) -> None:
    path = workbook(tmp_path / "m.xlsx", {"S": [["age", "code"], [31, "a"], ["n/a", "n/a"], [40, "n/a"]]})
    table = Table.read(path, missing_values=["n/a"])
    assert table.column("age").domain == [31, 40, None]
    assert table.column("code").domain == ["a", None]
    assert Table.read(path, missing_values=["n/a"], text=["age"]).column("age").domain == ["31", "40", None]


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        ("Poeple", "people.xlsx has no sheet 'Poeple': did you mean 'People'"),
        (4, r"people.xlsx has no sheet 4: it has sheets 1 to 3 \(People, Other, Empty\)"),
        (0, "has no sheet 0"),
        ("Empty", "sheet 'Empty' of people.xlsx is empty"),
    ],
)
def test_a_sheet_that_cannot_be_used(people: Path, sheet: str | int, sentence: str) -> None:
    with pytest.raises(fv.BadInput, match=sentence):
        Table.read(people, sheet=sheet)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([["a", None, "c"], [1, 2, 3]], "no name for column B in its first row"),
        ([["People of 2024"], ["a", "b"], [1, 2]], "no name for column B in its first row: .* title above"),
        ([["a", "a"], [1, 2]], "two columns are called 'a'"),
        ([["a", "b"]], "has a header but no rows"),
    ],
)
def test_headers_that_cannot_be_used(tmp_path: Path, rows: list[list[Any]], sentence: str) -> None:
    with pytest.raises(fv.BadInput, match=sentence):
        Table.read(workbook(tmp_path / "h.xlsx", {"S": rows}))


def test_merged_header_cells(tmp_path: Path) -> None:
    path = workbook(tmp_path / "h.xlsx", {"S": [["who", None, "age"], ["A", "B", 3]]})
    book = openpyxl.load_workbook(path)
    book.active.merge_cells("A1:B1")
    book.save(path)
    with pytest.raises(fv.BadInput, match=r"no name for column B .* merged cells"):
        Table.read(path)


def test_a_damaged_workbook(tmp_path: Path, people: Path) -> None:
    (tmp_path / "bad.xlsx").write_bytes(people.read_bytes()[:500])
    with pytest.raises(fv.BadInput, match=r"bad.xlsx is truncated, or is not a workbook"):
        Table.read(tmp_path / "bad.xlsx")
    people.with_suffix(".csv").write_text("a\n1\n")
    with pytest.raises(fv.BadInput, match=r"people.csv has no sheets"):
        Table.read(people.with_suffix(".csv"), sheet="People")


def test_open_document(tmp_path: Path) -> None:
    def cell(value: object) -> str:
        kind = f'float" office:value="{value}' if isinstance(value, int) else "string"
        return f'<table:table-cell office:value-type="{kind}"><text:p>{value}</text:p></table:table-cell>'

    rows = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in (["a", "b"], [1, "x"]))
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    content = (
        f'<office:document-content xmlns:office="{space}office:1.0" xmlns:table="{space}table:1.0" '
        f'xmlns:text="{space}text:1.0"><office:body><office:spreadsheet><table:table table:name="S">{rows}'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(tmp_path / "t.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    assert Table.read(tmp_path / "t.ods").to_arrow().to_pylist() == [{"a": 1, "b": "x"}]


def test_the_older_format() -> None:
    """Of a file that another program wrote (xlwt)."""
    table = Table.read(Path(__file__).with_name("people.xls"))
    assert table.to_arrow().to_pydict() == {
        "name": ["é\u0301 \U0001f600", "two\nlines", None],
        "age": [31, 40, None],
        "paid": [1.5, None, -2.25],
        "member": ["true", "false", None],
        "born": [dt.date(1980, 2, 29), dt.date(1999, 12, 31), None],
        "seen": [dt.datetime(2020, 2, 28, 23, 59, 58), None, dt.datetime(2021, 1, 1, 0, 0, 1)],
        "code": ["007", "12", "012"],
    }
    assert Table.read(Path(__file__).with_name("people.xls"), sheet="other").names == ["x"]


def test_without_the_extra(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(fv.BadInput, match=r"people.xlsx needs fastexcel, which is not installed: pip install"):
        Table.read(people)
