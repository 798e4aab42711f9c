"""The comparison harness: interventions do what their papers say, trials go on where they stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from experiments.fair_mdav.fold import Fold
from experiments.fair_mdav.interventions import (
    Decorrelated,
    Fairleted,
    Intervention,
    Nothing,
    PlainMDAV,
    PreferentialSampling,
    Reweighing,
    Thresholds,
)
from experiments.fair_mdav.trials import CLASSIFIERS, Problem, Trials, classifier, interval
from experiments.study import Study
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.learning.encoding import OneHot


@pytest.fixture(scope="module")
def problem() -> Problem:
    rng = np.random.default_rng(4)
    rows = 500
    sex = rng.choice(["f", "m"], rows, p=[0.4, 0.6])
    skill = rng.normal(size=rows)
    good = skill + 1.2 * (sex == "m") + rng.normal(scale=0.4, size=rows) > 0.7
    table = Table.from_frame(pa.table({"skill": skill, "town": rng.choice(list("xyz"), rows), "sex": sex}))
    return Problem("made up", table, ("skill", "town"), "sex", good)


def gap(trials: Trials, intervention: Intervention) -> float:
    return trials.of("made up", intervention).means["demographic-parity-difference"]


def test_every_intervention_lowers_the_gap(problem: Problem, tmp_path: Path) -> None:
    pytest.importorskip("fairlearn")
    fair = (Reweighing(), PreferentialSampling(), Thresholds(), Decorrelated(), Fairleted(10, 0.7, "positive", False))
    trials = Trials(Study(tmp_path))
    trials.run(problem, [(what, "LR") for what in (Nothing(), PlainMDAV(5), *fair)], folds=3)
    for intervention in fair:
        assert gap(trials, intervention) < 0.7 * gap(trials, Nothing())
    assert trials.of("made up", PlainMDAV(5)).means["accuracy"] > 0.75


def test_reweighing_makes_group_and_label_independent(problem: Problem) -> None:
    fold = next(problem.folds(3))
    seen = {}

    class Spy:
        def fit(self, inputs: np.ndarray, truth: np.ndarray, sample_weight: np.ndarray) -> Spy:
            seen["weights"] = sample_weight
            return self

        def predict(self, inputs: np.ndarray) -> np.ndarray:
            return np.zeros(len(inputs), dtype=bool)

    Reweighing().learn(Spy(), fold)
    ratios = [
        np.average(fold.truth[fold.sensitive == group], weights=seen["weights"][fold.sensitive == group])
        for group in (0, 1)
    ]
    assert ratios[0] == pytest.approx(ratios[1])
    assert seen["weights"].sum() == pytest.approx(len(fold.truth))


def test_preferential_sampling_makes_group_and_label_independent(problem: Problem) -> None:
    fold = next(problem.folds(3))
    seen = {}

    class Spy:
        def fit(self, inputs: np.ndarray, truth: np.ndarray) -> Spy:
            seen["inputs"], seen["truth"] = inputs, truth
            return self

        def predict(self, inputs: np.ndarray) -> np.ndarray:
            return np.zeros(len(inputs), dtype=bool)

    PreferentialSampling().learn(Spy(), fold)
    men = seen["inputs"][:, -1] == 1
    assert seen["truth"][men].mean() == pytest.approx(seen["truth"][~men].mean(), abs=0.01)
    assert len(men) == pytest.approx(len(fold.truth), abs=2)


def test_the_encoding_equals_scikit_learns(problem: Problem) -> None:
    frame = problem.table.to_frame("pandas")
    expected = np.column_stack(
        [StandardScaler().fit_transform(frame[["skill"]]), OneHotEncoder().fit_transform(frame[["town"]]).toarray()]
    )
    encoding = OneHot.of(problem.table, problem.features)
    assert encoding.matrix(problem.table) == pytest.approx(expected)
    strange = Table.from_frame(pa.table({"skill": [None, 1.0], "town": ["w", "x"]}))
    assert encoding.matrix(strange)[0].tolist() == [0.0, 0.0, 0.0, 0.0]


def test_trials_go_on_where_they_stopped(problem: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Trials(Study(tmp_path))
    first.run(problem, [(Nothing(), "GNB")], folds=2)
    monkeypatch.setattr(Nothing, "learn", lambda self, model, fold: fold.outside if "Tree" in str(model) else 1 / 0)
    again = Trials(Study(tmp_path))
    again.run(problem, [(Nothing(), "GNB"), (Nothing(), "DT")], folds=2)  # only the tree is left
    assert again.of("made up", Nothing(), "DT").means["accuracy"] == 1.0
    assert again.of("made up", Nothing(), "GNB").means == first.of("made up", Nothing(), "GNB").means


def test_a_fold_forms_its_fairlets_once(problem: Problem) -> None:
    fold = next(problem.folds(3))
    assert isinstance(fold, Fold)
    assert fold.fairlets(10) is fold.fairlets(10)
    assert fold.loss_per_attribute(fold.mdav(10)) < fold.loss_per_attribute(fold.fairlets(10))


def test_intervals_and_names() -> None:
    assert interval([1.0]) == (1.0, 0.0)
    mean, wide = interval([0.0, 1.0])
    assert mean == 0.5 and wide == pytest.approx(12.706 / 2, abs=1e-3)
    assert {type(classifier(name)).__name__ for name in CLASSIFIERS} >= {"LogisticRegression", "AdaBoostClassifier"}
    with pytest.raises(BadInput, match="no classifier 'SVM'"):
        classifier("SVM")
