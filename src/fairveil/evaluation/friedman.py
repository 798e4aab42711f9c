"""Several methods over many cases (Demšar 2006): the adjusted Friedman test, then Bonferroni-Dunn against one of them.

>>> cases = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.75], [0.9, 0.85, 0.6], [0.7, 0.6, 0.5]])
>>> friedman(cases).ranks
(1.0, 2.25, 2.75)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairveil.errors import BadInput


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
