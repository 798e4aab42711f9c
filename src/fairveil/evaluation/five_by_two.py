"""5×2 cross-validation and the combined F test (Alpaydin 1999): are two classifiers equally good on one data set?

>>> combined_f_test([[0.80, 0.82]] * 5, [[0.70, 0.74]] * 5).significant
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairveil.errors import BadInput
from fairveil.learning.folds import REPETITIONS

Results = Sequence[Sequence[float]] | np.ndarray
"""The results of one classifier: five rows of two."""


@dataclass(frozen=True)
class FTest:
    """The statistic, its p-value, and the mean difference (first minus second)."""

    statistic: float
    p_value: float
    difference: float
    confidence: float = 0.95

    @property
    def significant(self) -> bool:
        return self.p_value < 1 - self.confidence


def combined_f_test(first: Results, second: Results, confidence: float = 0.95) -> FTest:
    """Test the accuracies (or errors) of two classifiers on the same halves, 5 × 2 each.

    f = Σ p² / (2·Σ s²), with the differences p and their variance s² within a repetition, is F(10, 5)-distributed if
    the two are equally good.
    """
    from scipy import stats

    p = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    if p.shape != (REPETITIONS, 2):
        raise BadInput(f"the combined F test needs results in {REPETITIONS} rows of 2, not {p.shape}")
    spread = ((p - p.mean(axis=1, keepdims=True)) ** 2).sum()
    total = (p**2).sum()
    certain = 0.0 if total == 0 else float("inf")  # the same difference every time
    statistic = float(total / (2 * spread)) if spread > 0 else certain
    p_value = float(stats.f.sf(statistic, 10, 5)) if np.isfinite(statistic) else 0.0
    return FTest(statistic, p_value, float(p.mean()), confidence)
