"""C4.5 as an inducer: the trees that Weka's J48 prints for well-known data sets, with its default settings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from experiments.decomposition.runs import available, raw
from fairveil.learning import inducers
from fairveil.learning.classifiers import fresh, inducer
from fairveil.learning.combined import log_probabilities
from fairveil.learning.encoding import Blocks
from fairveil.methods.dmpd.features import Features
from fairveil.methods.dmpd.wrapper import Wrapper


@pytest.mark.parametrize(
    ("data", "leaves", "right"),
    # Weka counts 103 leaves of German Credit: five are of purposes that its file declares and no row has
    [("german_credit", None, 855), ("pima", 20, 646), ("vote", 6, 423)],
)
def test_trees_are_those_of_weka(data, leaves, right):
    if not available(data):
        pytest.skip(f"{data} is not bundled")
    table = raw(data)
    encoding, target = Blocks.of(table, table.names[:-1], coded=True), table.columns[-1].codes
    x = encoding.matrix(table)
    model = fresh(inducer("c4.5"), 0, encoding.shape).fit(x, target)
    assert (model.predict(x) == target).sum() == right
    assert leaves is None or len(model.leaves) == leaves


@pytest.mark.parametrize(("name", "public"), [("c4.5", False), ("tree", False), ("tree", True)])
def test_all_folds_at_once_are_the_folds_one_by_one(name, public, monkeypatch):
    """Also with a version of scikit-learn of which only what is public is known."""
    if public:
        monkeypatch.setattr(inducers, "tree_parts", object)
    german = fv.datasets.german_credit(columns="all")
    features = Features.of(german.table, german.schema, {})
    wrapper = Wrapper(features, inducer(name), folds=3)
    subset = (0, 3, 4)
    x, shape = wrapper.matrix(subset)
    expected = np.empty((features.rows, features.size), dtype=np.float32)
    for fold in range(3):
        inside = wrapper.fold_of_row == fold
        model = fresh(inducer(name), 0, shape).fit(x[~inside], features.classes[~inside])
        expected[inside] = log_probabilities(model, x[inside], features.size)
    assert np.array_equal(wrapper.train_subset(subset), expected)


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("values", [2, 5, 1000])
def test_equal_rows_with_a_weight_grow_the_tree_of_all_rows(values, public, monkeypatch):
    if public:
        monkeypatch.setattr(inducers, "tree_parts", object)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x, classes = rng.integers(0, values, (200, 3)).astype(np.float32), rng.integers(0, 3, 200)
        classes[x[:, 0] > values // 2] = 1  # something to learn
        folds, tree = np.arange(200) % 4, inducers.PrunedTree(prune=0.5)
        shares = tree.out_of_fold(x, classes, 3, folds)
        for fold in range(4):
            inside = folds == fold
            model = inducers.PrunedTree(prune=0.5).fit(x[~inside], classes[~inside])
            assert np.array_equal(np.log(shares[inside]).astype(np.float32), log_probabilities(model, x[inside], 3))


def test_missing_and_unknown_categories_ask_every_branch():
    table = fv.Table.from_frame(_frame(["a"] * 10 + ["b"] * 10))
    encoding = Blocks.of(table, ["c"], coded=True)
    model = fresh(inducer("c4.5"), 0, encoding.shape).fit(encoding.matrix(table), np.repeat([0, 1], 10))
    shares = model.predict_proba(encoding.matrix(fv.Table.from_frame(_frame(["a", None, "never seen"]))))
    assert np.allclose(shares, [[11 / 12, 1 / 12], [0.5, 0.5], [0.5, 0.5]])


def test_a_suppressed_value_is_missing_to_the_learners_of_weka():
    """TDR's "*" is a "?" of Weka's: it is in every branch by its share, and in no frequency."""
    table = fv.Table.from_frame(_frame(["a"] * 10 + ["b"] * 10 + ["*"] * 10))
    target = np.repeat([0, 1, 1], 10)
    encoding = Blocks.of(table, ["c"], coded=True)
    asked = encoding.matrix(fv.Table.from_frame(_frame(["a", "*", "never seen"])))
    tree = fresh(inducer("c4.5"), 0, encoding.shape).fit(encoding.matrix(table), target)
    assert tree.leaves == [[10.0, 5.0], [0.0, 15.0]]
    halves = np.mean([[11 / 17, 6 / 17], [1 / 17, 16 / 17]], axis=0)
    assert np.allclose(tree.predict_proba(asked), [[11 / 17, 6 / 17], halves, halves])
    bayes = fresh(inducer("naive-bayes"), 0, encoding.shape).fit(encoding.matrix(table), target)
    likelihood = np.array([11 / 32, 21 / 32]) * [11 / 12, 1 / 12]
    assert np.allclose(bayes.predict_proba(asked), [likelihood / likelihood.sum(), *[[11 / 32, 21 / 32]] * 2])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_naive_bayes_leaves_missing_values_out(seed):
    """Beside a plain one: frequencies and densities of the values that are there, and their product."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(6, 60))
    x = np.column_stack([rng.integers(0, 3, rows), rng.normal(size=rows).round(2)]).astype(float)
    y = np.append([0, 1, 0, 1], rng.integers(0, 2, rows - 4))
    x[4:][rng.random((rows - 4, 2)) < 0.3] = np.nan
    model = fresh(inducer("naive-bayes"), 0, ((3, True), (1, False))).fit(x, y)
    expected = np.empty((rows, 2))
    for c in (0, 1):
        names, numbers = (column[(y == c) & ~np.isnan(column)] for column in x.T)
        variance = max(numbers.var(), 1e-6 * np.nanvar(x[:, 1]) + 1e-9)
        for i, (name, number) in enumerate(x):
            share = ((y == c).sum() + 1) / (rows + 2)
            if not np.isnan(name):
                share *= ((names == name).sum() + 1) / (len(names) + 3)
            if not np.isnan(number):
                share *= np.exp(-((number - numbers.mean()) ** 2) / variance / 2) / np.sqrt(variance)
            expected[i, c] = share
    assert np.allclose(model.predict_proba(x), expected / expected.sum(axis=1, keepdims=True), atol=1e-6)


def _frame(values):
    import pyarrow as pa

    return pa.table({"c": pa.array(values, pa.string())})
