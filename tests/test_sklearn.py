"""The transformer of scikit-learn: its contract, pipelines, grids, and k in what it returns."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import check_estimator

import fairveil as fv
from fairveil.methods import METHODS, Method
from tests.contracts.people import quick


def people(rows: int = 200, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "height": rng.normal(170, 10, rows),
            "job": rng.choice(np.array(["cook", "nurse", "actor"]), rows),
            "note": rng.integers(0, 10**6, rows),
        },
        index=pd.RangeIndex(100, 100 + rows),
    )


def answer(x: pd.DataFrame) -> np.ndarray:
    return np.where(x["age"] + np.where(x["job"] == "cook", 20, 0) > 55, "yes", "no")


def test_it_is_a_transformer_of_scikit_learn() -> None:
    """Every check applies."""
    results = check_estimator(fv.sklearn.Anonymizer(k=2), on_fail=None)
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    assert len(results) > 40


@pytest.mark.parametrize("kind", METHODS, ids=lambda method: method.kind)
def test_the_release_keeps_k_and_a_row_for_each_row(kind: type[Method]) -> None:
    x = people()[["age", "job"]]
    rules = {"age": fv.hierarchy.intervals([0, 80], widths=(20, 40))}
    guards = fv.KAnonymity(4, suppression=0.1)
    anonymizer = fv.sklearn.Anonymizer(k=2, guards=guards, hierarchies=rules, method=quick(kind), numbers=False)
    try:
        result = anonymizer.fit_transform(x)
    except (fv.BadInput, fv.Infeasible) as problem:  # it needs a decision, or publishes no row for each row
        assert any(word in str(problem) for word in ("decision", "row for each row", "protected", "declare")), problem
        return
    assert result.index.equals(x.index) and list(result.columns) == ["age", "job"]
    sizes = result.astype(str).value_counts()
    assert sizes.drop(("*", "*"), errors="ignore").min() >= 4
    assert len(anonymizer.transform(people(seed=1)[["age", "job"]].assign(job="cook"))) == 200


def test_pipelines_grids_and_clones() -> None:
    x = people()
    y = answer(x)
    quasi = fv.sklearn.Anonymizer(k=5, drop=["note"], unknown="suppress")
    encoded = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["job"]), remainder="passthrough")
    pipe = make_pipeline(quasi.set_output(transform="pandas"), encoded, LogisticRegression(max_iter=5000))
    assert cross_val_score(pipe, x, y, cv=3).mean() > 0.7
    methods = [fv.Mondrian(), fv.MDAV(), fv.Incognito()]
    grid = GridSearchCV(pipe, {"anonymizer__k": [3, 60], "anonymizer__method": methods}, cv=2).fit(x, y)
    assert grid.best_params_["anonymizer__k"] == 3
    assert clone(quasi).get_params() == quasi.get_params()
    again = pickle.loads(pickle.dumps(pipe.fit(x, y)))
    assert (again.predict(x) == pipe.predict(x)).all()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas, np.asarray])
def test_what_comes_out_is_of_the_kind_that_came_in(kind: Any) -> None:
    x = kind(people()[["age", "height"]].reset_index(drop=True))
    anonymizer = fv.sklearn.Anonymizer(k=10)
    result = anonymizer.fit_transform(x)
    assert type(result) is type(x) and anonymizer.k_ >= 10
    names = ["x0", "x1"] if isinstance(x, np.ndarray) else ["age", "height"]
    assert anonymizer.get_feature_names_out().tolist() == names
    values = np.asarray(result) if not isinstance(result, pa.Table) else np.asarray(result.to_pandas())
    assert values.dtype == float and np.isfinite(values).all()
    assert np.unique(values, axis=0, return_counts=True)[1].min() >= 10
    assert np.corrcoef(values[:, 0], people()["age"])[0, 1] > 0.7
    assert np.array_equal(values, np.asarray(anonymizer.transform(people()[["age", "height"]].to_numpy())
                                             if isinstance(x, np.ndarray) else
                                             anonymizer.transform(people()[["age", "height"]])))  # fmt: skip


def test_names_and_positions() -> None:
    x = people().set_axis([0, ("a", 1), None, 3], axis=1)
    anonymizer = fv.sklearn.Anonymizer(k=5, quasi=[0, ("a", 1)], drop=[3])
    assert anonymizer.fit_transform(x).columns.tolist() == [0, ("a", 1), None]
    by_position = fv.sklearn.Anonymizer(k=5, quasi=[1], drop=[0]).fit(people().drop(columns="job").to_numpy())
    assert by_position.recipe_.schema.quasi == ("x1",) and by_position.get_feature_names_out().tolist() == ["x1", "x2"]
    with pytest.raises(fv.BadInput, match="no column 'agee': did you mean 'age'"):
        fv.sklearn.Anonymizer(quasi=["agee"]).fit(people())


def test_unknown_values_are_refused_or_hidden() -> None:
    x, new = people()[["age", "job"]], people(5, seed=2)[["age", "job"]].assign(job="pilot")
    given: dict[str, Any] = {"k": 5, "hierarchies": {"job": {"work": ["cook", "nurse"], "art": ["actor"]}}}
    with pytest.raises(fv.BadInput, match="'pilot'"):
        fv.sklearn.Anonymizer(**given).fit(x).transform(new)
    hidden = fv.sklearn.Anonymizer(**given, unknown="suppress").fit(x).transform(pd.concat([x[:5], new]))
    assert (hidden["job"][5:] == "*").all() and hidden["age"].notna().all() and hidden["age"][5:].nunique() == 1
