"""Searches for roll-up rules: the most general nodes with few enough exceptions, and k against exceptions.

An exception is a pair of rows that agree at a node and were decided differently: n² - Σ n_d² over two in a class
with n_d rows of each decision. Exceptions only grow with generalization, as k does.

Attributes are fixed one after the other. A state is a list of cells: the class of the fixed attributes (`prefix`),
the tuple of the free ones at their finest (`suffix`), and the rows of each decision. Both are plain numbers, whatever
the number and size of the attributes, so no key ever outgrows 64 bits; `suffixes.py` takes a suffix apart.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fairveil.counting.kernels.grouping import table_bits
from fairveil.counting.kernels.lattice import widen
from fairveil.counting.kernels.suffixes import RAISED, layered, next_after, number_keys

FINISHED, OUT_OF_WORK, OUT_OF_ROOM = range(3)


@njit(cache=True, nogil=True)
def _exceptions(counts, groups, kinds):
    """Pairs of rows in one group with different decisions."""
    pairs = 0
    for g in range(groups):
        rows = 0
        same = 0
        for d in range(kinds):
            c = counts[g * kinds + d]
            rows += c
            same += c * c
        pairs += rows * rows - same
    return pairs // 2


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _fix(prefix, suffix, counts, start, end, known, kinds, codes, lookup, domain, scratch, slots):
    """Fix one more attribute, the free ones absent: the class of each cell start…end, into scratch[4].

    `known` is how many classes there were. Returns (classes, exceptions, smallest class).
    """
    n = end - start
    keys, firsts, classes = scratch[0], scratch[1], scratch[4]
    for i in range(n):
        keys[i] = prefix[start + i] * domain + lookup[codes[suffix[start + i]]]
    found = number_keys(keys, n, known * domain, slots, firsts, classes)
    totals = np.zeros(found * kinds, dtype=np.int64)
    _add_up(counts[start * kinds :], n, classes, kinds, totals)
    smallest = np.int64(0)
    for g in range(found):
        rows = totals[g * kinds : (g + 1) * kinds].sum()
        if smallest == 0 or rows < smallest:
            smallest = rows
    return found, _exceptions(totals, found, kinds), smallest


@njit(cache=True, nogil=True)
def _begin(suffixes, counts0, kinds, m):
    """What a search holds: scratch, the cells of one depth after the other, and per depth their place and facts."""
    n = len(suffixes)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    scratch = np.empty((5, n + 1), dtype=np.int64)
    prefix, suffix = np.zeros(2 * n, dtype=np.int64), np.empty(2 * n, dtype=np.int64)
    counts = np.zeros(2 * n * kinds, dtype=np.int64)
    suffix[:n] = suffixes
    counts[: n * kinds] = counts0
    start, end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    end[0] = n
    classes, coarse, smallest = np.ones(m + 1, dtype=np.int64), np.zeros(m + 1, np.int64), np.zeros(m + 1, np.int64)
    return slots, scratch, prefix, suffix, counts, start, end, classes, coarse, smallest


@njit(cache=True, nogil=True)
def _next_classes(depth, layer, level, tops, prefix, suffix, counts, start, end, classes, coarse, smallest, kinds,
                  codes, offsets, lookups, domains, scratch, slots):  # fmt: skip
    """As `_fix`, for attribute `depth` at its level; one that is absent leaves the classes as they are."""
    if level[depth] == tops[depth] and depth > 0:
        scratch[4, : end[depth] - start[depth]] = prefix[start[depth] : end[depth]]
        return classes[depth], coarse[depth], smallest[depth]
    return _fix(
        prefix, suffix, counts, start[depth], end[depth], classes[depth], kinds, codes[layer, offsets[layer, depth] :],
        lookups[depth, level[depth]], domains[depth, level[depth]], scratch, slots,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _merge(prefix, suffix, counts, start, end, known, kinds, after, tuples, scratch, slots):
    """The cells that `_fix` leaves, with the free attributes at their finest: from `end` on.

    Returns the arrays, wider where they were too short, how many cells there are, and the exceptions among them.
    """
    n, begin = end - start, end
    prefix, suffix = widen(prefix, begin, begin + n), widen(suffix, begin, begin + n)
    counts = widen(counts, begin * kinds, (begin + n) * kinds)
    keys, firsts, ids, classes = scratch[0], scratch[1], scratch[2], scratch[4]
    for i in range(n):
        keys[i] = classes[i] * tuples + after[suffix[start + i]]
    cells = number_keys(keys, n, known * tuples, slots, firsts, ids)
    made = counts[begin * kinds : (begin + cells) * kinds]
    made[:] = 0
    for i in range(n):
        to = begin + ids[i]
        prefix[to] = classes[i]
        suffix[to] = after[suffix[start + i]]
    _add_up(counts[start * kinds :], n, ids, kinds, made)
    return prefix, suffix, counts, cells, _exceptions(made, cells, kinds)


@njit(cache=True, nogil=True)
def _dominated(found, number, level, depth, tops):
    """Whether a node found before is at least as general as every node with these levels up to `depth`."""
    m = len(tops)
    for f in range(number):
        above = True
        for a in range(depth + 1):
            if found[f, a] < level[a]:
                above = False
                break
        if above:
            for a in range(depth + 1, m):
                if found[f, a] != tops[a]:
                    above = False
                    break
        if above:
            return True
    return False


@njit(cache=True, nogil=True)
def border(suffixes, counts0, kinds, codes, after, offsets, tuples, lookups, domains, floors, tops, same, pairs, limit,
           k, level, depth, found, values, number, work):  # fmt: skip
    """The most general nodes of at least k with at most `limit` exceptions, by depth-first search from the top down.

    With the free attributes absent its classes must have k rows, and with them at their finest it must have few
    enough exceptions, else a prefix is out. Where it passes with them absent,
    that node is a rule, and everything below it is more special. Levels fall lexicographically, so what is more
    general than a node is met before it: a rule that no earlier one dominates is final.

    `level` and `depth` say where to go on, and where the search stopped when `work` (cells touched) was used up.
    Rules go to `found`, their k and exceptions to `values`. Returns (status, depth, rules found, tests made).
    """
    m = len(tops)
    slots, scratch, prefix, suffix, counts, start, end, classes, coarse, smallest = _begin(suffixes, counts0, kinds, m)
    tests = 0
    codes, after, offsets, tuples, floors = layered(codes, after, offsets, tuples, floors)
    resume, depth = depth, 0
    while depth >= 0:
        replay, layer = depth < resume, min(depth, RAISED)
        if not replay:
            resume = 0
            if level[depth] < floors[layer, depth]:
                depth -= 1
                if depth >= 0:
                    level[depth] -= 1
                continue
            if _dominated(found, number, level, depth, tops):
                level[depth] = -1
                continue
            if work < 0:
                return OUT_OF_WORK, depth, number, tests
        classes[depth + 1], coarse[depth + 1], smallest[depth + 1] = _next_classes(
            depth, layer, level, tops, prefix, suffix, counts, start, end, classes, coarse, smallest, kinds, codes,
            offsets, lookups, domains, scratch, slots,
        )  # fmt: skip
        if not replay:  # the way back to where the last slice ended is free, so that every slice gets on
            work -= end[depth] - start[depth]
            tests += 1
            if smallest[depth + 1] < k:  # and so are all lower levels
                level[depth] = -1
                continue
            if coarse[depth + 1] <= limit:
                if number == len(found):
                    return OUT_OF_ROOM, depth, number, tests
                found[number, : depth + 1] = level[: depth + 1]
                found[number, depth + 1 :] = tops[depth + 1 :]
                values[number, 0], values[number, 1] = smallest[depth + 1], coarse[depth + 1]
                number += 1
                level[depth] = -1
                continue
        rest, many = next_after(depth, level, pairs, same, codes, after, offsets, tuples, floors, scratch, slots)
        prefix, suffix, counts, cells, fine = _merge(
            prefix, suffix, counts, start[depth], end[depth], classes[depth + 1], kinds, rest, many, scratch, slots
        )
        if fine > limit and not replay:
            level[depth] -= 1
            continue
        depth += 1
        start[depth] = end[depth - 1]
        end[depth] = start[depth] + cells
        if not replay:
            level[depth] = tops[depth]
    return FINISHED, np.int64(0), number, tests


@njit(cache=True, nogil=True)
def _add_stair(stairs, stair_nodes, number, k, pairs, level, depth, tops):
    """Add a point unless one is as good in both; drop those that it beats. Returns how many there are."""
    for s in range(number):
        if stairs[s, 0] >= k and stairs[s, 1] <= pairs:
            return number
    left = 0
    for s in range(number):
        if not (stairs[s, 0] <= k and stairs[s, 1] >= pairs):
            stairs[left] = stairs[s]
            stair_nodes[left] = stair_nodes[s]
            left += 1
    stairs[left, 0] = k
    stairs[left, 1] = pairs
    stair_nodes[left, : depth + 1] = level[: depth + 1]
    stair_nodes[left, depth + 1 :] = tops[depth + 1 :]
    return left + 1


@njit(cache=True, nogil=True)
def tradeoff(suffixes, counts0, kinds, codes, after, offsets, tuples, lookups, domains, floors, tops, same, pairs, k,
             level, depth, stairs, stair_nodes, number, work):  # fmt: skip
    """The nodes of at least k that none beats in both anonymity and exceptions; one node per point.

    In a subtree no class is larger than without the free attributes, and no node has fewer exceptions than with
    them at their finest: a point that is as good as both bounds makes the subtree superfluous.
    Arguments and result as in `border`.
    """
    m = len(tops)
    slots, scratch, prefix, suffix, counts, start, end, classes, coarse, smallest = _begin(suffixes, counts0, kinds, m)
    tests = 0
    codes, after, offsets, tuples, floors = layered(codes, after, offsets, tuples, floors)
    resume, depth = depth, 0
    while depth >= 0:
        replay, layer = depth < resume, min(depth, RAISED)
        if not replay:
            resume = 0
            if level[depth] < floors[layer, depth]:
                depth -= 1
                if depth >= 0:
                    level[depth] -= 1
                continue
            if work < 0:
                return OUT_OF_WORK, depth, number, tests
            if number == len(stairs):
                return OUT_OF_ROOM, depth, number, tests
        classes[depth + 1], coarse[depth + 1], smallest[depth + 1] = _next_classes(
            depth, layer, level, tops, prefix, suffix, counts, start, end, classes, coarse, smallest, kinds, codes,
            offsets, lookups, domains, scratch, slots,
        )  # fmt: skip
        if not replay:  # the way back to where the last slice ended is free, so that every slice gets on
            work -= end[depth] - start[depth]
            tests += 1
            if smallest[depth + 1] < k:
                level[depth] = -1
                continue
            number = _add_stair(stairs, stair_nodes, number, smallest[depth + 1], coarse[depth + 1], level, depth, tops)
            if depth == m - 1:
                level[depth] -= 1
                continue
        rest, many = next_after(depth, level, pairs, same, codes, after, offsets, tuples, floors, scratch, slots)
        prefix, suffix, counts, cells, fine = _merge(
            prefix, suffix, counts, start[depth], end[depth], classes[depth + 1], kinds, rest, many, scratch, slots
        )
        if not replay:
            beaten = False
            for s in range(number):
                if stairs[s, 0] >= smallest[depth + 1] and stairs[s, 1] <= fine:
                    beaten = True
                    break
            if beaten:
                level[depth] -= 1
                continue
        depth += 1
        start[depth] = end[depth - 1]
        end[depth] = start[depth] + cells
        if not replay:
            level[depth] = tops[depth]
    return FINISHED, np.int64(0), number, tests
