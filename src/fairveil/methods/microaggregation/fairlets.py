"""Fairlets: MakeFairlets with the protected groups that it mixes, and facts about the result.

Records that fill no fairlet may join the nearest one instead of being dropped (beyond the paper).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.rounding import coarse_share
from fairveil.methods.microaggregation.clusters import Clusters, make_fairlets
from fairveil.methods.microaggregation.correction import Corrected, tally
from fairveil.methods.microaggregation.protected_groups import ProtectedGroups

if TYPE_CHECKING:
    from fairveil.progress import Progress
    from fairveil.recipes.record_space import Points

_CELLS = 1 << 22  # distances in memory at a time


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

        They are published, so ratios of the source are rounded, and groups are named by published records only;
        `shown`: their protected values are published.
        """
        inside = self.clusters.of_row >= 0
        mix, labels = tally(self.clusters, self.groups, inside), self.groups.labels_of(inside, shown)
        rows = np.maximum(mix.sum(axis=0), 1)
        # the largest distance (½·Σ|p-q|) of a fairlet's mix of groups from that of all published records
        shares, overall = mix / np.maximum(mix.sum(axis=1, keepdims=True), 1), mix.sum(axis=0) / max(mix.sum(), 1)
        closeness = (np.abs(shares - overall).sum(axis=1) / 2).max(initial=0.0)

        def ratios(favourable: np.ndarray, exact: bool) -> dict[str, float]:
            shares = (tally(self.clusters, self.groups, favourable).sum(axis=0) / rows).tolist()
            return {
                label: round(share, 12) if exact else coarse_share(share, count)
                for label, share, count in zip(labels, shares, rows.tolist(), strict=True)
            }

        return {
            "composition": dict(zip(labels, self.seats.tolist(), strict=True)),
            "favoured": labels[self.groups.favoured],
            "tau": tau,
            "correction": correction,
            "labels_changed": fixed.summary(),
            "positive_ratios": {"before": ratios(before, False), "after": ratios(fixed.favourable, shown)},
            "t_closeness_of_protected": round(float(closeness), 12) if shown else coarse_share(closeness, mix.sum()),
        }


def form(
    method: Any, points: Points, groups: ProtectedGroups, seats: np.ndarray, progress: Progress | None = None
) -> Fairlets:
    """Run MakeFairlets, and assign or drop the records that fill no fairlet."""
    clusters = make_fairlets(points, groups.of_row, seats, block=method.block(len(points)), progress=progress)
    if method.leftovers == "nearest":
        clusters = join_nearest(points, clusters)
    return Fairlets(groups, seats, clusters)


def join_nearest(points: Points, clusters: Clusters) -> Clusters:
    """Return clusters with every record in a fairlet: left-over records join that of the nearest mean, or the first."""
    leftover = clusters.left_over
    if not len(leftover) or not clusters.count:
        return clusters
    of_row, ranks = clusters.of_row.copy(), clusters.ranks.copy()
    means, shares = _means(points, clusters)
    step = max(_CELLS // clusters.count, 1)
    for start in range(0, len(leftover), step):
        block = leftover[start : start + step]
        of_row[block] = np.argmin(_distances(points, points.rows[block], means, shares), axis=1)
    ranks[leftover] = len(points) + leftover  # ranked after the fairlet's own records
    return Clusters(of_row, ranks, clusters.count)


def _means(points: Points, clusters: Clusters) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean coordinates and the shares of each code, per cluster."""
    inside = clusters.of_row >= 0
    of_row, rows = clusters.of_row[inside], points.rows[inside]
    means = np.zeros((clusters.count, points.numeric))
    shares = np.zeros((clusters.count, int(points.offsets[-1])))
    np.add.at(means, of_row, rows[:, : points.numeric])
    for a in range(len(points.costs)):
        np.add.at(shares, (of_row, points.offsets[a] + rows[:, points.numeric + a]), 1.0)
    sizes = clusters.sizes[:, None]
    return means / sizes, shares / sizes


def _distances(points: Points, rows: np.ndarray, means: np.ndarray, shares: np.ndarray) -> np.ndarray:
    total = np.zeros((len(rows), len(means)))
    for a in range(points.numeric):
        gap = rows[:, a, None] - means[None, :, a]
        total += gap * gap if points.power == 2 else np.abs(gap)
    for a, cost in enumerate(points.costs):
        code_shares = shares[:, points.offsets[a] : points.offsets[a + 1]]
        match = code_shares[:, rows[:, points.numeric + a]].T
        squares = (code_shares**2).sum(axis=1)[None, :]
        total += cost * (0.5 * (1 + squares) - match if points.power == 2 else 1 - match)
    return total
