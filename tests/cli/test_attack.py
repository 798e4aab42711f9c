"""fairveil attack: a danger is exit code 1, a warning is not, and what was not tried is said."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.recipes.decomposition import Decomposition
from fairveil.release.release import publish

from .conftest import PLAN, Run

SAFE = PLAN.replace("k = 3", "k = 5").replace("l = 2", "l = 3")


@pytest.fixture
def released(plan: Path, fairveil: Run) -> Path:
    plan.write_text(SAFE, encoding="utf-8")
    out = plan.with_name("out")
    assert fairveil("release", plan, "--out", out).code == 0
    return out


def test_a_safe_release_and_what_was_not_tried(released: Path, fairveil: Run) -> None:
    result = fairveil("attack", released)
    assert (result.code, result.err) == (0, "")
    assert "homogeneity" in result.out and "no class gives away disease" in result.out
    assert "it needs the original data" in result.out and "were not run" in result.out


def test_an_original_allows_more_and_is_read_with_the_usual_options(
    released: Path, people: Path, fairveil: Run
) -> None:
    given = ("--original", people, "--text", "zip", "--known", "age,sex", "--other", released)
    answer = json.loads(fairveil("attack", released, *given, "--json").out)
    tried = {finding["attack"] for finding in answer["attacks"]}
    assert {"linkage", "intersection", "reidentification"} <= tried
    assert answer["path"] == str(released) and answer["level"] in ("ok", "warn", "danger")
    assert "control group" in answer["not_run"]["membership"]
    one = json.loads(fairveil("attack", released, *given, "--only", "linkage", "--json").out)
    assert [finding["attack"] for finding in one["attacks"]] == ["linkage"] and one["not_run"] == {}
    assert "somebody who knows age and sex" in one["attacks"][0]["verdict"]


def test_a_control_group_is_read(released: Path, people: Path, fairveil: Run) -> None:
    header, *rows = people.read_text(encoding="utf-8").splitlines()
    control = people.with_name("control.csv")
    control.write_text("\n".join([header, *(rows * 3)]) + "\n", encoding="utf-8")
    given = ("--original", people, "--control", control, "--text", "zip")
    answer = json.loads(fairveil("attack", released, *given, "--json").out)
    assert "membership" in {finding["attack"] for finding in answer["attacks"]}


def test_a_danger_is_answered_with_1(plan: Path, people: Path, fairveil: Run) -> None:
    """k-anonymity alone: all of a class have the same disease."""
    lines = ["name,age,zip,sex,disease"] + [
        f"P{i},{20 + 10 * (i % 2)},08540,F,{'flu' if i % 2 else 'cold'}" for i in range(12)
    ]
    people.write_text("\n".join(lines) + "\n", encoding="utf-8")
    plan.write_text(PLAN.split('[[guards]]\nkind = "distinct')[0], encoding="utf-8")
    out = plan.with_name("out")
    assert fairveil("release", plan, "--out", out).code == 1
    assert fairveil("release", plan, "--out", out, "--accept", "homogeneity").code == 0
    result = fairveil("attack", out)
    assert result.code == 1
    assert "danger" in result.out and "give away disease for certain" in result.out and "NOT safe" in result.out
    assert fairveil("attack", out, "--only", "skewness").code == 0
    assert fairveil("attack", out, "--only", "homogeneity", "--json").code == 1


def test_bad_input(released: Path, people: Path, fairveil: Run) -> None:
    for arguments, culprit in (
        ((people.parent,), "is not a release"),
        ((released, "--only", "linkag"), "linkage"),
        ((released, "--original", people.with_name("none.csv")), "none.csv"),
        ((released, "--original", people, "--known", "agee"), "agee"),
        ((released, "--other", people.parent), "is not a release"),
    ):
        result = fairveil("attack", *arguments)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
        assert culprit in result.err


def split_release(folder: Path, k: int) -> Path:
    """Two projections of 14 rows; a group has 7 rows, and joined on the class, 2·2 rows at least."""
    one = [("u", "n")] * 2 + [("u", "p")] * 5 + [("v", "n")] * 5 + [("v", "p")] * 2
    rows = sorted(one, key=lambda row: row[1])
    frame = pa.table({"a": [a for a, _ in rows], "b": [a.upper() for a, _ in rows], "y": [y for _, y in rows]})
    schema = fv.Schema(quasi=["a", "b"], decision="y")
    recipe = Decomposition(schema, (("a",), ("b",)))
    return publish(fv.Table.from_frame(frame), schema, [fv.KAnonymity(k)], recipe).save(folder).path


def test_projections_that_fail_together_are_caught(tmp_path: Path, fairveil: Run) -> None:
    """Each projection has groups of 7, but their join has one of 4: a promise of 5 that `release` would refuse."""
    folder = split_release(tmp_path / "out", 4)
    fine = fairveil("attack", folder)
    assert fine.code == 0 and "in 4 rows or more" in fine.out
    assert "somebody who also knows a person's class finds 2" in " ".join(fine.out.split())
    evidence = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    assert [finding["attack"] for finding in evidence["attacks"]] == ["rejoin"]
    evidence["guards"][0]["k"] = 5
    (folder / "evidence.json").write_text(json.dumps(evidence), encoding="utf-8")
    result = fairveil("attack", folder)
    assert result.code == 1
    assert (
        "projections joined on the class show a combination of quasi values in 4 rows, fewer than the 5" in result.out
    )
    with pytest.raises(fv.Infeasible):
        split_release(tmp_path / "refused", 5)


def test_releasing_names_what_is_known_to_be_weak(plan: Path, fairveil: Run) -> None:
    plan.write_text(SAFE.replace('[[guards]]\nkind = "distinct-diversity"\nl = 3\n', ""), encoding="utf-8")
    result = fairveil("release", plan, "--out", plan.with_name("out"))
    assert result.code == 0
    assert "known weakness, minimality" in result.out
    assert "known weakness, homogeneity" in result.out
