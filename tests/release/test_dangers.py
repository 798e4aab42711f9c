"""What a reader must not miss: releases that keep nothing, rows in the order of the source, people who are unique in
spite of k. It is said first everywhere, and a danger is published only by those who accept it by name."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.attacks import ATTACKS, WEAKNESSES, first_to_say, weaknesses
from fairveil.cli import run
from fairveil.methods import METHODS, Method
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.contracts import people as contract

K2 = fv.KAnonymity(2)


def patients(rows: int = 400, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "age": rng.integers(20, 60, rows), "sex": rng.choice(["f", "m"], rows),
        "ill": rng.choice([f"ill {i}" for i in range(40)], rows),
    })  # fmt: skip


SCHEMA = fv.Schema(
    quasi=["age", "sex"], sensitive=["ill"],
    hierarchies={"age": fv.hierarchy.intervals([20, 60], widths=(10, 20))},
)  # fmt: skip


def first_screen(folder: Path) -> str:
    """The header of the page: what stands before the first section."""
    page = (folder / "report.html").read_text()
    return html.unescape(re.sub(r"<[^>]*>", " ", page[page.index("<header>") : page.index("<nav")]))


# Row order


@pytest.mark.parametrize("suppression", [0.0, 0.3])
def test_the_order_of_the_source_is_an_identifier(suppression: float, tmp_path: Path) -> None:
    frame = patients()
    guard = fv.KAnonymity(60, suppression=suppression)
    release = fv.search(frame, SCHEMA, guards=[guard], order="keep").best("loss")
    with pytest.raises(fv.Danger, match="row-order"):
        release.save(tmp_path / "out")
    folder = release.save(tmp_path / "out", accept=["row-order", "homogeneity"]).path
    assert fv.verify(folder)
    for given in (release, folder):
        finding = fv.attack(given, original=frame).of("row-order")
        assert (finding.level, finding.column, finding.records) == ("danger", "ill", release.table.rows)
        if not suppression:
            assert finding.affected == 400
            assert "by number, the ill of 400 of 400 records is read correctly" in finding.verdict
        assert finding.affected > 0.9 * release.table.rows
        assert finding.average > finding.baseline
    shown = pd.read_csv(folder / "data.csv")
    if not suppression:
        assert (shown["ill"] == frame["ill"]).all()  # it is true
    evidence = json.loads((folder / "evidence.json").read_text())
    assert "row-order" in evidence["weaknesses"]
    assert any(a["attack"] == "row-order" and a["level"] == "danger" for a in evidence["attacks"])
    assert "row-order" in first_screen(folder)


def test_a_column_without_secrets_still_gives_rows_away() -> None:
    frame = patients()[["age", "sex"]]
    schema = fv.Schema(quasi=["age", "sex"], hierarchies=dict(SCHEMA.hierarchies))
    release = fv.search(frame, schema, guards=[K2], order="keep").best("loss")
    assert "400 records of 400 can be given to a person" in fv.attack(release, original=frame).of("row-order").verdict


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_only_rows_in_the_order_of_the_source_are_called_so(method: type[Method]) -> None:
    """Of every method: projections and noisy tables have an order of their own."""
    try:
        kept = contract.search(contract.quick(method), contract.source(), order="keep").release(0)
    except fv.Infeasible:
        pytest.skip("this method finds nothing here")
    rows = kept.published.source_rows
    assert ("row-order" in weaknesses(kept)) == (rows is not None)
    sorted_rows = contract.search(contract.quick(method), contract.source()).release(0)
    assert "row-order" not in weaknesses(sorted_rows)
    assert "sorted by their values" in fv.attack(sorted_rows).skipped.get("row-order", "sorted by their values") or (
        not sorted_rows.published.whole or sorted_rows.recipe.invents
    )


# Releases that keep nothing


def nothing_at_the_top() -> fv.Release:
    frame = patients()
    return publish(frame, SCHEMA, [fv.KAnonymity(400)], FullDomain(SCHEMA, {"age": 3, "sex": 1}))


def noise_at_the_top() -> fv.Release:
    frame = patients().assign(y="no")
    schema = fv.Schema(quasi=["age", "sex"], decision="y", plain=["ill"])
    method = fv.NoisyTable(5.0, public={"age": False, "sex": False, "y": ["no", "yes"]})
    return fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=method).release(0)


@pytest.mark.parametrize("make", [nothing_at_the_top, noise_at_the_top])
def test_a_release_that_keeps_nothing_says_so(
    make: Callable[[], fv.Release], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from fairveil.cli.release import show

    release = make()
    saved = release.save(tmp_path / "out", accept=["uniqueness"])
    folder = saved.path
    assert "keeps-nothing" in json.loads((folder / "evidence.json").read_text())["weaknesses"]
    assert "keeps-nothing" in first_screen(folder)
    assert "keeps-nothing" in fv.report_dict(folder)["report"]["headline"]
    show(release, saved)
    assert any("keeps-nothing" in line for line in capsys.readouterr().out.splitlines()[:2])


@pytest.mark.parametrize("levels", [{"age": 2, "sex": 1}, {"age": 3, "sex": 0}, {"age": 0, "sex": 0}])
def test_one_that_keeps_something_does_not(levels: dict[str, int]) -> None:
    release = publish(patients(), SCHEMA, [K2], FullDomain(SCHEMA, levels))
    assert "keeps-nothing" not in weaknesses(release)


def test_a_column_that_never_told_anything_is_kept() -> None:
    frame = patients().assign(age=30, sex="f")
    release = publish(frame, SCHEMA, [K2], FullDomain(SCHEMA, {"age": 0, "sex": 0}))
    assert "keeps-nothing" not in weaknesses(release)


# People who are unique in spite of k


def with_plain(values: list[object]) -> fv.Release:
    frame = patients(200).assign(extra=values)
    schema = fv.Schema(quasi=["age", "sex"], sensitive=["ill"], plain=["extra"], hierarchies=dict(SCHEMA.hierarchies))
    return fv.search(frame, schema, guards=[fv.KAnonymity(20)]).best("loss")


def as_sensitive() -> fv.Release:
    frame = patients(200).assign(pay=np.arange(200) * 7.5)
    schema = fv.Schema(quasi=["age", "sex"], sensitive=["ill", "pay"], hierarchies=dict(SCHEMA.hierarchies))
    return fv.search(frame, schema, guards=[fv.KAnonymity(20)]).best("loss")


def as_decision() -> fv.Release:
    frame = patients(200).assign(pay=np.arange(200) * 7.5)
    schema = fv.Schema(
        quasi=["age", "sex"], sensitive=["ill", "pay"], decision="pay", hierarchies=dict(SCHEMA.hierarchies)
    )
    return fv.search(frame, schema, guards=[fv.KAnonymity(20)]).best("loss")


UNIQUE: dict[str, Callable[[], fv.Release]] = {
    "a plain column alone": lambda: with_plain([f"id{i}" for i in range(200)]),
    "with the quasi columns": lambda: with_plain([i % 60 for i in range(200)]),
    "a sensitive column": as_sensitive,
    "the decision": as_decision,
}


@pytest.mark.parametrize("case", UNIQUE)
def test_a_column_that_makes_people_unique_is_said_first(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from fairveil.cli.release import show

    release = UNIQUE[case]()
    with pytest.raises(fv.Danger, match="uniqueness"):
        release.save(tmp_path / "out")
    saved = release.save(tmp_path / "out", accept=["uniqueness"])
    assert "uniqueness" in first_screen(saved.path)
    show(release, saved)
    assert any("uniqueness" in line for line in capsys.readouterr().out.splitlines()[:3])


def test_a_harmless_column_is_not() -> None:
    release = with_plain(["x", "y"] * 100)
    assert "uniqueness" not in [name for name, _ in first_to_say(release.evidence())]


# Accepting


def test_python_refuses_what_is_not_accepted(tmp_path: Path) -> None:
    release = UNIQUE["a plain column alone"]()
    with pytest.raises(fv.Danger, match="uniqueness: 200 records of 200") as refused:
        release.save(tmp_path / "a")
    assert isinstance(refused.value, fv.Infeasible) and list(refused.value.dangers) == ["uniqueness"]
    assert refused.value.evidence["accepted"] == []
    with pytest.raises(fv.Infeasible, match="uniqueness"):
        release.save(tmp_path / "a", accept=["homogeneity"])
    with pytest.raises(fv.BadInput, match="did you mean 'uniqueness'"):
        release.save(tmp_path / "a", accept=["uniquenes"])
    assert list(tmp_path.iterdir()) == []
    folder = release.save(tmp_path / "a", accept=["uniqueness", "rejoin"]).path
    assert json.loads((folder / "evidence.json").read_text())["accepted"] == ["uniqueness"]
    assert "Published knowingly" in first_screen(folder)
    assert fv.verify(folder)


PLAN = """format = 1
{accept}
[source]
path = "p.csv"
[schema]
quasi = ["age", "sex"]
sensitive = "ill"
plain = "extra"
[[guards]]
kind = "k-anonymity"
k = 20
[output]
order = "keep"
"""


def test_the_command_line_asks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patients(200).assign(extra=np.arange(200)).to_csv(tmp_path / "p.csv", index=False)
    plan, out = tmp_path / "plan.toml", tmp_path / "out"
    plan.write_text(PLAN.format(accept=""))
    command = ["release", str(plan), "--out", str(out)]
    assert run(command) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "uniqueness: 200 records of 200" in said and "row-order: the rows are" in said and "--accept NAME" in said
    assert run([*command, "--accept", "uniqueness"]) == 1
    assert "uniqueness:" not in capsys.readouterr().err
    assert run([*command, "--accept", "uniqeness"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.csv", "plan.toml"]
    assert run([*command, "--accept", "uniqueness", "--accept", "row-order"]) == 0
    assert "accepted" in capsys.readouterr().out.splitlines()[0]
    assert json.loads((out / "evidence.json").read_text())["accepted"] == ["row-order", "uniqueness"]
    assert run([*command, "--overwrite", "--accept", "uniqueness,row-order", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accepted"] == ["row-order", "uniqueness"]
    plan.write_text(PLAN.format(accept='accept = ["uniqueness", "row-order"]'))
    assert run([*command, "--overwrite"]) == 0
    assert fv.Plan.from_toml(fv.Plan.read(plan).to_toml(), tmp_path).accept == ("uniqueness", "row-order")
    plan.write_text(PLAN.format(accept='accept = ["nothing"]'))
    assert run([*command, "--overwrite"]) == 2


def test_every_example_and_the_demo_are_free_of_dangers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = Path(__file__).parents[2] / "docs" / "examples"
    for plan in ("people.toml", "adult.toml"):
        assert run(["release", str(examples / plan), "--out", str(tmp_path / plan)]) == 0
    assert run(["demo", "--out", str(tmp_path / "demo")]) == 0


def test_names_are_short_and_documented() -> None:
    docs = Path(__file__).parents[2] / "docs" / "attacks.md"
    for name in (*ATTACKS.names, *WEAKNESSES):
        assert name == name.lower() and " " not in name
        assert f"`{name}`" in docs.read_text(encoding="utf-8")
