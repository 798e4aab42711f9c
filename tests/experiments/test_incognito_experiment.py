"""Algorithm 1 as counted finds what the search finds; the sheets say what they must, and go on where they stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import fairveil as fv
from experiments import incognito, incognito_beyond, papers
from experiments.algorithm1 import Counted
from experiments.study import Study
from fairveil.guards.rules.lift import MEASURES
from fairveil.methods.task import Task

CREDIT = fv.datasets.german_credit()
LAST = CREDIT.schema.quasi[-5:]
FEW = replace(
    CREDIT.schema, quasi=LAST, plain=CREDIT.schema.quasi[:-5],
    hierarchies={name: rule for name, rule in CREDIT.schema.hierarchies.items() if name in LAST},
)  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
def test_algorithm_1_finds_what_the_search_finds(measure: str) -> None:
    for k, alpha, tau in ((5, 1.2, 5), (5, 1.6, 2), (20, 1.05, 3)):
        guard = fv.AlphaProtection(alpha, measure, 0.05, tau, ("quasi",))
        frontier = fv.search(CREDIT.table, FEW, guards=[fv.KAnonymity(k), guard])
        task = Task.of(CREDIT.table, FEW, [fv.KAnonymity(k), guard])
        ran = Counted(task.lattice, FEW).run(k, alpha, measure, 0.05, tau, FEW.protected)
        assert ran.solutions == len(frontier)
        assert ran.protection and ran.anonymity
        plain = Counted(task.lattice, FEW).run(k)
        assert plain.protection == 0
        assert plain.solutions == len(fv.search(CREDIT.table, FEW, guards=[fv.KAnonymity(k)]))


def test_sheets_and_going_on_where_they_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incognito, "KS", (50,))
    printed = {table.name: table for table in papers.read("incognito").printed}
    study = Study(tmp_path, "tiny")
    sheets = list(incognito.run(study))
    for sheet in sheets:
        for name in sheet.of:
            assert set(sheet.ours) <= set(printed[name].numbers)
        assert set(sheet.holds) <= {claim for name in sheet.of for claim in printed[name].claims}
        assert all((tmp_path / picture).is_file() for picture in sheet.pictures)
    accuracy = next(sheet for sheet in sheets if sheet.of == ["Table 6"])
    assert accuracy.ours["Naïve Bayes, original"] == pytest.approx(71.25, abs=0.02)  # as printed
    assert any("same table" in note for note in accuracy.notes)
    counted = next(sheet for sheet in sheets if sheet.of == ["Figure 5"])
    assert counted.holds["always faster than Incognito"] is False and counted.holds["faster as k grows"]
    monkeypatch.setattr(incognito_beyond.Counted, "run", lambda *a, **b: pytest.fail("counted already"))
    assert [sheet.rows for sheet in incognito.run(Study(tmp_path, "tiny"))] == [sheet.rows for sheet in sheets]
