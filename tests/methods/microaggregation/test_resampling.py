"""Fair-MDAV as scikit-learn users call it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

import fairveil as fv
from fairveil.methods.microaggregation.resampling import choose_tau


@pytest.fixture(scope="module")
def data() -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    rng = np.random.default_rng(0)
    rows = 400
    sex = np.where(rng.random(rows) < 0.35, "f", "m")
    skill = rng.normal(size=rows) + 0.4 * (sex == "m")
    frame = pd.DataFrame({"skill": skill, "years": rng.integers(0, 30, rows), "town": rng.choice(list("xyz"), rows)})
    hired = (skill + 0.8 * (sex == "m") + rng.normal(scale=0.5, size=rows) > 0.8).astype(int)
    return frame, pd.Series(hired, name="hired"), pd.Series(sex, name="sex")


def test_frames_come_back_as_frames(data: tuple[pd.DataFrame, pd.Series, pd.Series]) -> None:
    X, y, sex = data
    fair = fv.FairMDAV(size=10)
    before = X.copy()
    X_fair, y_fair = fair.fit_resample(X, y, sensitive_features=sex)
    assert isinstance(X_fair, pd.DataFrame)
    assert isinstance(y_fair, pd.Series)
    assert y_fair.name == "hired"
    assert X.equals(before)
    kept = fair.sample_indices_
    assert len(X_fair) == len(y_fair) == len(kept)
    assert X_fair.groupby(fair.fairlets_).nunique().to_numpy().max() == 1
    assert (np.bincount(fair.fairlets_) == 10).all()
    means = X.iloc[kept].groupby(fair.fairlets_)["years"].mean()
    assert X_fair["years"].to_numpy() == pytest.approx(means[fair.fairlets_].to_numpy())
    assert fair.favoured_ == "m"
    assert sum(fair.composition_.values()) == 10
    assert (y_fair.to_numpy() != y.to_numpy()[kept]).sum() == fair.labels_changed_["made_favourable"]
    groups = sex.to_numpy()[kept]
    for fairlet in range(fair.fairlets_.max() + 1):
        inside = fair.fairlets_ == fairlet
        assert y_fair[inside & (groups == "f")].mean() >= y_fair[inside & (groups == "m")].mean()


def test_matrices_come_back_as_matrices(data: tuple[pd.DataFrame, pd.Series, pd.Series]) -> None:
    X, y, sex = data
    matrix = X[["skill", "years"]].to_numpy()
    fair = fv.FairMDAV(size=8, correction="negative", microaggregate=False)
    X_fair, y_fair = fair.fit_resample(matrix, y.to_numpy(), sensitive_features=sex.to_numpy())
    assert isinstance(X_fair, np.ndarray)
    assert (X_fair == matrix[fair.sample_indices_]).all()
    assert y_fair.dtype == y.dtype
    assert (y_fair <= y.to_numpy()[fair.sample_indices_]).all()


def test_polars_and_a_protected_column_inside(data: tuple[pd.DataFrame, pd.Series, pd.Series]) -> None:
    X, y, sex = data
    inside = pl.from_pandas(X.assign(sex=sex))
    fair = fv.FairMDAV(size=10, protected="sex")
    X_fair, y_fair = fair.fit_resample(inside, pl.Series("hired", y))
    assert isinstance(X_fair, pl.DataFrame)
    assert isinstance(y_fair, pl.Series)
    assert X_fair["sex"].to_list() == sex.to_numpy()[fair.sample_indices_].tolist()  # kept as it is
    other, _ = fv.FairMDAV(size=10).fit_resample(X, y, sensitive_features=sex)
    assert X_fair["skill"].to_list() == other["skill"].tolist()  # and no part of the distance


def test_parameters_as_scikit_learn_wants_them() -> None:
    fair = fv.FairMDAV(size=20, tau=0.5)
    copy = clone(fair)
    assert copy == fair
    assert copy.set_params(tau=1.0).tau == 1.0
    assert fair.tau == 0.5
    with pytest.raises(fv.BadInput, match="tau must be"):
        copy.set_params(tau=3)
    with pytest.raises(fv.BadInput, match="no parameter 'level'"):
        copy.set_params(level=3)


def test_inside_a_pipeline(data: tuple[pd.DataFrame, pd.Series, pd.Series]) -> None:
    pipelines = pytest.importorskip("imblearn.pipeline")
    X, y, sex = data
    matrix = np.column_stack([X["skill"], X["years"], (sex == "m").astype(float)])
    pipe = pipelines.Pipeline([("fair", fv.FairMDAV(size=10, protected=("2",))), ("learn", LogisticRegression())])
    predicted = pipe.fit(matrix, y).predict(matrix)
    plain = LogisticRegression().fit(matrix, y).predict(matrix)

    def gap(answer: np.ndarray) -> float:
        return float(abs(answer[sex == "m"].mean() - answer[sex == "f"].mean()))

    assert len(predicted) == len(matrix)
    assert gap(predicted) < gap(plain)
    pipe.set_params(fair__tau=0.0).fit(matrix, y)
    assert pipe.named_steps["fair"].tau == 0.0


def test_several_labels_need_a_favourable_set(data: tuple[pd.DataFrame, pd.Series, pd.Series]) -> None:
    X, y, sex = data
    levels = np.where(y == 1, np.where(X["years"] > 15, "senior", "junior"), "no")
    with pytest.raises(fv.BadInput, match="name the favourable ones"):
        fv.FairMDAV().fit_resample(X, levels, sensitive_features=sex)
    fair = fv.FairMDAV(favourable=("senior", "junior"))
    _, fresh = fair.fit_resample(X, levels, sensitive_features=sex)
    assert set(fresh) == {"senior", "junior", "no"}
    assert fair.labels_changed_["made_favourable"] == ((fresh != "no") & (levels[fair.sample_indices_] == "no")).sum()


def test_bad_input_is_named(data: tuple[pd.DataFrame, pd.Series, pd.Series]) -> None:
    X, y, sex = data
    with pytest.raises(fv.BadInput, match="name the protected column"):
        fv.FairMDAV().fit_resample(X, y)
    with pytest.raises(fv.BadInput, match="X has 400 rows, 'y' has 399"):
        fv.FairMDAV().fit_resample(X, y[:-1], sensitive_features=sex)
    with pytest.raises(fv.BadInput, match="one size, not several"):
        fv.FairMDAV(size=(10, 20)).fit_resample(X, y, sensitive_features=sex)


def test_tau_for_a_target(data: tuple[pd.DataFrame, pd.Series, pd.Series]) -> None:
    X, y, sex = data
    inside = X.assign(sex=sex)
    method = fv.FairMDAV(size=10, protected="sex", microaggregate=False)
    choice = choose_tau(method, inside, y, target=0.2, taus=(0.0, 0.5, 1.0), folds=3)
    assert choice.unfairness[0] > 0.2  # uncorrected it is unfair
    assert choice.reached
    assert choice.unfairness[choice.taus.index(choice.tau)] <= 0.2
    again = choose_tau(method, inside, y, target=0.2, taus=(0.0, 0.5, 1.0), folds=3)
    assert (again.accuracy == choice.accuracy).all()
    unreachable = choose_tau(method, inside, y, target=0.0, taus=(0.0, 1.0), folds=3)
    assert not unreachable.reached
    fair = fv.FairMDAV(size=10, protected="sex", tau="auto", target=0.2, microaggregate=False)
    fair.fit_resample(inside, y)
    assert 0 <= fair.tau_ <= 1


def test_tau_for_a_target_in_a_search() -> None:
    german = fv.datasets.german_credit(columns="all")
    table = german.table.select(["age", "duration", "sex", "class"]).take(np.arange(300))
    schema = fv.Schema(quasi=["age", "duration"], sensitive="sex", protected="sex", decision="class", denied="bad")
    method = fv.FairMDAV(tau="auto", target=0.1, size=10)
    release = fv.search(table, schema, guards=[fv.KAnonymity(5)], method=method).release(0)
    assert 0 <= release.outcome.facts["tau"] <= 1
