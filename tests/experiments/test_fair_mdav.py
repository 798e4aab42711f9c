"""`fairveil reproduce fair-mdav`: from finished trials to tables and plots."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from experiments import EXPERIMENTS, fair_mdav, fair_mdav_plots
from experiments.interventions import Nothing
from experiments.trials import SCORES, Problem, Trial, Trials

NAMES = ("Income", "COMPAS", "Credit")


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """Made-up outcomes of every trial of the usual plan, five folds each."""
    rng = np.random.default_rng(0)
    lines = []
    for problem in NAMES:
        for intervention, classifier in fair_mdav.plan(False):
            for fold in range(5):
                values = dict.fromkeys(("accuracy", "precision", "recall", *SCORES), 0.0)
                made = {name: 0.8 + 0.1 * float(rng.random()) for name in values}
                lines.append(json.dumps(Trial(problem, intervention.name, classifier, fold, made).__dict__))
    (tmp_path / "trials-0.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def small(name: str, credit: Problem) -> Problem:
    """Credit, under another name: enough for Figure 2."""
    return Problem(name, credit.table, credit.features[:4], credit.protected, credit.favourable)


def test_tables_and_plots_come_from_finished_trials(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    credit = fair_mdav.credit()
    monkeypatch.setattr(fair_mdav_plots, "PROBLEMS", ("Income",))  # each figure once is enough
    for name in NAMES:
        monkeypatch.setattr(fair_mdav, name.lower(), lambda name=name: small(name, credit))
    sheets = fair_mdav.run(finished, seed=0)
    assert [sheet.title.split(":")[0] for sheet in sheets] == ["Table 3", "Table 4", "Table 5", *NAMES, "Figure 2"]
    for sheet in sheets:
        assert sheet.rows
        assert all(len(row) == len(sheet.columns) for row in sheet.rows)
    expected = Trials(finished / "trials-0.jsonl").of("Income", Nothing()).means["accuracy"]
    assert sheets[0].rows[3][5].startswith(f"{expected:.3f} ±")
    assert sheets[0].rows[0][4::2] == ["0.02", "0.79"]  # the paper's
    plots = sorted(path.name for path in finished.glob("figure-*.png"))
    assert {name.split("-")[1].removesuffix(".png") for name in plots} == {"2", "3", "4", "5", "6", "7", "8", "9", "10"}
    assert all((finished / name).stat().st_size > 10_000 for name in plots)
    losses = sheets[-1].rows
    assert all(float(plain) <= float(fair) for _, _, plain, fair in losses)  # fairlets are more restrictive


def test_it_is_registered_and_plans_nothing_twice() -> None:
    assert EXPERIMENTS["fair-mdav"] == fair_mdav.__name__
    for full in (False, True):
        plan = fair_mdav.plan(full)
        assert len({(what.name, classifier) for what, classifier in plan}) == len(plan)
    assert len(fair_mdav.settings(fair_mdav.SIZES, fair_mdav.TAUS)) == 10 * (2 + 10 * 4)  # Table 2
