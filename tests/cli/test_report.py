"""fairveil report: the page of a release folder, written outside of it, or its facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def released(plan: Path, fairveil: Run) -> Path:
    out = plan.with_name("out")
    assert fairveil("release", plan, "--out", out).code == 0
    return out


def test_the_page_is_the_one_in_the_release(released: Path, fairveil: Run) -> None:
    page = released.with_name("pages") / "page.html"
    result = fairveil("report", released, "--out", page)
    assert (result.code, result.err) == (0, "")
    assert str(page) in result.out
    assert page.read_bytes() == (released / "report.html").read_bytes()
    assert [file.name for file in page.parent.iterdir()] == ["page.html"]
    assert fairveil("verify", released).code == 0


def test_without_a_place_it_goes_beside_the_folder(released: Path, fairveil: Run) -> None:
    assert fairveil("report", released).code == 0
    assert released.with_name("out.html").is_file()
    again = fairveil("report", released)
    assert again.code == 2 and "overwrite" in again.err
    assert fairveil("report", released, "--overwrite").code == 0


def test_facts_for_a_machine(released: Path, fairveil: Run) -> None:
    result = fairveil("report", released, "--json")
    answer = json.loads(result.out)
    assert (result.code, result.err) == (0, "")
    assert answer["report"]["problems"] == [] and answer["holds"] is True
    assert not released.with_name("out.html").exists()


def test_what_is_wrong_with_the_release_is_in_it(released: Path, fairveil: Run) -> None:
    data = released / "data.csv"
    data.write_text(data.read_text(encoding="utf-8").replace("flu", "cold", 1), encoding="utf-8")
    answer = json.loads(fairveil("report", released, "--json").out)
    assert any("data.csv was changed" in problem for problem in answer["report"]["problems"])


def test_bad_input(released: Path, fairveil: Run) -> None:
    for arguments, culprit in (
        ((released, "--out", released / "page.html"), "is inside the release folder"),
        ((released, "--out", released / "deep" / "page.html"), "is inside the release folder"),
        ((released, "--out", released.with_name("page.pdf")), ".html"),
        ((released, "--out", released.with_name("page.html"), "--json"), "not both"),
        ((released.parent,), "is not a release"),
    ):
        result = fairveil("report", *arguments)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
        assert culprit in result.err
    assert fairveil("verify", released).code == 0
    assert not list(released.parent.glob("*.html"))
