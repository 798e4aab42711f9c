"""How unfair a generalization is, as a number that one record changes by at most 1, for private choices.

Of a rule A,B → denied, a₁ of n₁ people of the group are denied and a₂ of the n₂ it is compared with. Its excess is

slift, clift   (a₁·n₂ - α·a₂·n₁) / n
olift          (a₁·(n₂-a₂) - α·a₂·(n₁-a₁)) / n
elift          a₁ - α·a·n₁ / n, against all a of n people of the context

with n = n₁ + n₂: positive exactly where the measure is above α. What one record more changes, however small the
groups are: a record can be added little by little, so that the counts of its group, and of the denied if it is, grow
until it is whole. The change is then at most the largest slope on the way. Let x and y be the shares of the two groups
among the n people, and r₁ and r₂ the shares of denied in each. For elift, r is the share of denied in the context; for
olift, d₁ and d₂ are those denied of each group, g₁ and g₂ the others, as shares of n. The slopes, by where the record
goes, are

                         slift, clift             elift                   olift
to the group, denied     y(1 - αr₂y - r₁x)        1 - α(1 - (1-x)(1-r))   g₂(1 - d₁) + αd₂g₁
to the group, not        -y(αr₂y + r₁x)           -αr(1-x)                -αd₂(1 - g₁) - d₁g₂
to the others, denied    -x(α - r₁x - αr₂y)       -αx(1-r)                -αg₁(1 - d₂) - d₁g₂
to the others, not       x(r₁x + αr₂y)            αrx                     d₁(1 - g₂) + αd₂g₁

All shares are between 0 and 1, x + y = 1, d₁ + g₁ + d₂ + g₂ = 1 and α > 1, so no slope is beyond ±α, for olift
±(α + 1). Divided by that, an excess changes by at most 1. So do 0 in place of a negative one, the smaller of two such
numbers and the largest of many. A rule below the minimum support has no excess: the smaller of its excess and of a₁
less the support counts, and a₁ - s·rows changes by at most 1 for a share s of the rows.

Floats: with up to 2³⁰ rows, errors of the few operations stay below 2⁻¹⁸. So everything is made smaller by 2⁻¹⁰ of
itself, and two floats differ by at most 1 as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.tuples import group_of

if TYPE_CHECKING:
    from fairveil.counting.lattice import Lattice
    from fairveil.data.schema import Schema
    from fairveil.guards.rules.alpha import RuleGuard

Node = tuple[int, ...]
ROUNDING = 1.0 - 2.0**-10  # leaves room for rounding errors below the promised change of 1


def excess(measure: str, alpha: float, a1: np.ndarray, n1: np.ndarray, a2: np.ndarray, n2: np.ndarray) -> np.ndarray:
    """The excess of denials, scaled so that one record changes it by at most 1; a₂ of n₂ is the contrast group."""
    n = np.maximum(n1 + n2, 1)
    if measure == "elift":  # against all of the context, the group itself among them
        above = a1 - alpha * (a1 + a2) * n1 / n
    elif measure == "olift":
        above = (a1 * (n2 - a2) - alpha * a2 * (n1 - a1)) / n
    else:
        above = (a1 * n2 - alpha * a2 * n1) / n
    scaled: np.ndarray = np.maximum(above / (alpha + (measure == "olift")), 0.0)
    return scaled


class Unfairness:
    """The largest excess of any rule of the tables that nodes publish; one group-by per node, from coarse to fine."""

    def __init__(self, guard: RuleGuard, lattice: Lattice, schema: Schema, denied: np.ndarray) -> None:
        self.guard, self.lattice, self.denied = guard, lattice, denied
        grounds = guard.grounds(schema)
        self.grounds = {a for a, name in enumerate(lattice.names) if name in grounds}
        self.tops = tuple(int(top) for top in lattice.tops)
        rows = lattice.cells.rows
        share = isinstance(guard.min_support, float)
        self.support = guard.min_support * rows if share else float(guard.min_support - 1)
        self.known: dict[Node, tuple[float, bool]] = {}

    def of(self, nodes: np.ndarray) -> np.ndarray:
        """The largest excess of each node; nodes above them are computed, too, if they are not among them."""
        return ROUNDING * np.array([self._of(tuple(map(int, node)))[0] for node in nodes])

    def _of(self, node: Node) -> tuple[float, bool]:
        """The largest excess, and whether any rule over exactly these columns is frequent: else none below is."""
        if node not in self.known:
            below_top = [a for a, (level, top) in enumerate(zip(node, self.tops, strict=True)) if level < top]
            lifted = [self._of((*node[:a], self.tops[a], *node[a + 1 :])) for a in below_top]
            worst = max((value for value, _ in lifted), default=0.0)
            guarded = [a for a in below_top if a in self.grounds]
            frequent = all(alive for _, alive in lifted)
            if guarded and frequent and len(below_top) <= (self.guard.granularity or len(below_top)):
                own, frequent = self._exactly(node, below_top, guarded)
                worst = max(worst, own)
            self.known[node] = worst, frequent
        return self.known[node]

    def _exactly(self, node: Node, below_top: list[int], guarded: list[int]) -> tuple[float, bool]:
        cells, names = self.lattice.cells, self.lattice.names
        levels = [self.lattice.levels[name] for name in names]
        coded = {
            a: (levels[a].codes[node[a]][cells.codes[names[a]]], len(levels[a].labels[node[a]])) for a in below_top
        }
        context, contexts = group_of([coded[a] for a in below_top if a not in guarded], len(cells))
        group, groups = group_of([(context, contexts), *(coded[a] for a in guarded)], len(cells))
        n1 = np.bincount(group, weights=cells.counts, minlength=groups)
        a1 = np.bincount(group, weights=np.where(self.denied, cells.counts, 0), minlength=groups)
        within = np.zeros(groups, dtype=np.int64)
        within[group] = context
        n, a = np.bincount(within, n1, contexts)[within], np.bincount(within, a1, contexts)[within]
        measure, alpha = self.guard.measure, float(self.guard.alpha)
        if measure == "clift":  # the largest over every other group of the context
            largest = np.zeros(groups)
            for other in range(groups):
                mates = (within == within[other]) & (np.arange(groups) != other)
                value = excess("clift", alpha, a1[mates], n1[mates], a1[other], n1[other])
                largest[mates] = np.maximum(largest[mates], value)
        else:
            largest = excess(measure, alpha, a1, n1, a - a1, n - n1)
        over = np.maximum(a1 - self.support, 0.0)
        return float(np.minimum(largest, over).max(initial=0.0)), bool((over > 0).any())
