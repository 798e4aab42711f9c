"""The experiment runs on the small data set, resumes, and prints what it must."""

from __future__ import annotations

import json

import pytest

from experiments import incognito


@pytest.fixture
def small(monkeypatch):
    """German Credit alone, one k, without the slow rule learner."""
    monkeypatch.setattr(incognito, "KS", (50,))
    monkeypatch.setattr(incognito, "CLASSIFIERS", {n: f for n, f in incognito.CLASSIFIERS.items() if n != "RIPPER"})


def test_tables_and_figures_and_going_on_where_it_stopped(small, tmp_path):
    lab = incognito.Lab.open("german_credit", tmp_path)
    times = incognito._times(lab, tmp_path, 5, 1)
    quality = incognito._quality(lab, tmp_path, (7, 9))
    table = incognito._accuracies(lab, 6, 0, lambda share, what: None)
    assert {path.name for path in tmp_path.glob("*.png")} == {"figure-5.png", "figure-7.png", "figure-9.png"}
    assert [row[0] for row in table.rows] == ["J48", "Naïve Bayes", "Logistic regression", "PART"]
    assert table.rows[1][1] == "71.26 (71.25)"  # naïve Bayes on the original data comes out as printed
    assert len(quality.rows) == 5
    assert times.rows[0][0] == "Incognito"
    done = json.loads((tmp_path / "incognito-german_credit.json").read_text())
    again = incognito.Lab.open("german_credit", tmp_path)
    again.once("original ca", lambda: pytest.fail("it was measured already"))
    assert again.done == done
