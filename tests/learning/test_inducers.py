"""C4.5 as an inducer: the trees that Weka's J48 prints for well-known data sets, with its default settings."""

from __future__ import annotations

import numpy as np
import pytest

import fairveil as fv
from experiments.decomposition.runs import available, raw
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


def test_all_folds_at_once_are_the_folds_one_by_one():
    german = fv.datasets.german_credit(columns="all")
    features = Features.of(german.table, german.schema, {})
    wrapper = Wrapper(features, inducer("c4.5"), folds=3)
    subset = (0, 3, 4)
    x, shape = wrapper.matrix(subset)
    expected = np.empty((features.rows, features.size), dtype=np.float32)
    for fold in range(3):
        inside = wrapper.fold_of_row == fold
        model = fresh(inducer("c4.5"), 0, shape).fit(x[~inside], features.classes[~inside])
        expected[inside] = log_probabilities(model, x[inside], features.size)
    assert np.array_equal(wrapper.train_subset(subset), expected)


def test_missing_and_unknown_categories_ask_every_branch():
    table = fv.Table.from_frame(_frame(["a"] * 10 + ["b"] * 10))
    encoding = Blocks.of(table, ["c"], coded=True)
    model = fresh(inducer("c4.5"), 0, encoding.shape).fit(encoding.matrix(table), np.repeat([0, 1], 10))
    shares = model.predict_proba(encoding.matrix(fv.Table.from_frame(_frame(["a", None, "never seen"]))))
    assert np.allclose(shares, [[11 / 12, 1 / 12], [0.5, 0.5], [0.5, 0.5]])


def _frame(values):
    import pyarrow as pa

    return pa.table({"c": pa.array(values, pa.string())})
