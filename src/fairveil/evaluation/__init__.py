"""Evaluation: the utility of a release, and statistical tests of whether one method is better than another."""

from __future__ import annotations

from fairveil.evaluation.comparisons import (
    Friedman,
    FTest,
    attained,
    bonferroni_dunn,
    combined_f_test,
    friedman,
    surface,
)
from fairveil.evaluation.learning import classify
from fairveil.learning.folds import halves
from fairveil.learning.information_gain import top_features

__all__ = [
    "FTest",
    "Friedman",
    "attained",
    "bonferroni_dunn",
    "classify",
    "combined_f_test",
    "friedman",
    "halves",
    "surface",
    "top_features",
]
