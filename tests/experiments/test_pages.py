"""docs/results is what the generator makes of the committed results, and says straight what is outside."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from experiments import EXPERIMENTS, Sheet, pages, papers, results
from experiments.study import Size, Study

SIZES: tuple[Size, ...] = ("quick", "full")
LOADED = {(name, size): run for name in EXPERIMENTS for size in SIZES if (run := results.load(name, size)) is not None}


def test_the_pages_are_what_is_made_of_the_results() -> None:
    made = pages.made()
    assert {path.name for path in results.PAGES.glob("*.md")} - {"speed.md", "first-use.md"} == set(made)
    for name, text in made.items():
        assert (results.PAGES / name).read_text(encoding="utf-8") == text, f"docs/results/{name}: run `make reproduce`"


def test_every_picture_is_there_and_is_shown() -> None:
    shown = {
        f"{name.removesuffix('.md')}/{picture}"
        for name, text in pages.made().items()
        for picture in re.findall(r"\]\([\w-]+/([^)]+\.png)\)", text)
    }
    there = {str(path.relative_to(results.PAGES)) for name in EXPERIMENTS for path in (results.PAGES / name).glob("*")}
    assert shown == there


@pytest.mark.parametrize(("name", "size"), LOADED)
def test_sheets_name_what_the_paper_has(name: str, size: Size) -> None:
    printed = {table.name: table for table in papers.read(name).printed}
    for sheet in LOADED[name, size].sheets:
        assert set(sheet.of) <= set(printed), sheet.title
        assert set(sheet.ours) <= {what for table in sheet.of for what in printed[table].numbers}, sheet.title
        assert set(sheet.holds) <= {what for table in sheet.of for what in printed[table].claims}, sheet.title
        assert all(len(row) == len(sheet.columns) for row in sheet.rows)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_is_outside_has_a_reason(name: str) -> None:
    assert pages.NO_REASON not in pages.made().get(f"{name}.md", "")
    for table in papers.read(name).printed:
        assert not set(table.reasons) - {*table.numbers, *table.claims, "all"}, table.name


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_tolerance_exceeds_the_spread_of_its_table(name: str) -> None:
    for table in papers.read(name).printed:
        assert not table.numbers or table.within <= table.spread, (table.name, table.within, table.spread)


def test_a_column_that_one_number_would_pass_tells_nothing() -> None:
    numbers = {"a, k=1": 80.0, "a, k=2": 81.0, "b, k=1": 70.0, "b, k=2": 80.0}
    table = papers.Printed("Table 1", "", 0.5, numbers=numbers)
    assert table.columns() == {"a": [80.0, 81.0], "b": [70.0, 80.0]} and table.silent() == ["a"]
    assert table.spread == pytest.approx(((0.5 + 50) / 4) ** 0.5)
    assert replace(table, series="last").columns() == {"k=1": [80.0, 70.0], "k=2": [81.0, 80.0]}
    assert papers.Printed("Table 2", "", 0, numbers={"a: x": 1.0, "b: x": 3.0}).spread == 1.0


def test_full_sheets_stand_before_quick_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = tmp_path / "papers"
    paper.mkdir()
    (paper / "sample.toml").write_text(
        'cite = "A: B (2000)."\ndoi = "10.1/x"\n'
        '[[sheet]]\nname = "Table 1"\nabout = "Sums."\nwithin = 0.1\nnumbers = { "a" = 1.0, "b" = 2.0, "c" = 3.0 }\n'
        'claims = { "grows" = "It grows." }\nreasons = { "all" = "Other rows." }\n'
        '[[sheet]]\nname = "Table 2"\nabout = "Never."\nleft_out = "Nobody has the data."\n'
    )
    monkeypatch.setattr(pages, "read", lambda name: papers.read(name, paper))
    monkeypatch.setattr(pages, "EXPERIMENTS", {"sample": ""})
    quick = [
        Sheet("Table 1, small", ["n"], [[1]], of=["Table 1"], ours={"a": 9.0}),
        Sheet("Beyond, small", ["n"], [["x|y"]], ["a <note>"]),
    ]
    results.keep("sample", Study(tmp_path / "q", "quick"), quick, whole=True, folder=tmp_path)
    full = [Sheet("Table 1, whole", ["n"], [[2]], of=["Table 1"], ours={"a": 1.05, "b": 2.5}, holds={"grows": True})]
    results.keep("sample", Study(tmp_path / "f", "full", seed=3), full, whole=True, folder=tmp_path)
    made = pages.made(tmp_path)
    page = made["sample.md"]
    assert "| a | 1.05 | 1 | +0.05 | within |" in page and "| b | 2.5 | 2 | +0.5 | outside |" in page
    assert "| c | – | 3 |  | not run |" in page and "| grows | holds | It grows. |  | within |" in page
    assert "- b: Other rows." in page and "Table 1, small" not in page and "seed 3" in page
    assert "x\\|y" in page and "a &lt;note>" in page
    assert "| [Table 1](sample.md#table-1) | outside: 1 of 3; 1 not run | full | Other rows. |" in made["index.md"]
    assert "| [Table 2](sample.md#table-2) | nothing to run | – | Nobody has the data. |" in made["index.md"]
    assert "Beyond the paper: Beyond, small." in made["index.md"]


def test_a_sheet_takes_the_place_of_its_elder(tmp_path: Path) -> None:
    study = Study(tmp_path / "s")
    results.keep("x", study, [Sheet("A", [], []), Sheet("B", [], [])], whole=True, folder=tmp_path)
    results.keep("x", study, [Sheet("B", ["n"], [[1]])], whole=False, folder=tmp_path)
    kept = results.load("x", "quick", tmp_path)
    assert kept and [(sheet.title, sheet.rows) for sheet in kept.sheets] == [("A", []), ("B", [[1]])]
    results.keep("x", study, [Sheet("B", [], [])], whole=True, folder=tmp_path)
    kept = results.load("x", "quick", tmp_path)
    assert kept and [sheet.title for sheet in kept.sheets] == ["B"]


def test_a_quick_run_leaves_the_pictures_of_a_full_one_alone(tmp_path: Path) -> None:
    from PIL import Image

    sheet = Sheet("A", [], [], pictures=["a.png"])
    colours: dict[Size, str] = {"full": "red", "quick": "blue"}
    for size, colour in colours.items():
        study = Study(tmp_path / size, size)
        Image.new("RGB", (2, 2), colour).save(study.out / "a.png")
        results.keep("x", study, [sheet], whole=True, folder=tmp_path)
        results.keep_pictures("x", study, [sheet], tmp_path / "pages", tmp_path)
        with Image.open(tmp_path / "pages" / "x" / "a.png") as image:
            assert image.convert("RGB").getpixel((0, 0)) == (255, 0, 0), size
