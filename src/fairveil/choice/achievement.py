"""Aspirations: how well a point meets the publisher's wishes (Dewri et al., sections 4 and 5).

A point q has one value per objective, a preference point q̄ the desired values. The achievement function

    s(q, q̄) = max over i of wᵢ·(qᵢ - uᵢ),    wᵢ = (1/(q̄ᵢ - uᵢ)) / Σⱼ 1/(q̄ⱼ - uⱼ)

with the utopian point u just below the ideal one has its minimum at an efficient point: as far beyond the wishes as
possible if they can be met, as little short of them as possible if they cannot.

>>> wish = Aspirations({"necd": 0.3, "nwp": 0.08})
>>> wish.achievement(np.array([[0.27, 0.07], [0.18, 0.09]])).round(2).tolist()
[0.06, 0.07]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from fairveil import measures
from fairveil.choice.pareto import pareto
from fairveil.errors import BadInput, refuse
from fairveil.messages import literal, option

EPSILON = 1e-6
"""How far the utopian point lies beyond the ideal one."""
TIE = 1e-12
"""Achievements that differ by less than this are equal."""

Efficiency = Literal["strong", "weak", "none"]


@dataclass(frozen=True)
class Aspirations:
    """A preference point: the desired value of each objective, by the name of its measure.

    `ideal` is the best possible value of a measure; needed only if the measure's range is infinite on that side
    (it is 0 for all losses and risks, by their range).
    """

    levels: Mapping[str, float]
    ideal: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.levels:
            raise BadInput("no aspiration is given: name at least one measure and the value wished for")
        for name in (*self.levels, *self.ideal):
            measures.get(name)
        problems = []
        for (name, wished), ideal, sign in zip(self.levels.items(), self.ideals, self.signs, strict=True):
            if isinstance(wished, bool) or not isinstance(wished, int | float) or not np.isfinite(wished):
                problems.append(f"the aspiration for {name!r} must be a number, not {literal(wished)}")
            elif not np.isfinite(ideal):
                problems.append(f"measure {name!r} has no best value: give one, as in {option('ideal', {name: ...})}")
            elif wished * sign < ideal * sign:
                problems.append(f"the aspiration {wished:g} for {name!r} is better than its ideal {ideal:g}")
        refuse(problems)

    @property
    def names(self) -> list[str]:
        return list(self.levels)

    @cached_property
    def signs(self) -> np.ndarray:
        """1 where lower is better, -1 where higher is."""
        return np.array([1.0 if measures.get(name).better == "lower" else -1.0 for name in self.levels])

    @cached_property
    def ideals(self) -> np.ndarray:
        """The best possible value of each objective."""
        ends = {name: measures.get(name).range[measures.get(name).better == "higher"] for name in self.levels}
        return np.array([float(self.ideal.get(name, end)) for name, end in ends.items()])

    @cached_property
    def utopian(self) -> np.ndarray:
        """The point just beyond the best possible value of each objective, with signs such that lower is better."""
        point: np.ndarray = self.signs * self.ideals - EPSILON
        return point

    @cached_property
    def wanted(self) -> np.ndarray:
        """q̄ as distances from the utopian point."""
        distances: np.ndarray = self.signs * np.array([float(level) for level in self.levels.values()]) - self.utopian
        return distances

    @cached_property
    def weights(self) -> np.ndarray:
        """The weight wᵢ of each objective: the more modest the wish, the lower its weight."""
        inverse = 1.0 / self.wanted
        shares: np.ndarray = inverse / inverse.sum()
        return shares

    def achievement(self, points: np.ndarray) -> np.ndarray:
        """Return s(q, q̄) of each row; lower values meet the wishes better."""
        largest: np.ndarray = (self.weights * (self.signs * points - self.utopian)).max(axis=1)
        return largest

    def deviation(self, points: np.ndarray) -> np.ndarray:
        """Return the preference deviation Σ(qᵢ - q̄ᵢ): negative where the wishes are exceeded.

        Objectives that do not range from 0 to 1 are measured in units of their aspiration.
        """
        unit_range = np.array([measures.get(name).range == (0, 1) for name in self.names])
        scale = np.where(unit_range, 1.0, self.wanted)
        totals: np.ndarray = ((self.signs * points - self.utopian - self.wanted) / scale).sum(axis=1)
        return totals

    def choose(self, points: np.ndarray, k: np.ndarray | None = None) -> int:
        """Return the position of the point with the minimum achievement value (section 5).

        Ties are broken by the largest `k`, if given (the multi-objective form, section 7), then by the least
        preference deviation, then by position.
        """
        reached = self.achievement(points)
        ties = np.flatnonzero(reached <= np.nanmin(reached) + TIE)
        if k is not None:
            ties = ties[k[ties] == k[ties].max()]
        return int(ties[np.argmin(self.deviation(points[ties]).round(12))])

    def toward(self, start: np.ndarray, share: float) -> Aspirations:
        """Return the preference point at this share of the way from `start` to the aspirations (section 6, step 3)."""
        levels = np.array([float(level) for level in self.levels.values()])
        point = start + share * (levels - start)
        return Aspirations(dict(zip(self.levels, map(float, point), strict=True)), self.ideal)


def efficiency(points: np.ndarray) -> list[Efficiency]:
    """Return whether each point (lower is better) is strongly, only weakly, or not efficient (Definition 3).

    >>> efficiency(np.array([[1, 3], [2, 2], [2, 3], [3, 3.5]]))
    ['strong', 'strong', 'weak', 'none']
    """
    strong = pareto(points)
    kinds: list[Efficiency] = []
    for point, efficient in zip(points, strong, strict=True):
        beaten = bool((points < point).all(axis=1).any())
        kinds.append("strong" if efficient else "none" if beaten else "weak")
    return kinds
