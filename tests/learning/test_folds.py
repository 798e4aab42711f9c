"""Folds, halves and shares set aside: stratified whatever the draw, and the same for a seed."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.errors import BadInput, Infeasible
from fairveil.learning.folds import Draw, each_fold, need_share, set_aside, stratified_folds

CLASSES = st.lists(st.integers(0, 2), min_size=6, max_size=60).map(np.array)


@pytest.mark.parametrize("draw", get_args(Draw))
@given(classes=CLASSES, seed=st.integers(0, 9))
def test_every_class_is_dealt_evenly(draw: Draw, classes: np.ndarray, seed: int) -> None:
    classes = np.concatenate([classes, [0, 1, 2] * 3])  # scikit-learn wants every class in every fold
    fold = stratified_folds(classes, 3, seed, draw=draw)
    table = np.array([np.bincount(classes[fold == number], minlength=3) for number in range(3)])
    assert (np.ptp(table, axis=0) <= 1).all()
    np.testing.assert_array_equal(fold, stratified_folds(classes, 3, seed, draw=draw))
    for others, inside in each_fold(fold):
        assert sorted([*others, *inside]) == list(range(len(classes)))


def test_scikit_learns_folds_are_its_own() -> None:
    from sklearn.model_selection import StratifiedKFold

    classes = np.random.default_rng(0).integers(0, 2, 50)
    theirs = StratifiedKFold(5, shuffle=True, random_state=3).split(classes, classes)
    ours = each_fold(stratified_folds(classes, 5, 3, draw="scikit-learn"))
    for (train, test), (others, inside) in zip(theirs, ours, strict=True):
        np.testing.assert_array_equal(train, others)
        np.testing.assert_array_equal(test, inside)


@given(CLASSES, st.sampled_from([0.2, 0.5, 0.7]))
def test_a_share_is_set_aside_of_every_class(classes: np.ndarray, share: float) -> None:
    kept, aside = set_aside(classes, share, 0)
    assert sorted([*kept, *aside]) == list(range(len(classes)))
    wanted = np.bincount(classes, minlength=3) * share
    assert (np.abs(np.bincount(classes[aside], minlength=3) - wanted) <= 1).all()


def test_shares_that_leave_nothing_are_refused() -> None:
    with pytest.raises(Infeasible, match="too few"):
        set_aside(np.array([0, 1]), 0.1, 0)
    with pytest.raises(BadInput, match="between 0 and 1"):
        need_share(1.5)
