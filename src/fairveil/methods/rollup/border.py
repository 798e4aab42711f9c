"""Roll-up rules directly from the cells, without looking at pairs of records.

A rule `X_Φ → decision` is the lattice node with X at levels Φ and everything else at the top. It holds if every class
has one decision. It holds with exceptions if at most a share ε of all pairs with different decisions agree there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import group_of
from fairveil.counting.lattice import Lattice
from fairveil.errors import BadInput
from fairveil.messages import literal
from fairveil.methods.task import Task

if TYPE_CHECKING:
    from fairveil.methods.rollup.border_kernels import FoundNodes
    from fairveil.methods.rollup.suffix_kernels import Chain

SLICE = 20_000_000
"""Cells touched between two looks at the clock; about a fifth of a second."""


Part = dict[str, tuple[int, int]]
"""Nodes of a lattice: some attributes with their lowest and highest level, all others at any level."""


@dataclass(frozen=True)
class DiscoveredRules:
    """The nodes that a search found: rules, or the steps of a trade-off, with their k and exceptions (as shares)."""

    nodes: np.ndarray
    k: np.ndarray
    exceptions: np.ndarray
    tests: int
    seen: float
    """The share of the lattice that was searched or is known not to matter: 1 if the search finished in time."""
    pairs: int
    """All pairs of rows with different decisions: what exceptions are a share of."""
    unseen: tuple[Part, ...] = ()
    """What was not searched when the time was up. Below the lowest levels named here, k fails anyway."""

    @property
    def exhaustive(self) -> bool:
        return not self.unseen


def chain_of(lattice: Lattice, decision: str, k: int) -> Chain:
    """Return the cells in the layout of the kernels: attributes in search order, tuples of the free ones as numbers."""
    from fairveil.guards.rules.rule_kernels import representatives
    from fairveil.methods.rollup.suffix_kernels import Chain, pair_floors

    floors = lattice.floors(k, 0)
    cells, attributes = lattice.cells, list(lattice.levels.items())
    sizes = np.array([len(lv.labels[f]) for (_, lv), f in zip(attributes, floors, strict=True)])
    # the attribute that splits the rows most comes first: k fails early there, and for everything below
    order = np.argsort([-_bits(lattice, name, int(f)) for name, f in zip(lattice.names, floors, strict=True)],
                       kind="stable")  # fmt: skip
    floor_codes = [attributes[a][1].codes[floors[a]][cells.codes[attributes[a][0]]] for a in order]
    kinds = cells.sizes[decision]
    # from the last attribute on, number the tuples of the free ones
    ids, total = np.zeros(len(cells), dtype=np.int64), 1
    codes: list[np.ndarray] = []
    after: list[np.ndarray] = []
    tuples = [1]
    for place in range(len(order) - 1, -1, -1):
        a = int(order[place])
        longer, number = group_of([(floor_codes[place], int(sizes[a])), (ids, total)], len(cells))
        first = np.zeros(number, dtype=np.int64)
        first[longer[::-1]] = np.arange(len(cells) - 1, -1, -1)
        codes.insert(0, floor_codes[place][first])
        after.insert(0, ids[first])
        ids, total = longer, number
        tuples.insert(0, total)
    counts = np.bincount(ids * kinds + cells.codes[decision], weights=cells.counts, minlength=total * kinds)
    tops = lattice.tops[order]
    lookups = np.zeros((len(order), int(tops.max()) + 1, int(sizes.max())), dtype=np.int64)
    domains = np.ones((len(order), int(tops.max()) + 1), dtype=np.int64)
    for place, a in enumerate(order):
        levels = attributes[a][1]
        for level in range(int(floors[a]), levels.height + 1):
            lookup = levels.between(int(floors[a]), level)
            lookups[place, level, : len(lookup)] = lookup
            domains[place, level] = len(levels.labels[level])
    chain = Chain(
        order=order,
        counts=counts.astype(np.int64),
        kinds=kinds,
        codes=np.concatenate(codes),
        after=np.concatenate(after),
        offsets=np.cumsum([0, *tuples[:-1]])[: len(order)],
        tuples=np.array(tuples, dtype=np.int64),
        lookups=lookups,
        domains=domains,
        floors=floors[order],
        tops=tops,
        same=representatives(lookups),
        pairs=np.zeros((0, 0, 0), dtype=np.int64),
    )
    pairs = pair_floors(np.array(floor_codes, dtype=np.int64), cells.counts, chain, k, lattice.progress.stop)
    lattice.progress.check()
    return chain._replace(pairs=pairs)


def unseen(chain: Chain, level: np.ndarray, depth: int, names: Sequence[str]) -> tuple[float, tuple[Part, ...]]:
    """Return the nodes that a search stopped here has not visited, and their share of all nodes.

    Levels decrease lexicographically: the remaining nodes have the same levels up to some attribute and a lower one
    there.
    """
    ordered = [names[a] for a in chain.order]
    sizes = [int(top - floor) + 1 for top, floor in zip(chain.tops, chain.floors, strict=True)]
    parts: list[Part] = []
    remaining = 0
    for d in range(depth + 1):
        low, high = int(chain.floors[d]), int(level[d]) - (d < depth)
        if high >= low:
            parts.append({ordered[e]: (int(level[e]), int(level[e])) for e in range(d)} | {ordered[d]: (low, high)})
            remaining += (high - low + 1) * prod(sizes[d + 1 :])
    return remaining / prod(sizes), tuple(parts)


def restored(chain: Chain, nodes: np.ndarray) -> np.ndarray:
    """Return nodes in search order as nodes in the lattice's column order."""
    in_order = np.empty_like(nodes)
    in_order[:, chain.order] = nodes
    return in_order


def discover(task: Task, exceptions: float = 0.0, *, k: int = 1, time_limit: float = 60.0) -> DiscoveredRules:
    """Return all rules that hold with at most a share of `exceptions`: minimal left-hand sides, maximal levels.

    `k` excludes rules with a lower anonymity level and skips parts with no other rules. If the time runs out, the
    result has all rules among the nodes visited; `seen` is their share of all nodes.
    """
    from fairveil.methods.rollup import border_kernels as kernel

    decision = need_decision(task)
    if not 0 <= exceptions < 1:
        raise BadInput(f"roll-up rules: exceptions must be a share from 0 to below 1, not {literal(exceptions)}")
    chain = chain_of(task.lattice, decision, k)
    limit = int(exceptions * _differing_pairs(chain) + 1e-6)

    def step(level: np.ndarray, depth: int, rules: FoundNodes, number: int) -> tuple[int, int, int, int]:
        result: tuple[int, int, int, int] = kernel.border(
            chain, limit, k, level, depth, rules, number, SLICE, task.progress.stop
        )
        return result

    rules, tests, remaining = _run(task, chain, step, time_limit, "rules")
    return _described(chain, rules, tests, remaining)


def tradeoff(task: Task, time_limit: float = 60.0) -> DiscoveredRules:
    """Return the complete trade-off of k against exceptions: for every k the node with the fewest, k ascending."""
    from fairveil.methods.rollup import border_kernels as kernel

    chain = chain_of(task.lattice, need_decision(task), task.k)

    def step(level: np.ndarray, depth: int, stairs: FoundNodes, number: int) -> tuple[int, int, int, int]:
        result: tuple[int, int, int, int] = kernel.tradeoff(
            chain, task.k, level, depth, stairs, number, SLICE, task.progress.stop
        )
        return result

    stairs, tests, remaining = _run(task, chain, step, time_limit, "steps of k against exceptions")
    rising = np.lexsort((stairs.values[:, 1], stairs.values[:, 0]))
    return _described(chain, kernel.FoundNodes(stairs.levels[rising], stairs.values[rising]), tests, remaining)


def _bits(lattice: Lattice, name: str, floor: int) -> float:
    """Return the entropy of an attribute, averaged over its levels from `floor` to below the top."""
    levels, entropies = lattice.levels[name], [0.0]
    for codes in levels.codes[floor : levels.height]:
        rows = np.bincount(codes, weights=lattice.leaf_rows[name])
        shares = rows[rows > 0] / rows.sum()
        entropies.append(round(float(-(shares * np.log2(shares)).sum()), 9))
    return sum(entropies) / max(len(entropies) - 1, 1)


Step = Callable[[np.ndarray, int, "FoundNodes", int], tuple[int, int, int, int]]
Remaining = tuple[float, tuple[Part, ...]]


def _run(task: Task, chain: Chain, step: Step, time_limit: float, what: str) -> tuple[FoundNodes, int, Remaining]:
    """Call the kernel in slices until it has finished or the time is up: returns nodes, tests, and what is left."""
    from fairveil.methods.rollup.border_kernels import FINISHED, FoundNodes

    room = 256
    nodes = FoundNodes(np.empty((room, len(chain.tops)), dtype=np.int64), np.empty((room, 2), dtype=np.int64))
    level, depth, number, tests, seen = chain.tops.copy(), 0, 0, 0, 0.0
    started = time.monotonic()
    while True:
        task.report(seen, f"{number:,} {what}")
        if number == room:
            room *= 2
            nodes = FoundNodes(*(np.concatenate([array, np.empty_like(array)]) for array in nodes))
        status, depth, number, new_tests = step(level, depth, nodes, number)
        tests += new_tests
        share, parts = (0.0, ()) if status == FINISHED else unseen(chain, level, depth, task.lattice.names)
        seen = max(seen, 1 - share)
        if status == FINISHED or (time.monotonic() - started > time_limit and not task.progress.cancelled):
            return FoundNodes(nodes.levels[:number], nodes.values[:number]), tests, (share, parts)


def _differing_pairs(chain: Chain) -> int:
    per_decision = chain.counts.reshape(-1, chain.kinds).sum(axis=0)
    total = int(per_decision.sum())
    return (total * total - sum(int(c) * int(c) for c in per_decision)) // 2


def _described(chain: Chain, nodes: FoundNodes, tests: int, remaining: Remaining) -> DiscoveredRules:
    pairs = _differing_pairs(chain)
    share, parts = remaining
    k, exceptions = nodes.values[:, 0].copy(), nodes.values[:, 1] / max(pairs, 1)
    return DiscoveredRules(restored(chain, nodes.levels), k, exceptions, tests, 1 - share, pairs, parts)


def in_words(part: Part) -> str:
    """Return a part of the lattice in words, for a note."""
    words = [
        f"{name} at level {low}" if low == high else f"{name} at levels {low} to {high}"
        for name, (low, high) in part.items()
    ]
    return ", ".join(words)


def level_of(task: Task, node: np.ndarray) -> tuple[int, int]:
    """Return the anonymity level of one node, and the pairs with different decisions that agree there."""
    decision = need_decision(task)
    classes = task.lattice.classes(node, [decision])
    per = np.bincount(
        classes.ids * classes.sizes[decision] + classes.codes[decision],
        weights=classes.counts,
        minlength=len(classes) * classes.sizes[decision],
    )
    return int(classes.rows.min()), int(((classes.rows.astype(float) ** 2).sum() - (per**2).sum()) / 2)


def need_decision(task: Task) -> str:
    if task.schema.decision is None:
        raise BadInput("roll-up rules need a decision column, and the schema names none")
    return task.schema.decision
