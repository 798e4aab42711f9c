"""Areas and curves of rankings against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from fairveil.learning.scores import Ranking


@pytest.mark.parametrize("digits", [1, 9])  # many equal scores, and none
def test_areas_and_curves_are_those_of_scikit_learn(digits: int) -> None:
    rng = np.random.default_rng(digits)
    scores = np.round(rng.random(300), digits)
    positive, weights = rng.random(300) < scores, rng.integers(0, 4, 300).astype(float)
    ranking = Ranking(scores, positive)
    assert ranking.auc(weights) == pytest.approx(roc_auc_score(positive, scores, sample_weight=weights))
    x, y, _ = roc_curve(positive, scores, drop_intermediate=False)
    on_curve = set(zip(x.round(4).tolist(), y.round(4).tolist(), strict=True))
    curve = ranking.curve()
    assert curve[0] == (0.0, 0.0)
    assert curve[-1] == (1.0, 1.0)
    assert set(curve) <= on_curve


def test_one_decision_alone_has_no_area_and_no_curve() -> None:
    ranking = Ranking(np.array([0.1, 0.9]), np.array([True, True]))
    assert np.isnan(ranking.auc(np.ones(2)))
    assert ranking.curve() == []
