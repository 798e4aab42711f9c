"""Algorithms 1 to 3 of Hajian et al. as they are printed, with every check counted.

fairveil finds the same set of solutions in another way, so its times say nothing about the paper's claims about time.
What the paper's own algorithm does can be counted: frequency sets that are computed to check k-anonymity, and itemsets
that are computed to check α-protection. As printed, line 32 queues a node's generalizations only when the node fails;
after case 2 that would leave them unchecked, so here they are queued after every visit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.counting.lattice import Lattice
from fairveil.data.schema import Schema
from fairveil.guards.rules.alpha import denied_cells
from fairveil.guards.rules.lift import SLACK, lift

Node = tuple[tuple[int, int], ...]
"""Attributes by number, each with its level."""
FAILS, HOLDS, HOLDS_ABOVE = 1, 2, 3
"""The cases of Algorithm 3; after the third, generalizations of a protected attribute need no check."""


@dataclass(frozen=True)
class Checks:
    """What one run of Algorithm 1 computed and found."""

    anonymity: int
    protection: int
    solutions: int

    @property
    def all(self) -> int:
        return self.anonymity + self.protection


@dataclass
class Counted:
    """A table with its lattice, on which Algorithm 1 is run with any settings; cases are remembered, checks are not."""

    lattice: Lattice
    schema: Schema
    _cases: dict[tuple[object, ...], int] = field(default_factory=dict)
    _anonymous: dict[int, set[tuple[int, ...]]] = field(default_factory=dict)

    def run(self, k: int, alpha: float = 0.0, measure: str = "", share: float = 0.05, tau: int = 0,
            protected: Sequence[str] = ()) -> Checks:  # fmt: skip
        """Algorithm 1; with τ = 0 it is Incognito."""
        names, tops = self.lattice.names, [int(top) for top in self.lattice.tops]
        grounds = {a for a, name in enumerate(names) if name in protected}
        anonymity = protection = 0
        candidates: set[Node] = {((a, level),) for a, top in enumerate(tops) for level in range(top + 1)}
        for size in range(1, len(names) + 1):
            solutions = set(candidates)
            above = {node: [up for up in _above(node, tops) if up in candidates] for node in candidates}
            known: set[Node] = set()
            spared: set[Node] = set()
            # every node below comes first, so one pass by height visits what the queue would
            reached = candidates - {up for ups in above.values() for up in ups}
            for node in sorted(candidates, key=lambda node: (sum(level for _, level in node), node)):
                if node not in reached or node in spared:
                    continue
                reached.update(above[node])
                if node not in known:
                    anonymity += 1
                if node in known or self._is_anonymous(k, node, tops):
                    known.update(above[node])
                    below_top = {a for a, level in node if a in grounds and level < tops[a]}
                    if below_top and size <= tau:
                        protection += 1
                        case = self._case(node, tuple(sorted(below_top)), alpha, measure, share)
                        if case == HOLDS_ABOVE:
                            levels = dict(node)
                            spared.update(u for u in above[node] if any(dict(u)[a] > levels[a] for a in below_top))
                        elif case == FAILS:
                            solutions.discard(node)
                else:
                    solutions.discard(node)
            candidates = set(_joined(solutions))
        return Checks(anonymity, protection, len(solutions))

    def _is_anonymous(self, k: int, node: Node, tops: Sequence[int]) -> bool:
        if k not in self._anonymous:
            nodes = self.lattice.anonymous(k, 0)
            self._anonymous[k] = set(map(tuple, nodes.tolist()))
        levels = dict(node)
        return tuple(levels.get(a, top) for a, top in enumerate(tops)) in self._anonymous[k]

    def _case(self, node: Node, grounds: tuple[int, ...], alpha: float, measure: str, share: float) -> int:
        """Algorithms 2 and 3 on one node."""
        key = (node, grounds, alpha, measure, share)
        if key not in self._cases:
            self._cases[key] = self._measured(dict(node), grounds, alpha, measure, share)
        return self._cases[key]

    def _measured(
        self, levels: dict[int, int], grounds: tuple[int, ...], alpha: float, measure: str, share: float
    ) -> int:
        cells, names = self.lattice.cells, self.lattice.names
        codes = {a: self.lattice.levels[names[a]].codes[level][cells.codes[names[a]]] for a, level in levels.items()}
        others = [codes[a] for a in levels if a not in grounds]
        context = _numbered(others, len(cells))
        group = _numbered([context, *(codes[a] for a in grounds)], len(cells))
        denied = np.where(self._denied, cells.counts, 0)
        n1 = np.bincount(group, weights=cells.counts)
        a1 = np.bincount(group, weights=denied)
        within = np.zeros(len(n1), dtype=np.int64)
        within[group] = context
        n, a = np.bincount(within, weights=n1)[within], np.bincount(within, weights=a1)[within]
        if measure == "elift":
            value = lift(measure, a1, n1, a, n)
        elif measure == "clift":
            order = np.lexsort((-n1, a1 / n1))[::-1]
            favoured = np.zeros(int(within.max()) + 1, dtype=np.int64)
            favoured[within[order]] = order
            value = lift(measure, a1, n1, a1[favoured][within], n1[favoured][within])
        else:
            value = lift(measure, a1, n1, a - a1, n - n1)
        discriminatory = (value >= alpha * (1 - SLACK)) & (a1 > 0)
        if (discriminatory & (a1 >= np.ceil(share * cells.rows - 1e-9))).any():
            return FAILS
        return HOLDS if measure in ("slift", "olift") or discriminatory.any() else HOLDS_ABOVE

    @cached_property
    def _denied(self) -> np.ndarray:
        return denied_cells(Classes.of(self.lattice.cells, self.lattice.names), self.schema)


def _numbered(columns: Sequence[np.ndarray], rows: int) -> np.ndarray:
    key = np.zeros(rows, dtype=np.int64)
    for column in columns:
        key = key * (int(column.max(initial=0)) + 1) + column
        key = np.unique(key, return_inverse=True)[1]
    return key


def _above(node: Node, tops: Sequence[int]) -> Iterator[Node]:
    for place, (a, level) in enumerate(node):
        if level < tops[a]:
            yield (*node[:place], (a, level + 1), *node[place + 1 :])


def _joined(solutions: set[Node]) -> Iterator[Node]:
    """Nodes of one more attribute, all of whose parts are solutions."""
    by_start: dict[Node, list[tuple[int, int]]] = {}
    for node in solutions:
        by_start.setdefault(node[:-1], []).append(node[-1])
    for start, ends in by_start.items():
        for one, other in combinations(sorted(ends), 2):
            node = (*start, one, other)
            if one[0] != other[0] and all(part in solutions for part in combinations(node, len(node) - 1)):
                yield node
