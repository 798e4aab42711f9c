"""Cut points by minimum description length."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from fairveil.learning.information_gain import NumberHistogram, best_cut, entropy, mdl_cuts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), min_size=2, max_size=40))
def test_the_best_cut_gains_as_much_as_that_of_a_decision_stump(rows):
    numbers, classes = (np.array(column) for column in zip(*rows, strict=True))
    split = best_cut(NumberHistogram.of(numbers.astype(float), classes))
    if len(np.unique(numbers)) < 2:
        assert split is None
        return
    assert split is not None
    stump = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(numbers[:, None], classes)
    tree = stump.tree_
    if tree.node_count == 1:
        assert split.gain < 1e-9
        return
    weights = tree.n_node_samples / len(numbers)
    gain = tree.impurity[0] - weights[1] * tree.impurity[1] - weights[2] * tree.impurity[2]
    assert np.isclose(split.gain, gain)


def test_noise_is_not_cut_and_steps_are():
    rng = np.random.default_rng(0)
    numbers = rng.random(400)
    assert mdl_cuts(numbers, rng.integers(0, 2, 400)) == ()
    cuts = mdl_cuts(numbers, ((numbers > 0.3) & (numbers < 0.7)).astype(int))
    assert len(cuts) == 2
    assert np.allclose(cuts, [0.3, 0.7], atol=0.02)


def test_intervals_hold_at_least_so_many_rows():
    rng = np.random.default_rng(1)
    numbers = rng.random(300)
    classes = (numbers * 20).astype(int) % 2
    for least in (1, 20, 60):
        cuts = mdl_cuts(numbers, classes, min_rows=least)
        sizes = np.bincount(np.searchsorted(cuts, numbers), minlength=len(cuts) + 1)
        assert sizes.min() >= least


def test_the_criterion_by_hand():
    """12 rows, 6 and 6, cut clean in the middle: gain 1 against (log2 11 + log2 7 - 2) / 12."""
    assert (np.log2(11) + np.log2(7) - 2) / 12 < 1
    assert mdl_cuts(np.arange(12), np.repeat([0, 1], 6)) == (5.5,)
    # 4 rows, one of the other class in the middle: the best cut gains 0.311, and must gain (log2 3 + log2 7 - …) / 4
    assert mdl_cuts(np.arange(4), np.array([0, 1, 0, 0])) == ()


def test_missing_numbers_are_left_out():
    numbers = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, np.nan, np.nan])
    assert mdl_cuts(numbers, np.array([0] * 4 + [1] * 4 + [0, 1])) == (4.5,)
    assert float(entropy(np.array([4.0, 4.0]))) == 1.0
