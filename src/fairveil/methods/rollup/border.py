"""Roll-up rules directly from the cells, without looking at pairs of records.

A rule `X_Φ → decision` is the lattice node with X at levels Φ and everything else at the top. It holds if every class
has one decision. It holds with exceptions if at most a share ε of all pairs with different decisions agree there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.tuples import first_rows
from fairveil.errors import BadInput
from fairveil.messages import literal

if TYPE_CHECKING:
    from fairveil.counting.lattice import Lattice
    from fairveil.methods.rollup.rule import Offer
    from fairveil.methods.rollup.suffix_kernels import Chain
    from fairveil.methods.task import Task

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
    from fairveil.methods.rollup.suffix_kernels import RAISED, Chain, Layers, pair_floors

    floors, cells, kinds = lattice.floors(k, 0), lattice.cells, lattice.cells.sizes[decision]
    # the attribute that splits the rows most comes first: k fails early there, and for everything below
    bits = [_bits(lattice, name, int(floor)) for name, floor in zip(lattice.names, floors, strict=True)]
    order = np.argsort(-np.array(bits), kind="stable")
    attributes = [(lattice.names[a], lattice.levels[lattice.names[a]], int(floors[a])) for a in order]
    floor_codes = [levels.codes[floor][cells.codes[name]] for name, levels, floor in attributes]
    sizes = [len(levels.labels[floor]) for _, levels, floor in attributes]
    # from the last attribute on, number the tuples of the free ones
    ids, tuples = np.zeros(len(cells), dtype=np.int64), [1]
    codes: list[np.ndarray] = []
    after: list[np.ndarray] = []
    for column, size in zip(floor_codes[::-1], sizes[::-1], strict=True):
        longer, first = first_rows([(column, size), (ids, tuples[0])], len(cells))
        codes.insert(0, column[first])
        after.insert(0, ids[first])
        ids = longer
        tuples.insert(0, len(first))
    counts = np.bincount(ids * kinds + cells.codes[decision], weights=cells.counts, minlength=tuples[0] * kinds)
    floors, tops = floors[order], lattice.tops[order]
    lookups = np.zeros((len(order), int(tops.max()) + 1, max(sizes)), dtype=np.int64)
    domains = np.ones((len(order), int(tops.max()) + 1), dtype=np.int64)
    for a, (_, levels, floor) in enumerate(attributes):
        for level in range(floor, levels.height + 1):
            lookup = levels.between(floor, level)
            lookups[a, level, : len(lookup)] = lookup
            domains[a, level] = len(levels.labels[level])
    tables = (np.concatenate(codes), np.concatenate(after), np.cumsum([0, *tuples[:-2]]), np.array(tuples), floors)
    finest = np.array(floor_codes, dtype=np.int64)
    pairs = pair_floors(finest, cells.counts, lookups, domains, floors, tops, k, lattice.progress.stop)
    lattice.progress.check()
    return Chain(
        order=order,
        counts=counts.astype(np.int64),
        kinds=kinds,
        layers=Layers(*(np.tile(table.astype(np.int64), (RAISED + 1, 1)) for table in tables)),
        lookups=lookups,
        domains=domains,
        floors=floors,
        tops=tops,
        same=representatives(lookups),
        pairs=pairs,
    )


def unseen(chain: Chain, level: np.ndarray, depth: int, names: Sequence[str]) -> tuple[float, tuple[Part, ...]]:
    """Return the nodes that a search stopped here has not visited, and their share of all nodes.

    Levels fall lexicographically: the remaining nodes have the same levels up to some attribute and a lower one there.
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


def discover(
    task: Task, exceptions: float = 0.0, *, k: int = 1, time_limit: float = 60.0, offer: Offer | None = None
) -> DiscoveredRules:
    """Return all rules that hold with at most a share of `exceptions`: minimal left-hand sides, maximal levels.

    `k` excludes rules with a lower anonymity level and skips parts with no other rules. If the time runs out, the
    result has all rules among the nodes visited; `seen` is their share of all nodes.
    """
    need_decision(task)
    if not 0 <= exceptions < 1:
        raise BadInput(f"roll-up rules: exceptions must be a share from 0 to below 1, not {literal(exceptions)}")
    return _search(task, k, exceptions, time_limit, offer)


def tradeoff(task: Task, time_limit: float = 60.0, *, offer: Offer | None = None) -> DiscoveredRules:
    """Return the complete trade-off of k against exceptions: for every k the node with the fewest, k ascending."""
    stairs = _search(task, task.k, None, time_limit, offer)
    rising = np.lexsort((stairs.exceptions, stairs.k))
    return replace(stairs, nodes=stairs.nodes[rising], k=stairs.k[rising], exceptions=stairs.exceptions[rising])


def _bits(lattice: Lattice, name: str, floor: int) -> float:
    """Return the entropy of an attribute, averaged over its levels from `floor` to below the top."""
    levels, entropies = lattice.levels[name], [0.0]
    for codes in levels.codes[floor : levels.height]:
        rows = np.bincount(codes, weights=lattice.leaf_rows[name])
        shares = rows[rows > 0] / rows.sum()
        entropies.append(round(float(-(shares * np.log2(shares)).sum()), 9))
    return sum(entropies) / max(len(entropies) - 1, 1)


def _search(
    task: Task, k: int, exceptions: float | None, time_limit: float, offer: Offer | None = None
) -> DiscoveredRules:
    """Call the kernel in slices until it has finished or the time is up; for the trade-off if `exceptions` is None."""
    from fairveil.methods.rollup.border_kernels import FoundNodes, search

    chain = chain_of(task.lattice, need_decision(task), k)
    per_decision = chain.counts.reshape(-1, chain.kinds).sum(axis=0).tolist()
    pairs = (sum(per_decision) ** 2 - sum(rows**2 for rows in per_decision)) // 2
    limit, what = (
        (-1, "steps of k against exceptions") if exceptions is None else (int(exceptions * pairs + 1e-6), "rules")
    )
    nodes = FoundNodes(np.empty((256, len(chain.tops)), dtype=np.int64), np.empty((256, 2), dtype=np.int64))
    level, depth, number, tests, seen = chain.tops.copy(), 0, 0, 0, 0.0
    started = time.monotonic()
    while True:
        task.report(seen, f"{number:,} {what}")
        if number == len(nodes.levels):
            nodes = FoundNodes(*(np.concatenate([array, np.empty_like(array)]) for array in nodes))
        depth, number, new_tests = search(chain, k, limit, level, depth, nodes, number, SLICE, task.progress.stop)
        tests += new_tests
        share, parts = unseen(chain, level, depth, task.lattice.names)
        seen = max(seen, 1 - share)
        if depth < 0 or (time.monotonic() - started > time_limit and not task.progress.cancelled):
            break
        if offer is not None and number:
            levels = nodes.levels[:number]
            offer(lambda levels=levels: restored(chain, levels))  # type: ignore[misc]
    anonymity, agreeing = nodes.values[:number].T.copy()
    levels = restored(chain, nodes.levels[:number])
    return DiscoveredRules(levels, anonymity, agreeing / max(pairs, 1), tests, 1 - share, pairs, parts)


def in_words(part: Part) -> str:
    """Return a part of the lattice in words, for a note."""
    return ", ".join(
        f"{name} at level {low}" if low == high else f"{name} at levels {low} to {high}"
        for name, (low, high) in part.items()
    )


def need_decision(task: Task) -> str:
    if task.schema.decision is None:
        raise BadInput("roll-up rules need a decision column, and the schema names none")
    return task.schema.decision
