"""Evaluation: the utility of a release, and statistical tests of whether one method is better than another."""

from __future__ import annotations

from fairveil.evaluation.attainment import attained, surface
from fairveil.evaluation.five_by_two import FTest, combined_f_test
from fairveil.evaluation.friedman import Friedman, bonferroni_dunn, friedman
from fairveil.evaluation.learning import classify
from fairveil.learning.folds import halves
from fairveil.learning.ranking import top_features

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
