"""The tests of the field, against SciPy and against computing by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import fairveil as fv
from fairveil.evaluation import (
    attained,
    bonferroni_dunn,
    classify,
    combined_f_test,
    friedman,
    halves,
    surface,
    top_features,
)
from fairveil.learning.information_gain import gain_and_ratio
from fairveil.methods.tdr import TDR


def test_combined_f_test_by_hand():
    first = np.array([[0.8, 0.7]] * 5)
    second = np.array([[0.7, 0.7]] * 5)  # differences 0.1 and 0, within-variance 0.005 each
    result = combined_f_test(first, second)
    assert np.isclose(result.statistic, 5 * 0.01 / (2 * 5 * 0.005))
    assert np.isclose(result.p_value, stats.f.sf(1.0, 10, 5))
    assert not result.significant
    assert combined_f_test(first, first).p_value == 1.0
    assert combined_f_test(first, first - 0.1).significant
    with pytest.raises(fv.BadInput, match="5 rows of 2"):
        combined_f_test([[1, 2]], [[1, 2]])


def test_under_the_null_hypothesis_it_rejects_about_one_in_twenty():
    rng = np.random.default_rng(0)
    p = rng.normal(size=(2000, 5, 2))
    rejected = np.mean([combined_f_test(x, np.zeros((5, 2))).significant for x in p])
    assert 0.01 < rejected < 0.09


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=3, max_size=12))
def test_friedman_equals_scipys_with_the_adjustment(scores):
    table = np.array(scores, dtype=float)
    if any(len(set(row)) > 1 for row in scores):
        chi = stats.friedmanchisquare(*table.T).statistic
        n, k = table.shape
        result = friedman(table)
        assert result.degrees == (k - 1, (k - 1) * (n - 1))
        if n * (k - 1) - chi > 1e-9:
            assert np.isclose(result.statistic, (n - 1) * chi / (n * (k - 1) - chi))


def test_bonferroni_dunn_by_hand():
    table = np.array([[0.9, 0.8, 0.7]] * 8)
    comparisons = bonferroni_dunn(table)
    assert np.isclose(comparisons[2].statistic, -2 / np.sqrt(3 * 4 / (6 * 8)))
    assert np.isclose(comparisons[2].p_value, 2 * 2 * stats.norm.sf(4.0))
    with pytest.raises(fv.BadInput, match="every method needs a score"):
        friedman(np.array([[1, np.nan], [1, 2]]))


@given(st.lists(st.sampled_from("abc"), min_size=4, max_size=60), st.integers(0, 9))
def test_halves_are_halves_and_stratified(labels, seed):
    classes = np.unique(labels, return_inverse=True)[1]
    pairs = list(halves(classes, seed))
    assert len(pairs) == 10
    for train, test in pairs:
        assert sorted([*train, *test]) == list(range(len(classes)))
        assert (np.abs(np.bincount(classes[train], minlength=3) - np.bincount(classes[test], minlength=3)) <= 1).all()


def test_top_features():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    good, noise = y ^ (rng.random(400) < 0.05), rng.integers(0, 2, 400)
    number = y + rng.normal(0, 0.8, 400)
    data = {"noise": noise, "number": number, "good": [str(v) for v in good], "y": y}
    table = fv.Table.from_frame(pa.table(data))
    assert top_features(table, "y", 3) == ["good", "number", "noise"]
    gain, ratio = gain_and_ratio(table.column("good"), table.column("y"))
    assert 0 < gain <= 1 and np.isclose(ratio, gain, atol=0.01)  # an even split has one bit
    with pytest.raises(fv.BadInput, match="no column 'z'"):
        top_features(table, "z", 1)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=5), min_size=1, max_size=5)
)
def test_surfaces_by_definition(runs):
    fronts = [np.array(run, dtype=float) for run in runs]
    for share, pick in ((0.0, min), (1.0, max)):
        levels, values = surface(fronts, share)
        for level, value in zip(levels, values, strict=True):
            each = [max((a for a, k in front if k >= level), default=-np.inf) for front in fronts]
            assert np.isnan(value) if np.isinf(pick(each)) else value == pick(each)
    assert attained(np.array([[0.9, 3.0]]), np.array([2.0, 4.0])).tolist() == [0.9, -np.inf]


def test_a_recipe_fitted_on_one_half_is_judged_on_the_other():
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, 400)
    frame = pa.table({"age": age, "job": rng.choice(list("abc"), 400), "y": np.where(age > 45, "p", "n")})
    table = fv.Table.from_frame(frame)
    schema = fv.Schema(quasi=["age", "job"], decision="y")
    train, test = next(halves(table.column("y").codes))
    assert classify(None, table.take(train), table.take(test), "y") > 0.95
    candidates = fv.search(table.take(train), schema, guards=[fv.KAnonymity(10)], method=TDR())
    assert classify(candidates.recipe(0), table.take(train), table.take(test), "y") > 0.9
