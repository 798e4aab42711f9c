"""Releases that version 0.1 has written are read, verified and applied by this one."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.counting.cells import Classes
from fairveil.guards.guard import ClassGuard
from fairveil.published.folder import load, load_recipe, seal, sha256
from fairveil.settings import setting
from tests.contracts.people import SCHEMA, source

FOLDERS = sorted((Path(__file__).parent / "releases-0.1").iterdir())


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(request.param, tmp_path / "out"))


def resealed(folder: Path, evidence: dict[str, object]) -> None:
    evidence["seal"] = seal(evidence)
    (folder / "evidence.json").write_text(json.dumps(evidence), encoding="utf-8")


def test_it_is_verified(folder: Path) -> None:
    verification = fv.verify(folder)
    assert verification, verification.problems
    assert [verdict.guard for verdict in verification.verdicts] == [fv.KAnonymity(3, suppression=0.05)]
    assert verification.rows == json.loads((folder / "evidence.json").read_text())["rows"]["published"]


def test_it_is_read_reported_and_attacked(folder: Path) -> None:
    loaded = load(folder)
    assert loaded.evidence["fairveil"] == "0.1.0"
    assert (loaded.published.classes is None) == loaded.published.recipe.splits and loaded.published.k >= 3
    assert "k-anonymity" in str(fv.report(folder))
    assert len(fv.attack(folder)) > 0 or loaded.published.recipe.invents


def test_its_recipe_is_applied_to_new_data(folder: Path) -> None:
    published, recipe = load(folder).published, load_recipe(folder)
    assert json.loads(json.dumps(recipe.to_dict())) == json.loads((folder / "recipe.json").read_text())
    rows = pa.table({"age": [31], "sex": ["F"], "zip": ["10115"], "illness": ["flu"]})
    if "credit" in recipe.schema.columns:
        rows = source(rows=60)
    if recipe.invents:
        with pytest.raises(fv.BadInput, match="is not applied to new data"):
            recipe.outcome(fv.Table.from_frame(rows))
        return
    tables = recipe.outcome(fv.Table.from_frame(rows), unknown="suppress").tables
    assert {name: table.names for name, table in tables.items()} == {
        name: content.names for name, content in published.content.items()
    }
    assert len(rows) < 60 or all(table.rows for table in tables.values())


def test_a_changed_figure_is_still_a_problem(folder: Path) -> None:
    evidence = json.loads((folder / "evidence.json").read_text())
    evidence["guards"][0]["worst"] = 50.0
    resealed(folder, evidence)
    assert any("guards.0.worst" in problem for problem in fv.verify(folder).problems)


def test_changed_data_is_still_a_problem(folder: Path) -> None:
    data = next(file for file in sorted(folder.iterdir()) if file.stem in load_recipe(folder).table_names)
    data.write_bytes(data.read_bytes()[:-9])
    evidence = json.loads((folder / "evidence.json").read_text())
    evidence["files"][data.name] = sha256(data)
    resealed(folder, evidence)
    assert not fv.verify(folder)


class SmallEnough(ClassGuard):
    """No class has more than a number of rows."""

    kind: ClassVar[str] = "small-enough"
    higher_is_better: ClassVar[bool] = False

    def promise(self) -> str:
        return "No group of records is large."

    def values(self, classes: Classes, schema: fv.Schema) -> np.ndarray:
        return classes.rows

    def describe(self, worst: float) -> str:
        return f"the largest class has {worst:g} rows"


@dataclass(frozen=True)
class BeforeItsRename(SmallEnough):
    most: int = setting(80, "maximum number of rows")

    @property
    def limit(self) -> float:
        return self.most


@dataclass(frozen=True)
class AfterItsRename(SmallEnough):
    max_rows: int = setting(80, "maximum number of rows", formerly="most")

    @property
    def limit(self) -> float:
        return self.max_rows


def test_a_release_is_verified_after_a_setting_of_its_guard_was_renamed(tmp_path: Path) -> None:
    guards = [fv.KAnonymity(3), BeforeItsRename(70)]
    try:
        fv.guards.register(BeforeItsRename)
        release = fv.search(source(), SCHEMA, guards=guards, method=fv.Incognito()).best("loss")
        folder = release.save(tmp_path / "out").path
        fv.guards.GUARDS.unregister("small-enough")
        fv.guards.register(AfterItsRename)
        verification = fv.verify(folder)
        assert verification, verification.problems
        assert verification.verdicts[1].guard == AfterItsRename(70)
        evidence = json.loads((folder / "evidence.json").read_text())
        evidence["guards"][1]["most"] = 75
        resealed(folder, evidence)
        assert fv.verify(folder).problems
    finally:
        fv.guards.GUARDS.unregister("small-enough")
