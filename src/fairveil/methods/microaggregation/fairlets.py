"""Fairlets: MakeFairlets with the protected groups that it mixes, and facts about the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.methods.microaggregation.clusters import Clusters, make_fairlets
from fairveil.methods.microaggregation.correction import Corrected
from fairveil.methods.microaggregation.leftovers import join_nearest
from fairveil.methods.microaggregation.protected_groups import ProtectedGroups
from fairveil.progress import Progress
from fairveil.recipes.record_space import Points


@dataclass(frozen=True)
class Fairlets:
    """Fairlets of one size: the protected groups, the seats of each group, and the fairlet of each record."""

    groups: ProtectedGroups
    seats: np.ndarray
    clusters: Clusters

    def facts(
        self, before: np.ndarray, fixed: Corrected, tau: float, correction: str, *, shown: bool = True
    ) -> dict[str, Any]:
        """Return composition, favoured group, positive ratios, labels changed, and the t-closeness reached.

        They are published, so ratios of the source have only two digits, like everything published about its groups,
        and groups are named by published records only; `shown`: their protected values are published.
        """
        inside = self.clusters.of_row >= 0
        of_row, kinds = self.groups.of_row[inside], len(self.groups.labels)
        rows = np.maximum(np.bincount(of_row, minlength=kinds), 1)
        labels = self.groups.labels_of(inside, shown)

        def ratios(favourable: np.ndarray, digits: int) -> dict[str, float]:
            positive = np.bincount(of_row, weights=favourable[inside], minlength=kinds)
            return dict(zip(labels, (positive / rows).round(digits).tolist(), strict=True))

        return {
            "composition": dict(zip(labels, self.seats.tolist(), strict=True)),
            "favoured": labels[self.groups.favoured],
            "tau": tau,
            "correction": correction,
            "labels_changed": fixed.summary(),
            "positive_ratios": {"before": ratios(before, 2), "after": ratios(fixed.favourable, 12)},
            "t_closeness_of_protected": self.closeness(),
        }

    def closeness(self) -> float:
        """Return the largest distance (½·Σ|p-q|) of a fairlet's mix of groups from that of all published records."""
        inside = self.clusters.of_row >= 0
        kinds = len(self.groups.labels)
        keys = self.clusters.of_row[inside] * kinds + self.groups.of_row[inside]
        mix = np.bincount(keys, minlength=self.clusters.count * kinds).reshape(-1, kinds)
        whole = mix.sum(axis=0) / max(mix.sum(), 1)
        gaps = np.abs(mix / np.maximum(mix.sum(axis=1, keepdims=True), 1) - whole).sum(axis=1) / 2
        return float(gaps.max(initial=0.0).round(12))


def form(method: Any, points: Points, groups: ProtectedGroups, size: int, progress: Progress | None = None) -> Fairlets:
    """Run MakeFairlets, and assign or drop the records that fill no fairlet."""
    seats = groups.seats(size, method.composition)
    clusters = make_fairlets(points, groups.of_row, seats, block=method.block(len(points)), progress=progress)
    if method.leftovers == "nearest":
        clusters = join_nearest(points, clusters)
    return Fairlets(groups, seats, clusters)
