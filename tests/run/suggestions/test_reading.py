"""What `init` understands of a file is in the plan, which runs as it is; what columns repeat is published once."""

from __future__ import annotations

import csv
import datetime as dt
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.cli import run
from fairveil.run.plan import Plan
from fairveil.run.sections import Origin
from fairveil.run.suggestions.detected_spelling import date_formats, lacks_header

ROWS = 600


def opened(folder: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]], *options: str) -> Plan:
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows] if columns else rows)
    assert run(["init", str(folder / "people.csv"), "--out", str(folder / "plan.toml"), "--overwrite", *options]) == 0
    return Plan.read(folder / "plan.toml")


def people(random_: random.Random) -> list[Any]:
    return [random_.choice("MF"), random_.randint(20, 80), random_.choice(["north", "south", "east"])]


def day(random_: random.Random) -> dt.datetime:
    return dt.datetime(2015, 1, 1) + dt.timedelta(seconds=random_.randrange(10**8))


SPELLINGS: dict[str, tuple[Callable[[random.Random, int], str], str, dict[str, Any]]] = {
    "m/d/Y": (lambda r, i: f"{day(r):%m/%d/%Y}", "date32", {"dates": ("x=%m/%d/%Y",)}),
    "d.m.Y": (lambda r, i: f"{day(r):%d.%m.%Y}", "date32", {"dates": ("x=%d.%m.%Y",)}),
    "with times": (lambda r, i: f"{day(r):%Y/%m/%d %H:%M:%S}", "string", {"dates": ("x=%Y/%m/%d %H:%M:%S",)}),
    "mixed": (lambda r, i: f"{day(r):{('%m/%d/%Y', '%d.%m.%Y', '%Y-%m-%d')[i % 3]}}", "date32", {}),
    "a remark": (lambda r, i: "see note" if i == 7 else f"{day(r):%m/%d/%Y}", "date32", {"others_missing": ("x",)}),
    "thousands": (lambda r, i: f"{r.randrange(10**4, 10**7):,}", "int64", {"thousands": ","}),
    "currency": (lambda r, i: f"${r.randrange(10**6):,}.50", "double", {"thousands": ",", "units": ("$",)}),
    "percent": (lambda r, i: f"{r.randrange(100)} %", "int64", {"units": ("%",)}),
    "a point for missing": (lambda r, i: "." if i % 30 == 0 else f"{r.uniform(1, 90):.2f}", "double", {}),
    "a rare dash": (lambda r, i: "-" if i == 3 else str(r.randrange(900)), "int64", {"others_missing": ("x",)}),
    "a top code": (lambda r, i: ">90" if i % 40 == 0 else str(r.randrange(20, 90)), "int64", {"top_codes": ("x",)}),
    "codes with zeros": (lambda r, i: f"{r.randrange(900):05d}", "string", {}),
    "cancelled bills": (lambda r, i: f"C{i:05d}" if i % 50 == 0 else str(10**5 + i), "string", {"others_missing": ()}),
}  # fmt: skip


@pytest.mark.parametrize("kind", SPELLINGS)
def test_the_plan_says_how_a_column_is_written(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spelled, type_, expected = SPELLINGS[kind]
    random_ = random.Random(kind)
    rows = [[spelled(random_, i), *people(random_)] for i in range(ROWS)]
    plan = opened(tmp_path, ["x", "sex", "age", "region"], rows)
    column = plan.source.open(tmp_path).domain("x")
    assert str(column.values.type).startswith(type_)
    assert {name: getattr(plan.source.dialect, name) for name in expected} == expected
    assert run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()


AMOUNTS = {"German": (".", ","), "French": (" ", ","), "Swiss": ("'", "."), "English": (",", ".")}


def in_a_workbook(frame: pd.DataFrame, folder: Path) -> Any:
    frame.to_excel(folder / "texts.xlsx", index=False)
    return folder / "texts.xlsx"


def in_parquet(frame: pd.DataFrame, folder: Path) -> Any:
    frame.to_parquet(folder / "texts.parquet")
    return folder / "texts.parquet"


def in_a_database(frame: pd.DataFrame, folder: Path) -> Any:
    with duckdb.connect(folder / "texts.duckdb") as database:
        database.register("frame", frame)
        database.execute("create table texts as from frame")
    return folder / "texts.duckdb"


SOURCES = (in_a_workbook, in_parquet, in_a_database, lambda frame, folder: frame)


@pytest.mark.parametrize("source", SOURCES)
def test_texts_of_every_source_are_read_as_those_of_a_file(
    source: Callable[[pd.DataFrame, Path], Any], tmp_path: Path
) -> None:
    random_ = random.Random(3)
    moments = [day(random_) for _ in range(ROWS)]
    frame = pd.DataFrame(
        {
            "sex": [random_.choice("MF") for _ in moments],
            "age": [str(random_.randint(20, 80)) for _ in moments],
            "height": [f"{random_.uniform(1.4, 2.1):.2f}" for _ in moments],
            "admitted": [f"{moment:%Y-%m-%d}" for moment in moments],
            "left": [f"{moment:%Y-%m-%d %H:%M:%S}" for moment in reversed(moments)],
            "ward": [f"{random_.randint(0, 9):03d}" for _ in moments],
        }
    )
    frame.to_csv(tmp_path / "texts.csv", index=False)
    wanted = fv.init(tmp_path / "texts.csv", progress=False)
    plan = fv.init(source(frame, tmp_path), progress=False)
    assert wanted.schema is not None and plan.schema is not None
    assert {"admitted", "left", "age"} <= {*wanted.schema.hierarchies}
    assert plan.schema.to_dict() == wanted.schema.to_dict()


@pytest.mark.parametrize("rows", ["from 500", "from 5", "from 5000"])
@pytest.mark.parametrize("country", AMOUNTS)
def test_amounts_and_fractions_of_a_country_are_read_together(
    country: str, rows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file with semicolons has amounts with both signs, and fractions with one: both are the numbers they mean."""
    thousands, decimal = AMOUNTS[country]
    random_, signs = random.Random(country + rows), str.maketrans({",": thousands, ".": decimal})
    amounts = [round(random_.uniform(int(rows[5:]), 90000), 2) for _ in range(ROWS)]
    levels = [round(random_.uniform(4, 12), 1) for _ in range(ROWS)]
    with (tmp_path / "people.csv").open("w", newline="", encoding="utf-8") as file:
        records = [
            [f"{amount:,.2f}".translate(signs), str(level).translate(signs), *people(random_)]
            for amount, level in zip(amounts, levels, strict=True)
        ]
        csv.writer(file, delimiter=";").writerows([["amount", "level", "sex", "age", "region"], *records])
    assert run(["init", str(tmp_path / "people.csv"), "--out", str(tmp_path / "plan.toml")]) == 0
    source = Plan.read(tmp_path / "plan.toml").source.open(tmp_path)
    for name, numbers in {"amount": amounts, "level": levels}.items():
        assert source.domain(name).domain == pytest.approx(sorted({*numbers})), name
    capsys.readouterr()


@pytest.mark.parametrize("form", ["%m/%d/%Y", "%d/%m/%Y", "%d.%m.%y", "%d-%b-%Y", "%m/%d/%Y %I:%M %p", "%Y/%m/%d"])
def test_formats_are_told_apart(form: str) -> None:
    random_ = random.Random(form)
    assert date_formats([f"{day(random_):{form}}" for _ in range(100)]) == [form]


def test_days_and_months_in_both_orders_are_text_without_an_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random_ = random.Random(1)
    rows = [[f"{day(random_):{('%m/%d/%Y', '%d/%m/%Y')[i % 2]}}", *people(random_)] for i in range(ROWS)]
    plan = opened(tmp_path, ["visit", "sex", "age", "region"], rows)
    assert plan.schema is not None and "visit" not in plan.schema.hierarchies and not plan.source.dialect.dates
    capsys.readouterr()


def test_a_file_without_a_header_is_read_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random_ = random.Random(2)
    plan = opened(tmp_path, [], [people(random_) for _ in range(ROWS)])
    source = plan.source.open(tmp_path)
    assert source.rows == ROWS and source.names == ["column_1", "column_2", "column_3"]
    assert not lacks_header([["country", "2019", "2020"], ["a", "1", "2"]])
    assert not lacks_header([["0", "1", "2"], ["7", "1.5", "2"]])
    assert "the first line is a record" in capsys.readouterr().out


def test_a_column_that_cannot_be_read_is_left_out_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random_ = random.Random(3)
    sex, age, region = zip(*(people(random_) for _ in range(ROWS)), strict=True)
    table = pa.table({"sex": sex, "age": age, "region": region, "visits": [[1, 2]] * ROWS})
    pq.write_table(table, tmp_path / "people.parquet")
    assert run(["init", str(tmp_path / "people.parquet"), "--out", str(tmp_path / "plan.toml")]) == 0
    assert "left out, because it cannot be read: visits" in capsys.readouterr().out
    assert run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()


def test_what_says_the_same_is_published_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random_ = random.Random(4)
    towns = {"Rome": "Lazio", "Latina": "Lazio", "Milan": "Lombardy", "Como": "Lombardy", "Turin": "Piedmont",
             "Asti": "Piedmont", "Alba": "Piedmont", "Pavia": "Lombardy", "Rieti": "Lazio"}  # fmt: skip
    rows = []
    for _ in range(ROWS):
        when, (town, state), wage = day(random_), random_.choice([*towns.items()]), random_.randrange(1000, 9000)
        code = ["Lazio", "Lombardy", "Piedmont"].index(state) + 30
        rows.append([f"{when:%Y-%m-%d}", when.year, town, state, code, *people(random_)[:2], wage, wage**2])
    names = ["date", "year", "city", "state", "state_code", "sex", "age", "wage", "wagesq"]
    plan = opened(tmp_path, names, rows)
    assert plan.schema is not None
    assert "wagesq" in plan.schema.drop and len({"state", "state_code"} & {*plan.schema.drop}) == 1
    assert {"date", "city"} <= {*plan.schema.quasi}
    assert {*plan.schema.hierarchy("city").bind([*towns], "city").labels[1]} == {*towns.values()}
    assert run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()


def test_what_is_mostly_hidden_is_said_first_with_what_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    random_ = random.Random(5)
    rows = [[random_.randrange(10**9), *people(random_)] for _ in range(ROWS)]
    plan = opened(tmp_path, ["ward", "sex", "age", "region"], rows, "--quasi", "ward,sex,age,region", "--k", "200")
    assert len(plan.schema.quasi if plan.schema else ()) == 4
    capsys.readouterr()
    openings: list[Any] = []
    original = Origin.open

    def call(self: Origin, *given: Any, **named: Any) -> Any:
        openings.append(self)
        return original(self, *given, **named)

    monkeypatch.setattr(Origin, "open", call)
    assert run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
    assert len(openings) == 1, "the source is read again for each remedy that is tried"
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("! READ THIS, ") and any("would help, tried: " in line for line in said[:6])
    published = pd.read_csv(tmp_path / "out" / "data.csv", dtype=str)
    assert (published == "*").to_numpy().mean() > 0.25


@pytest.mark.parametrize(("preset", "k"), [("ema-0070", 12), ("cell-count-10", 10), ("hipaa-safe-harbor", 3)])
def test_a_preset_is_followed(preset: str, k: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random_ = random.Random(6)
    rows = [[f"{day(random_):%m/%d/%Y}", *people(random_)] for _ in range(ROWS)]
    plan = opened(tmp_path, ["admitted", "sex", "age", "region"], rows, "--preset", preset)
    assert plan.guards[0].least_rows == k
    assert run(["init", str(tmp_path / "people.csv"), "--out", str(tmp_path / "no.toml"), "--preset", "emma"]) == 2
    capsys.readouterr()


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_a_file_without_a_header_is_read_from_its_first_row_on(ending: str, tmp_path: Path) -> None:
    rows = [[f"{'FM'[i % 2]}", 20 + i % 50, 1000.5 + i % 7, ("flu", "cold", "pox")[i % 3]] for i in range(300)]
    file, frame = tmp_path / f"people{ending}", pd.DataFrame(rows)
    frame.to_csv(file, index=False, header=False) if ending == ".csv" else frame.to_excel(
        file, index=False, header=False
    )
    plan = fv.init(file, quasi=["column_1", "column_2"])
    assert plan.source is not None and plan.source.dialect.header == "no"
    assert plan.run().table.rows == len(rows)


def test_two_columns_of_which_one_tells_the_other_are_merged_as_a_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(3)
    rows = [[f"town {i % 30}", f"state {i % 30 // 6}", rng.choice("FM"), rng.choice("xyz")] for i in range(600)]
    pd.DataFrame(rows, columns=["city", "state", "sex", "illness"]).to_csv(tmp_path / "people.csv", index=False)
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'format = 1\n[source]\npath = "people.csv"\n[schema]\nquasi = ["city", "state", "sex"]\n'
        'sensitive = ["illness"]\n[[guards]]\nkind = "k-anonymity"\nk = 40\n[[methods]]\nkind = "incognito"\n'
    )
    assert run(["release", str(plan), "--out", str(tmp_path / "release")]) == 0
    assert "merge state into city, which tells it" in capsys.readouterr().out
