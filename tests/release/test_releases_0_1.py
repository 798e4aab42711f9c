"""Releases that version 0.1 has written are read, verified and applied by this one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.published.folder import load, load_recipe, seal, sha256
from tests.contracts.people import source

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
    tables = recipe.apply(fv.Table.from_frame(rows), unknown="suppress").tables
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
