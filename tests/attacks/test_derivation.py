"""Columns that undo others are found in any role, on every engine, with every kind of recipe; diverse ones are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.attacks.derivation import CHANCE, Triples, known
from fairveil.engines import InMemoryTable
from fairveil.methods import Method
from fairveil.methods.blocks import row_search
from fairveil.recipes import RECIPES
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from fairveil.release.source_dangers import source_dangers
from tests.contracts.people import OnlyCounts

H = fv.hierarchy
HIERARCHIES = {"age": H.intervals([20, 60], widths=(10, 20)), "zip": H.mask(3)}
METHODS = [
    fv.Incognito(), fv.Mondrian(), fv.Datafly(), fv.TopDownGreedy(), fv.FairMDAV(size=40, protected="sex"), fv.TDS(),
    fv.Preferences(evaluations=400), fv.LocalSuppression(),
]  # fmt: skip


def people(rows: int = 900, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "zip": [f"{a}{b}" for a, b in zip(rng.integers(10, 30, rows), rng.integers(0, 5, rows), strict=True)],
        "age": rng.integers(20, 60, rows), "sex": rng.choice(["f", "m"], rows),
        "illness": rng.choice([f"ill {i}" for i in range(12)], rows), "pay": rng.integers(1000, 9000, rows),
        "credit": rng.choice(["yes", "no"], rows),
    })  # fmt: skip


def schema(**roles: Any) -> fv.Schema:
    given = {"quasi": ["zip", "age", "sex"], "protected": ["sex"], "sensitive": ["illness"], "decision": "credit",
             "denied": "no", "hierarchies": HIERARCHIES}  # fmt: skip
    return fv.Schema(**{**given, **roles})


def released(data: Any, roles: fv.Schema, method: Method | None = None, k: int = 8) -> fv.Release:
    if isinstance(data, pd.DataFrame):
        data = data[[name for name in data if name in roles.columns]]
    return fv.search(data, roles, guards=[fv.KAnonymity(k, suppression=0.05)], method=method).best("loss")


def pairs(release: fv.Release) -> set[tuple[str, str]]:
    return {(finding["column"], finding["details"]["undoes"]) for finding in source_dangers(release)}


Values = Callable[[pd.DataFrame], Any]
DERIVED: dict[str, tuple[str, Values]] = {
    "year of birth": ("age", lambda f: 2024 - f["age"]),
    "year of birth, before or after the birthday": ("age", lambda f: 2024 - f["age"] - np.arange(len(f)) % 2),
    "date of birth": ("age", lambda f: pd.Timestamp("2024-01-01") - pd.to_timedelta(
        f["age"] * 365 + np.random.default_rng(1).integers(0, 365, len(f)), unit="D")),
    "age in months": ("age", lambda f: f["age"] * 12.0 + np.random.default_rng(1).integers(0, 12, len(f))),
    "district": ("zip", lambda f: "D" + f["zip"].str[:2]),
    "last digit": ("zip", lambda f: "…" + f["zip"].str[2:]),
    "for half of the people": ("age", lambda f: (2024 - f["age"]).where(np.arange(len(f)) % 2 == 0)),
    "a number in the order of places": ("zip", lambda f: f.groupby(["zip", "age", "sex"]).ngroup()),
}  # fmt: skip


@pytest.mark.parametrize("role", ["plain", "sensitive"])
@pytest.mark.parametrize("name", DERIVED)
def test_a_column_that_undoes_another_is_found_in_any_role(name: str, role: str) -> None:
    hidden, values = DERIVED[name]
    frame = people()
    frame["other"] = values(frame)
    roles = schema(plain=["other"]) if role == "plain" else schema(sensitive=["illness", "other"])
    assert ("other", hidden) in pairs(released(frame, roles))


def test_a_decision_that_encodes_an_attribute_is_found() -> None:
    frame = people().assign(credit=lambda f: f["credit"] + "-" + f["age"].astype(str))
    assert pairs(released(frame, schema(denied="no-20"))) == {("credit", "age")}


def test_a_title_that_tells_the_sex_is_found_where_sex_is_hidden() -> None:
    frame = people(120).assign(title=lambda f: np.where(f["sex"] == "f", "Ms", "Mr"))
    roles = schema(quasi=["sex", "age"], plain=["title"], protected=[], hierarchies={"age": HIERARCHIES["age"]})
    release = released(frame, roles, k=40)
    shown = release.recipe.level_of("sex") == 0
    assert (("title", "sex") in pairs(release)) != shown


def test_every_kind_of_recipe_is_tried() -> None:
    kinds = {released(people(), schema(), method).recipe.kind for method in METHODS}
    assert kinds == {recipe.kind for recipe in RECIPES if not (recipe.splits or recipe.invents)}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_by_every_kind_of_recipe(method: Method) -> None:
    frame = people().assign(born=lambda f: 2024 - f["age"])
    roles = schema(quasi=["age", "sex"], plain=["born"], hierarchies={"age": HIERARCHIES["age"]})
    assert ("born", "age") in pairs(released(frame, roles, method, k=30))
    assert pairs(released(frame.drop(columns="born"), schema(), method)) == set()


@pytest.mark.parametrize("method", [None, fv.Mondrian()], ids=["counted", "grouped"])
def test_an_engine_counts_the_same(method: Method | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_search, "EXACT", 50)
    monkeypatch.setattr(row_search, "BLOCK", 1000)
    frame = people(3000).assign(born=lambda f: 2024 - f["age"])
    roles = schema(plain=["born"], sensitive=["illness", "pay"])
    release = released(duckdb.connect().from_arrow(pa.Table.from_pandas(frame)), roles, method)
    assert release.source.engine is not None
    assert pairs(release) == pairs(released(frame, roles, method)) == {("born", "age")}
    with pytest.raises(fv.Danger, match="born undoes age"):
        release.save(tmp_path / "out", format="parquet")


@pytest.mark.parametrize("rows", [30, 120, 500, 2000])
def test_a_column_that_is_only_diverse_is_not(rows: int) -> None:
    for seed in range(8):
        frame = people(rows, seed).assign(number=lambda f, s=seed: np.random.default_rng(s).permutation(len(f)))
        roles = schema(sensitive=["illness", "pay"], plain=["number"])
        assert pairs(released(frame, roles, k=4)) == set(), seed


def test_real_people() -> None:
    """Adult: what belongs together among people is no danger; what tells a hidden column is one."""
    frame = fv.datasets.adult("all").table.to_frame("pandas")[::8].reset_index(drop=True)
    frame = frame[["age", "sex", "education", "occupation", "hours-per-week", "income"]]
    rng = np.random.default_rng(0)
    zips = rng.choice(rng.choice(90000, 500, replace=False) + 10000, len(frame)).astype(str)
    rules = {"age": H.intervals([15, 95], widths=(5, 10, 20, 40)), "zip": H.mask(5)}
    roles = fv.Schema(quasi=["age", "sex", "zip"], sensitive=["occupation"], plain=["education", "hours-per-week"],
                      decision="income", hierarchies=rules)  # fmt: skip
    frame = frame.assign(zip=zips)

    def undone(frame: pd.DataFrame, roles: fv.Schema) -> set[tuple[str, str]]:
        return pairs(released(frame, roles, fv.Datafly(), k=10))

    assert undone(frame, roles) == set()
    with_plain = replace(roles, plain=[*roles.plain, "other"])
    assert ("other", "age") in undone(frame.assign(other=1994 - frame["age"]), with_plain)
    assert ("other", "zip") in undone(frame.assign(other=frame["zip"].str[:3]), with_plain)
    encoded = frame.assign(income=frame["income"] + frame["age"].astype(str))
    assert ("income", "age") in undone(encoded, roles)


def test_chance_is_far_below_the_limit() -> None:
    rng = np.random.default_rng(3)
    for rows in (10, 50, 400):
        for values in (2, 20, rows):
            for _ in range(20):
                age = rng.integers(0, 40, rows)
                triples = Triples.of_rows(age // 10, age, rng.integers(0, values, rows))
                assert known(triples) == (1.0, 1.0)
    assert CHANCE >= 5


def test_large_classes_hide_people_all_the_same() -> None:
    """With dozens of people of every year of birth in every class, nobody is among fewer than k."""
    frame = people(4000).assign(born=lambda f: 2024 - f["age"])[["age", "sex", "born"]]
    roles = fv.Schema(quasi=["age", "sex"], plain=["born"], hierarchies={"age": HIERARCHIES["age"]})
    for k, undone in ((4, set()), (400, {("born", "age")})):
        assert pairs(publish(frame, roles, [fv.KAnonymity(k)], FullDomain(roles, {"age": 1, "sex": 0}))) == undone


def test_only_that_it_was_accepted_is_published(tmp_path: Path) -> None:
    frame = people().assign(born=lambda f: 2024 - f["age"])
    release = released(frame, schema(plain=["born"]))
    with pytest.raises(fv.Danger, match=r"born undoes age.*remove born, publish it at a level.*or make it quasi") as no:
        release.save(tmp_path / "out")
    assert "derivation" in no.value.dangers and not list(tmp_path.iterdir())
    accepted = list(no.value.dangers)
    saved = release.save(tmp_path / "out", accept=accepted)
    assert fv.verify(saved) and saved.evidence["accepted"] == sorted(accepted)
    assert "undoes" not in "".join(file.read_text() for file in saved.path.iterdir())
    assert "derivation" in (saved / "report.html").read_text()
    assert fv.attack(saved, original=frame).of("derivation", "born").level == "danger"
    assert fv.attack(saved).skipped["derivation"] == "it needs the original data"


@pytest.mark.parametrize("role", ["plain", "sensitive"])
@pytest.mark.parametrize("visits", [1, 2, 3])
def test_a_column_that_numbers_people_is_found_in_any_role(role: str, visits: int, tmp_path: Path) -> None:
    frame = people(300).assign(number=np.random.default_rng(1).permutation(300) + 70000)
    frame = frame.loc[frame.index.repeat(visits)].reset_index(drop=True)
    roles = schema(plain=["number"]) if role == "plain" else schema(sensitive=["illness", "number"])
    with pytest.raises(fv.Danger) as refused:
        released(frame, roles).save(tmp_path / "out")
    assert ("uniqueness" if visits < 3 else "derivation") in refused.value.dangers


def test_amounts_number_nobody(tmp_path: Path) -> None:
    frame = people(3000).assign(pay=np.random.default_rng(5).integers(0, 3000, 3000))
    frame["illness"] = np.random.default_rng(6).choice(["flu", "cold", "pox"], 3000)
    finding = fv.attack(released(frame, schema(sensitive=["illness", "pay"]))).of("uniqueness")
    assert finding.level == "warn" and finding.details["unique_by_column"]["pay"] > 0.3


def test_uniqueness_counts_people_among_fewer_than_k() -> None:
    frame = people(400).assign(extra=np.arange(400) // 2 % 100)
    release = released(frame, schema(plain=["extra"]))
    finding = fv.attack(release).of("uniqueness")
    sizes = release.to_frame("pandas").groupby(["zip", "age", "sex", "extra"])["illness"].transform("size")
    assert finding.affected == (sizes < 8).sum() > finding.details["unique"] == (sizes == 1).sum()


def panel(people: int = 250, years: int = 4, seed: int = 0) -> pd.DataFrame:
    """People with a record for each year. Their town and religion stay the same and have nothing to do with each other;
    the district tells the town."""
    rng = np.random.default_rng(seed)
    each = pd.DataFrame({
        "who": rng.permutation(people), "town": rng.integers(100, 160, people), "sex": rng.choice(["f", "m"], people),
        "creed": rng.choice([f"creed {i}" for i in range(60)], people),
    })  # fmt: skip
    each["district"] = "D" + (each["town"] // 2).astype(str)
    frame = each.loc[each.index.repeat(years)].reset_index(drop=True)
    return frame.assign(answer=rng.integers(0, 8, len(frame)))


@pytest.mark.parametrize("progress", [False, fv.Progress()], ids=["after writing", "while writing"])
def test_the_source_is_looked_at_while_rows_are_written(progress: fv.Progress | bool, tmp_path: Path) -> None:
    frame = people().assign(born=lambda f: 2024 - f["age"]).drop(columns="pay")
    often = pa.Table.from_pandas(frame.loc[frame.index.repeat(20)], preserve_index=False)
    release = released(duckdb.connect().from_arrow(often), schema(plain=["born"]), k=160)
    assert all(isinstance(content, InMemoryTable) for content in release.published.content.values())
    with pytest.raises(fv.Danger, match="born undoes age") as no:
        release.save(tmp_path / "out", format="parquet", progress=progress)
    assert not list(tmp_path.iterdir())
    saved = release.save(tmp_path / "out", format="parquet", accept=list(no.value.dangers), progress=progress)
    assert fv.verify(saved)


PANEL = fv.Schema(quasi=["town", "sex"], plain=["creed", "district", "answer"], person="who",
                  hierarchies={"town": H.intervals([100, 160], widths=(20, 60))})  # fmt: skip


@pytest.mark.parametrize("method", [None, fv.Mondrian()], ids=["counted", "grouped"])
@pytest.mark.parametrize("suppressed", [False, True], ids=["all", "suppressed"])
def test_records_of_the_same_person_tell_nothing(
    method: Method | None, suppressed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stays the same for a person is no danger unless it tells of others, too, in memory, on an engine, and where
    rows are only counted."""
    monkeypatch.setattr(row_search, "EXACT", 50)
    monkeypatch.setattr(row_search, "BLOCK", 300)
    frame = panel()
    if suppressed:
        frame.loc[frame["who"] < 3, "sex"] = "x"
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    figures = []
    shuffled, only_counts = frame.sample(frac=1, random_state=1), [OnlyCounts(arrow)] if method is None else []
    for data in (frame, shuffled, duckdb.connect().from_arrow(arrow), *only_counts):
        release = released(data, PANEL, method, k=8)
        assert bool(release.suppressed) == suppressed or method is not None
        assert {pair for pair in pairs(release) if pair[1] == "town"} == {("district", "town")}
        figures.append([finding["verdict"] for finding in source_dangers(release)])
    assert figures[0] == figures[1] and (method is not None or figures[0] == figures[2] == figures[3])
    release = released(frame, PANEL, method, k=8)
    findings = [finding for finding in fv.attack(release, original=frame) if finding.attack == "derivation"]
    assert {finding.column for finding in findings if finding.details["undoes"] == "town"} == {"district"}
    by_records = released(frame.drop(columns="who"), replace(PANEL, person=None), method, k=32)
    assert ("creed", "town") in pairs(by_records)  # whom records are about is what makes the difference
