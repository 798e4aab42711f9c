"""Searches for roll-up rules: the most general nodes with few enough exceptions, and k against exceptions.

An exception is a pair of rows that agree at a node and were decided differently: n² - Σ n_d² over two in a class
with n_d rows of each decision. Exceptions only grow with generalization, as k does.

Attributes are fixed one after the other. A state is a list of cells: the class of the fixed attributes (`prefix`),
the tuple of the free ones at their finest (`suffix`), and the rows of each decision. Both are plain numbers, whatever
the number and size of the attributes, so no key ever outgrows 64 bits; `suffix_kernels.py` takes a suffix apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Int64s, Int64s2, UInt8s, helper, kernel, stopped
from fairveil.counting.kernels.group_by import table_bits
from fairveil.counting.kernels.rolling_up import widen
from fairveil.methods.rollup.suffix_kernels import RAISED, Chain, Scratch, next_after, number_keys


class FoundNodes(NamedTuple):
    """Working memory for the nodes that a search finds: their levels, and the k and the exceptions of each."""

    levels: Int64s2
    values: Int64s2


class PrefixPath(NamedTuple):
    """The cells of each depth, from start[depth] to end[depth], and facts about the classes there."""

    prefix: Int64s
    suffix: Int64s
    counts: Int64s  # cell, decision; flat
    start: Int64s
    end: Int64s
    classes: Int64s
    exceptions: Int64s
    smallest: Int64s


@helper
def _facts(counts, groups, kinds):
    """Return the pairs of rows in one group with different decisions, and the rows of the smallest group."""
    pairs, smallest = np.int64(0), np.int64(0)
    for g in range(groups):
        rows = same = np.int64(0)
        for d in range(kinds):
            c = counts[g * kinds + d]
            rows += c
            same += c * c
        pairs += rows * rows - same
        if g == 0 or rows < smallest:
            smallest = rows
    return pairs // 2, smallest


@helper
def _add_up(counts, n, groups, kinds, totals):
    """Add the counts of n cells to those of their groups."""
    if kinds == 2:  # by far the most frequent case, and worth its own loop
        for i in range(n):
            totals[2 * groups[i]] += counts[2 * i]
            totals[2 * groups[i] + 1] += counts[2 * i + 1]
        return
    for i in range(n):
        for d in range(kinds):
            totals[groups[i] * kinds + d] += counts[i * kinds + d]


@helper
def _begin(chain):
    """Return the path with nothing fixed, where every tuple of all attributes is a cell, and working memory."""
    n, m, kinds = chain.layers.tuples[0, 0], len(chain.tops), chain.kinds
    scratch = Scratch(
        np.empty(n + 1, np.int64), np.empty(n + 1, np.int64), np.empty(n + 1, np.int64), np.empty(n + 1, np.int64),
        np.empty(n + 1, np.int64), np.empty(n + 1, np.int64), np.empty(1 << table_bits(n), dtype=np.int32),
    )  # fmt: skip
    path = PrefixPath(
        np.zeros(2 * n, np.int64), np.empty(2 * n, np.int64), np.zeros(2 * n * kinds, np.int64),
        np.zeros(m + 1, np.int64), np.zeros(m + 1, np.int64), np.zeros(m + 1, np.int64), np.zeros(m + 1, np.int64),
        np.zeros(m + 1, np.int64),
    )  # fmt: skip
    for i in range(n):
        path.suffix[i] = i
    for i in range(n * kinds):
        path.counts[i] = chain.counts[i]
    path.end[0], path.classes[0] = n, 1
    return path, scratch


@helper
def _fix(depth, level, chain, path, scratch):
    """Fix attribute `depth` at its level, the free ones absent: compute the class of each cell, and the classes' facts.

    An absent attribute leaves the classes unchanged.
    """
    start, n = path.start[depth], path.end[depth] - path.start[depth]
    keys, classes, kinds = scratch.keys, scratch.classes, chain.kinds
    prefix, suffix = path.prefix, path.suffix
    if level[depth] == chain.tops[depth] and depth > 0:
        for i in range(n):
            classes[i] = prefix[start + i]
        path.classes[depth + 1] = path.classes[depth]
        path.exceptions[depth + 1] = path.exceptions[depth]
        path.smallest[depth + 1] = path.smallest[depth]
        return
    layers, layer = chain.layers, min(depth, RAISED)
    codes = layers.codes[layer, layers.offsets[layer, depth] :]
    lookup, domain = chain.lookups[depth, level[depth]], chain.domains[depth, level[depth]]
    for i in range(n):
        keys[i] = prefix[start + i] * domain + lookup[codes[suffix[start + i]]]
    groups = number_keys(keys, n, path.classes[depth] * domain, scratch.slots, scratch.firsts, classes)
    totals = np.zeros(groups * kinds, dtype=np.int64)
    _add_up(path.counts[start * kinds :], n, classes, kinds, totals)
    path.classes[depth + 1] = groups
    path.exceptions[depth + 1], path.smallest[depth + 1] = _facts(totals, groups, kinds)


@helper
def _merge(depth, level, chain, path, scratch):
    """Compute the cells of depth + 1: those that `_fix` leaves, with the free attributes at their finest.

    Returns the path, larger if it was too short, and the exceptions among these cells.
    """
    after, tuples = next_after(depth, level, chain, scratch)
    start, begin, kinds = path.start[depth], path.end[depth], chain.kinds
    n = begin - start
    prefix, suffix = widen(path.prefix, begin, begin + n), widen(path.suffix, begin, begin + n)
    counts = widen(path.counts, begin * kinds, (begin + n) * kinds)
    keys, ids, classes = scratch.keys, scratch.ids, scratch.classes
    for i in range(n):
        keys[i] = classes[i] * tuples + after[suffix[start + i]]
    cells = number_keys(keys, n, path.classes[depth + 1] * tuples, scratch.slots, scratch.firsts, ids)
    merged = counts[begin * kinds : (begin + cells) * kinds]
    for i in range(cells * kinds):
        merged[i] = 0
    for i in range(n):
        to = begin + ids[i]
        prefix[to] = classes[i]
        suffix[to] = after[suffix[start + i]]
    _add_up(counts[start * kinds :], n, ids, kinds, merged)
    path.start[depth + 1] = begin
    path.end[depth + 1] = begin + cells
    wider = PrefixPath(prefix, suffix, counts, path.start, path.end, path.classes, path.exceptions, path.smallest)
    return wider, _facts(merged, cells, kinds)[0]


@helper
def _note(nodes, position, level, depth, path, tops):
    """Record the node with these levels up to `depth` and all other attributes absent."""
    for a in range(len(tops)):
        nodes.levels[position, a] = level[a] if a <= depth else tops[a]
    nodes.values[position, 0], nodes.values[position, 1] = path.smallest[depth + 1], path.exceptions[depth + 1]


@helper
def _dominated(rules, number, level, depth, tops):
    """Whether a rule found before is at least as general as every node with these levels up to `depth`."""
    for r in range(number):
        a = 0
        while a < len(tops) and rules.levels[r, a] >= (level[a] if a <= depth else tops[a]):
            a += 1
        if a == len(tops):
            return True
    return False


@helper
def _beaten(stairs, number, k, pairs):
    """Whether one of the points is as good in both anonymity and exceptions."""
    s = 0
    while s < number and (stairs.values[s, 0] < k or stairs.values[s, 1] > pairs):
        s += 1
    return s < number


@helper
def _add_stair(stairs, number, level, depth, path, tops):
    """Add a point unless another one is as good in both; remove those that it dominates. Returns their number."""
    k, pairs = path.smallest[depth + 1], path.exceptions[depth + 1]
    if _beaten(stairs, number, k, pairs):
        return number
    position = 0
    for s in range(number):
        if not (stairs.values[s, 0] <= k and stairs.values[s, 1] >= pairs):
            stairs.values[position, 0], stairs.values[position, 1] = stairs.values[s, 0], stairs.values[s, 1]
            for a in range(len(tops)):
                stairs.levels[position, a] = stairs.levels[s, a]
            position += 1
    _note(stairs, position, level, depth, path, tops)
    return position + 1


@kernel
def search(
    chain: Chain,
    k: int,
    limit: int,
    level: Int64s,
    depth: int,
    nodes: FoundNodes,
    number: int,
    work: int,
    stop: UInt8s,
) -> tuple[int, int, int]:
    """Find nodes with k rows in every class, depth first from the top down.

    With a `limit` of exceptions: the most general nodes within it. A prefix is out if it has more with the free
    attributes at their finest. If it has no more with them absent, that node is a rule, and everything below it is more
    special. Levels fall lexicographically, so what is more general than a node is met before it: a rule that no earlier
    one dominates is final.

    With a limit of -1: the trade-off, that is, the nodes that none beats in both anonymity and exceptions, one node per
    point. In a subtree no class is larger than with the free attributes absent, and no node has fewer exceptions than
    with them at their finest: a point that is as good as both bounds makes the subtree superfluous.

    `level` and `depth` say where to continue, and where the search stopped because `work` (cells touched) or the room
    for nodes was used up, or `stop` was set. Nodes join the `number` of them found before. Returns (depth, number,
    tests made); the depth is -1 when the search is complete.
    """
    tops = chain.tops
    path, scratch = _begin(chain)
    tests = 0
    resume, depth = depth, 0
    while depth >= 0:
        replay = depth < resume
        if not replay:
            resume = 0
            if level[depth] < chain.layers.floors[min(depth, RAISED), depth]:
                depth -= 1
                if depth >= 0:
                    level[depth] -= 1
                continue
            if limit >= 0 and _dominated(nodes, number, level, depth, tops):
                level[depth] = -1
                continue
            if work < 0 or stopped(stop) or number == len(nodes.levels):
                break
        _fix(depth, level, chain, path, scratch)
        if not replay:  # the way back to where the last slice ended is free, so that every slice gets on
            work -= path.end[depth] - path.start[depth]
            tests += 1
            if path.smallest[depth + 1] < k:  # and so are all lower levels
                level[depth] = -1
                continue
            if limit < 0:
                number = _add_stair(nodes, number, level, depth, path, tops)
            elif path.exceptions[depth + 1] <= limit:
                _note(nodes, number, level, depth, path, tops)
                number += 1
                level[depth] = -1
                continue
            if depth == len(tops) - 1:
                level[depth] -= 1
                continue
        path, fine = _merge(depth, level, chain, path, scratch)
        if not replay:
            out = _beaten(nodes, number, path.smallest[depth + 1], fine) if limit < 0 else fine > limit
            if out:
                level[depth] -= 1
                continue
            level[depth + 1] = tops[depth + 1]
        depth += 1
    return depth, number, tests
