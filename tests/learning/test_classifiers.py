"""Classifiers by name; copies that are seeded; training with one label or with weights."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from fairveil.errors import BadInput
from fairveil.learning.classifiers import CLASSIFIERS, INDUCERS, by_name, fitted, fresh, inducer, spoken

X = np.array([[0.0], [1.0], [2.0], [3.0]])
Y = np.array([0, 0, 1, 1])


@pytest.mark.parametrize("classifier", [*CLASSIFIERS, *INDUCERS], ids=lambda known: known.words)
def test_every_classifier_learns(classifier) -> None:
    inputs, target = np.tile(X, (10, 1)), np.tile(Y, 10)
    model = fresh(classifier.make(), 0).fit(inputs, target)
    assert set(model.predict(inputs)) <= {0, 1}


def test_only_open_seeds_are_set() -> None:
    assert fresh(DecisionTreeClassifier(), 7).random_state == 7
    assert fresh(DecisionTreeClassifier(random_state=3), 7).random_state == 3
    nested = make_pipeline(StandardScaler(), DecisionTreeClassifier())
    assert fresh(nested, 7).get_params()["decisiontreeclassifier__random_state"] == 7


def test_one_label_is_a_constant_answer() -> None:
    model = fitted(LogisticRegression(), X, np.ones(4, dtype=int))
    assert model.predict(X).tolist() == [1, 1, 1, 1] and model.predict_proba(X).tolist() == [[1.0]] * 4


def test_weights_are_rows() -> None:
    weights = np.array([1.0, 2.0, 1.0, 3.0])
    rows = np.repeat(np.arange(4), weights.astype(int))
    for model in (make_pipeline(StandardScaler(), LogisticRegression()), KNeighborsClassifier(3)):
        expected = fresh(model, 0).fit(X[rows], Y[rows]).predict_proba(X)
        assert fitted(model, X, Y, weights).predict_proba(X) == pytest.approx(expected, abs=1e-3)
    with pytest.raises(BadInput, match="does not accept sample weights"):
        fitted(KNeighborsClassifier(3), X, Y, weights / 2)


def test_names() -> None:
    assert spoken("svm") == "support vector machine" and spoken("mine") == "mine"
    assert list(by_name(["forest"])) == ["forest"]
    with pytest.raises(BadInput, match="did you mean 'tree'"):
        by_name(["treee"])
    with pytest.raises(BadInput, match=r"did you mean 'c4\.5'"):
        inducer("c45")
    with pytest.raises(BadInput, match=r"write DecisionTreeClassifier\(\)"):
        inducer(DecisionTreeClassifier)


def test_the_sparse_logistic_regression_predicts_what_the_dense_one_does():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 8, (600, 3))
    inputs = np.column_stack([rng.normal(size=600), *(np.eye(8)[column] for column in codes.T)])
    target = (codes[:, 0] + codes[:, 1] + rng.normal(size=600) > 7).astype(int)
    dense = LogisticRegression(max_iter=1000).fit(inputs, target).predict_proba(inputs)
    sparse = CLASSIFIERS.get("logistic").make().fit(inputs, target).predict_proba(inputs)
    assert np.abs(dense - sparse).max() < 1e-3
