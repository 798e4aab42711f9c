"""Differentially private building blocks: OpenDP draws the noise, what follows is post-processing.

Two tables are neighbours when one has one record more. Both mechanisms are ε-differentially private for a query
that one record changes by at most 1. OpenDP draws in integers and exact fractions, so no rounding of floats shows
in the noise (Mironov 2012): discrete Laplace for counts, permute and flip for the best score (McKenna and Sheldon
2020). The bits are the system's and have no seed: anybody who knew the seed could subtract the noise. What a mechanism
costs is what OpenDP says, rounded up.

>>> whole_counts(np.array([3.0, -1.0, 2.4])).tolist()
[2, 0, 2]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import nextafter
from typing import Any

import numpy as np

from fairveil.errors import BadInput, need


@dataclass
class PrivacyBudget:
    """What may be spent, and what has been spent, to the last bit: every mechanism must pay first.

    >>> budget = PrivacyBudget(0.3)
    >>> budget.pay(0.1)
    >>> budget.rest  # 0.3 - 0.1 is 0.19999999999999998 in floats, and a bit more would be too much
    0.19999999999999998
    """

    epsilon: float
    spent: Fraction = Fraction(0)

    @property
    def rest(self) -> float:
        """The remaining budget, or a rounding error less."""
        left = Fraction(self.epsilon) - self.spent
        nearest = float(left)
        return nearest if nearest <= left else nextafter(nearest, 0.0)

    def pay(self, price: float) -> None:
        if self.spent + Fraction(price) > Fraction(self.epsilon):
            raise BadInput(f"the privacy budget of {self.epsilon:g} has {self.rest:g} left, not {price:g}")
        self.spent += Fraction(price)


def choose(
    scores: Sequence[int] | np.ndarray, epsilon: float, budget: PrivacyBudget, *, change: int = 1, monotone: bool = True
) -> int:
    """Return the index of a high score; costs at most `epsilon`.

    Adding a record must change every score by at most `change` and, if `monotone`, lower none.
    """
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64", monotonic=monotone)
    make = partial(dp.m.make_noisy_max, *space, dp.max_divergence())
    return int(_bought(make, epsilon, budget, change)([int(score) for score in scores]))


def noisy_counts(counts: np.ndarray, epsilon: float, budget: PrivacyBudget) -> np.ndarray:
    """Return counts of disjoint groups with discrete Laplace noise, for at most `epsilon`; they may be negative."""
    dp = _opendp()
    make = partial(dp.m.make_laplace, dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"))
    return np.array(_bought(make, epsilon, budget)([int(count) for count in counts]), dtype=np.int64)


def _bought(make: Callable[..., Any], epsilon: float, budget: PrivacyBudget, change: int = 1) -> Any:
    """Return the mechanism with the least noise that OpenDP certifies for epsilon, if one record changes the query by
    at most this much, and pay for it: the scale that it certifies for a scale of 1, over ε, or a rounding error more.
    """
    scale = float(make(scale=1.0).map(change)) / epsilon
    while (mechanism := make(scale=scale)).map(change) > epsilon:
        scale = float(np.nextafter(scale, np.inf))
    budget.pay(mechanism.map(change))
    return mechanism


def whole_counts(noisy: np.ndarray) -> np.ndarray:
    """Return the nearest non-negative integer counts with the same total (post-processing).

    Setting negative counts to zero would add rows to a sparse table. So all counts are lowered by the same amount until
    those above zero add up to the noisy total (projection onto the simplex), and rounded by largest remainders.
    """
    values = np.asarray(noisy, dtype=float)
    total = max(round(float(values.sum())), 0)
    if total == 0:
        return np.zeros(len(values), dtype=np.int64)
    high = np.sort(values)[::-1]
    excess = np.cumsum(high) - total
    last = np.flatnonzero(high * np.arange(1, len(high) + 1) > excess)[-1]
    lowered = np.maximum(values - excess[last] / (last + 1), 0)
    whole: np.ndarray = np.floor(lowered + 1e-9).astype(np.int64)
    missing = total - int(whole.sum())
    order = np.argsort(-(lowered - whole), kind="stable")
    whole[order[:missing]] += 1
    return whole


def _opendp() -> Any:
    need("opendp", "differential privacy")
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp
