"""DMPD as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

import fairveil as fv

QUICK: dict[str, Any] = {"generations": 2, "population": 6, "folds": 2}


def people(rows: int = 300) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(rows) < 0.1, np.nan, rng.integers(18, 80, rows)),
            "job": rng.choice(np.array(["a", "b", None]), rows),
            "height": rng.normal(170, 10, rows),
        }
    )
    return frame, np.where((frame["age"] > 45) ^ (rng.random(rows) < 0.1), "yes", "no")


def test_it_is_a_scikit_learn_classifier():
    failed = [
        (result["check_name"], result["exception"])
        for result in check_estimator(fv.DMPDClassifier(k=2, generations=1, population=4, folds=2), on_fail=None)
        if result["status"] == "failed"
    ]
    assert failed == []


def test_mixed_columns_missing_values_and_k():
    x, y = people()
    model = fv.DMPDClassifier(k=10, quasi=["age", "job"], **QUICK).fit(x, y)
    assert (model.predict(x) == y).mean() > 0.8
    assert model.anonymity_level_ >= 10
    assert np.allclose(model.predict_proba(x).sum(axis=1), 1)
    assert model.classes_.tolist() == ["no", "yes"]


def test_cross_validation_pipelines_and_grids():
    x, y = people()
    model = fv.DMPDClassifier(k=5, **QUICK)
    assert cross_val_score(make_pipeline(FunctionTransformer(), model), x, y, cv=3).mean() > 0.75
    grid = GridSearchCV(model, {"k": [2, 20], "inducer": ["naive-bayes"]}, cv=2).fit(x, y)
    assert grid.best_score_ > 0.7
    assert clone(model).get_params() == model.get_params()


def test_the_papers_own_search_can_be_asked_for():
    x, y = people()
    model = fv.DMPDClassifier(k=5, interval_rows="any", set_check="last", **QUICK).fit(x, y)
    assert model.anonymity_level_ >= 5
    assert fv.DMPDClassifier(k=5, objective="pareto", **QUICK).fit(x, y).anonymity_level_ >= 5


def test_arrays_take_positions():
    x, y = people()
    array = x[["age", "height"]].to_numpy()
    model = fv.DMPDClassifier(k=5, quasi=[0], **QUICK).fit(array, y)
    assert model.recipe_.schema.quasi == ("x0",)
    with pytest.raises(fv.BadInput, match="no column 'agee': did you mean 'age'"):
        fv.DMPDClassifier(quasi=["agee"], **QUICK).fit(x, y)


def test_categories_never_seen_are_classified():
    x, y = people()
    model = fv.DMPDClassifier(k=5, **QUICK).fit(x, y)
    new = x.head(3).assign(job="never")
    assert len(model.predict(new)) == 3


def test_where_nothing_may_be_published_the_prior_is_left():
    x = pd.DataFrame({"a": [f"v{i}" for i in range(20)]})
    y = ["n"] * 15 + ["y"] * 5
    model = fv.DMPDClassifier(k=2, **QUICK).fit(x, y)
    assert model.subsets_ == ()
    assert set(model.predict(x)) == {"n"}


def test_bad_input_is_refused_with_advice():
    x, y = people()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"quasi": "job"}, r"write \['job'\]"),
        ({"k": 0}, "k"),
        ({"k": "5"}, "k"),
    ]
    for change, sentence in wrong:
        with pytest.raises(fv.BadInput, match=sentence):
            fv.DMPDClassifier(**{**QUICK, **change}).fit(x, y)


def test_random_states_of_numpy_are_taken():
    x, y = people()
    fits = [fv.DMPDClassifier(k=3, random_state=np.random.RandomState(7), **QUICK).fit(x, y).subsets_ for _ in range(2)]
    assert fits[0] == fits[1]


def test_a_minimum_of_projections_and_given_ones():
    frame, labels = people()
    several = fv.DMPDClassifier(k=5, min_subsets=2, **QUICK).fit(frame, labels)
    assert len(several.subsets_) >= 2
    given = fv.DMPDClassifier(k=5, subsets=[["job"], ["age"]], **QUICK).fit(frame, labels)
    assert given.subsets_ == (("age",), ("job",)) and given.anonymity_level_ >= 5
