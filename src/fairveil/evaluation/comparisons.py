"""Statistical comparisons of methods: are two classifiers equally good on one data set (5×2 cross-validation and the
combined F test, Alpaydin 1999), is one of several methods better over many cases (the adjusted Friedman test, then
Bonferroni-Dunn against one of them, Demšar 2006), and what do several runs of a search with two objectives reach
together (summary attainment surfaces, Knowles 2005)?

>>> combined_f_test([[0.80, 0.82]] * 5, [[0.70, 0.74]] * 5).significant
True
>>> cases = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.75], [0.9, 0.85, 0.6], [0.7, 0.6, 0.5]])
>>> friedman(cases).ranks
(1.0, 2.25, 2.75)
>>> runs = [np.array([[0.8, 10], [0.7, 50]]), np.array([[0.9, 5], [0.6, 60]])]
>>> surface(runs, 0.0)
(array([ 5., 10., 50., 60.]), array([0.8, 0.6, 0.6, nan]))
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


@dataclass(frozen=True)
class Friedman:
    """Mean rank of each method (1 = best), the adjusted statistic and its degrees of freedom, and the p-value."""

    ranks: tuple[float, ...]
    statistic: float
    degrees: tuple[int, int]
    p_value: float


def friedman(scores: np.ndarray) -> Friedman:
    """Compare methods (columns) over cases (rows), higher is better, by the F-distributed Iman-Davenport statistic."""
    from scipy import stats

    cases, methods = _shape(scores)
    ranks = stats.rankdata(-np.asarray(scores, dtype=float), axis=1)
    mean = ranks.mean(axis=0)
    # with ties, the actual variance of the ranks replaces k(k+1)/12
    within = ((ranks - (methods + 1) / 2) ** 2).sum() / (cases * (methods - 1))
    chi = cases * ((mean - (methods + 1) / 2) ** 2).sum() / within if within > 0 else 0.0
    rest = cases * (methods - 1) - chi
    statistic = float((cases - 1) * chi / rest) if rest > 1e-12 else float("inf")
    degrees = (methods - 1, (methods - 1) * (cases - 1))
    p_value = float(stats.f.sf(statistic, *degrees)) if np.isfinite(statistic) else 0.0
    return Friedman(tuple(float(rank) for rank in mean), statistic, degrees, p_value)


@dataclass(frozen=True)
class ControlComparison:
    """One method against the control: the normal statistic (below 0 where the control is better) and its p-value,
    already multiplied by the number of comparisons."""

    statistic: float
    p_value: float


def bonferroni_dunn(scores: np.ndarray, control: int = 0) -> dict[int, ControlComparison]:
    """Compare every other method with the one in column `control`."""
    from scipy import stats

    cases, methods = _shape(scores)
    ranks = friedman(scores).ranks
    error = float(np.sqrt(methods * (methods + 1) / (6 * cases)))
    against = {}
    for other in range(methods):
        if other != control:
            z = (ranks[control] - ranks[other]) / error
            against[other] = ControlComparison(float(z), float(min(2 * stats.norm.sf(abs(z)) * (methods - 1), 1.0)))
    return against


def _shape(scores: np.ndarray) -> tuple[int, int]:
    table = np.asarray(scores, dtype=float)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2:
        raise BadInput(f"at least two cases and two methods are needed, not a table of shape {table.shape}")
    if np.isnan(table).any():
        raise BadInput("every method needs a score in every case")
    return table.shape[0], table.shape[1]


def attained(points: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return the best accuracy that a run attains at each level or above; minus infinity where there is none."""
    reaches = points[None, :, 1] >= levels[:, None]
    best: np.ndarray = np.where(reaches, points[None, :, 0], -np.inf).max(axis=1)
    return best


def surface(runs: Sequence[np.ndarray], share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (levels, accuracies) of a summary surface; NaN where too few runs reach the level.

    Points are (accuracy, level), higher is better for both. A surface gives for each level the accuracy that a share of
    the runs has attained at that level or above it: all of them (0.0, the worst surface), half of them (0.5, the
    median), or one (1.0, the best).
    """
    levels = np.unique(np.concatenate([np.asarray(run, dtype=float)[:, 1] for run in runs]))
    accuracies = np.sort(np.array([attained(np.asarray(run, dtype=float), levels) for run in runs]), axis=0)
    position = min(int(share * len(runs)), len(runs) - 1) if share < 1 else len(runs) - 1
    reached = accuracies[position]
    return levels, np.where(np.isfinite(reached), reached, np.nan)
