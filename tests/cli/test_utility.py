"""fairveil utility, what `release` says and writes with [utility], and the source beside `explore`'s candidates."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pyarrow.csv
import pytest

from fairveil.cli.utility import MAX_GROUPS, _favoured
from tests.cli.conftest import Run
from tests.contracts.people import source

PLAN = """
format = 1
[source]
path = "people.csv"
text = "zip"
[schema]
identifier = "name"
quasi = ["zip", "age", "sex"]
sensitive = "illness"
protected = "sex"
decision = "credit"
denied = "no"
[hierarchies.zip]
kind = "mask"
length = 2
[hierarchies.age]
kind = "intervals"
edges = [20, 60]
widths = [10, 20]
[[guards]]
kind = "k-anonymity"
k = 3
"""
TRIED = "[utility]\nclassifiers = 'tree'\nqueries = 10\nresamples = 5\n"
QUICK = ("--classifiers", "tree", "--queries", 10, "--resamples", 5, "--text", "zip")


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    for name, seed in (("people", 0), ("others", 1)):
        pyarrow.csv.write_csv(source(seed, 400), tmp_path / f"{name}.csv")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


@pytest.fixture
def released(plan: Path, fairveil: Run) -> Path:
    out = plan.with_name("out")
    assert fairveil("release", plan, "--out", out).code == 0
    return out


def test_a_table_for_people_and_numbers_for_machines(released: Path, fairveil: Run) -> None:
    people, others = released.with_name("people.csv"), released.with_name("others.csv")
    asked = ("utility", released, "--original", people, "--test", others, *QUICK)
    result = fairveil(*asked)
    assert (result.code, result.err) == (0, "")
    for words in ("tested on 400 rows of others", "balanced-accuracy", "equalised odds", "10 random counts"):
        assert words in result.out
    content = json.loads(fairveil(*asked, "--json").out)
    assert [one["tested"] for one in content["models"]] == ["original", "recoded", "original"]
    assert content["learnt"] == "release" and set(content["survival"]["marginals"]) == {"zip", "age", "sex", "credit"}
    rows = list(csv.DictReader(io.StringIO(fairveil(*asked, "--csv").out)))
    assert len(rows) == 12 and float(rows[0]["value"]) == content["models"][0]["scores"]["accuracy"]["value"]


def test_without_others_some_rows_are_set_aside(released: Path, fairveil: Run) -> None:
    people = released.with_name("people.csv")
    result = fairveil("utility", released, "--original", people, "--test", "0.25", *QUICK)
    assert result.code == 0 and "100 rows of the original were set aside" in result.out
    assert "repeats the search without the test rows" in result.out  # the recipe knows them, and that is said


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--test", "1.5"), "--test must be a share of the rows between 0 and 1"),
        (("--test", "nobody.csv"), "nobody.csv"),
        (("--classifiers", "trre"), "did you mean 'tree'?"),
        (("--csv", "--json"), "--csv or --json, not both"),
        (("--resamples", "1"), "resamples"),
    ],
)
def test_bad_input(options: tuple[str, ...], sentence: str, released: Path, fairveil: Run) -> None:
    answer = fairveil("utility", released, "--original", released.with_name("people.csv"), *options)
    assert answer.code == 2 and sentence in answer.err and answer.err.count("\n") == 1


def test_what_cannot_be_recoded_is_refused_in_words(released: Path, fairveil: Run) -> None:
    strange = released.with_name("strange.csv")
    strange.write_text("name,zip,age,sex,illness,credit\np,abc,30,f,flu,yes\nq,def,40,m,flu,no\n", encoding="utf-8")
    people = released.with_name("people.csv")
    answer = fairveil("utility", released, "--original", people, "--test", strange, *QUICK)
    assert answer.code == 2 and "does not know, such as 'abc' in 'zip'" in answer.err


def test_release_says_what_it_is_good_for_and_where_the_rest_is(plan: Path, fairveil: Run) -> None:
    plan.write_text(PLAN + TRIED, encoding="utf-8")
    out, inside = plan.with_name("out"), plan.with_name("inside.html")
    result = fairveil("release", plan, "--out", out, "--internal", inside)
    assert (result.code, result.err) == (0, "")
    assert "120 rows were set aside" in result.out and "do not publish it" in result.out
    page = inside.read_text(encoding="utf-8")
    assert "Internal: do not publish." in page and "Before and after, record by record" in page
    assert "utility" in json.loads((out / "evidence.json").read_text())
    data = plan.with_name("inside.json")
    assert fairveil("release", plan, "--out", out, "--overwrite", "--internal", data).code == 0
    held = json.loads(data.read_text(encoding="utf-8"))
    assert len(held["report"]["sample"]) == 10 and held["report"]["guards_before"][0]["holds"] is False
    assert "associations" in held["utility"]["survival"] and "alternatives" in held
    assert {"linkage", "reidentification"} <= {one["attack"] for one in held["attacks"]}
    plain = fairveil("release", plan, "--out", plan.with_name("again"))
    assert "--internal FILE.html" in plain.out


def test_the_internal_report_never_lands_in_the_release(plan: Path, fairveil: Run) -> None:
    out = plan.with_name("out")
    for place, sentence in (
        (out / "inside.html", "is inside the release folder"),
        (plan.with_name("x.txt"), "must be an .html"),
    ):
        answer = fairveil("release", plan, "--out", out, "--internal", place)
        assert answer.code == 2 and sentence in answer.err
    assert not out.exists()


def test_the_source_stands_beside_the_candidates(plan: Path, fairveil: Run) -> None:
    names = "accuracy,balanced-accuracy,f1,auc"
    answer = json.loads(fairveil("explore", plan, "--measures", names, "--max-candidates", 3, "--json").out)
    assert answer["baseline"]["loss"] == 0
    assert {*names.split(",")} <= set(answer["baseline"]) and {*names.split(",")} <= set(answer["records"][0])
    table = fairveil(
        "explore", plan, "--measures", "accuracy", "--max-candidates", 3, "--plot", plan.with_name("p.png")
    )
    assert table.code == 0 and "the source itself" in table.out
    assert plan.with_name("p.png").stat().st_size > 10_000


def test_only_the_largest_of_many_groups_are_listed() -> None:
    groups: list[dict[str, Any]] = [
        {"group": f"g{number}", "rows": number % 17, "positive": 0.5} for number in range(40)
    ]
    told = _favoured(groups)
    assert told.startswith("g11 50.0 %, g12 50.0 %, g13") and told.endswith(" and 28 smaller groups")
    assert told.count("%") == MAX_GROUPS == 12
    assert min(groups[int(name)]["rows"] for name in re.findall(r"g(\d+)", told)) >= 11
    assert _favoured(groups[:2]) == "g0 50.0 %, g1 50.0 %"
