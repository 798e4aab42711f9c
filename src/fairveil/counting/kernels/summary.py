"""What the measures need to know of many lattice nodes, in one compiled pass.

Nodes come sorted in search order, so neighbours share a prefix: the cells rolled up to that prefix are kept on
a stack and each node starts from the longest one it shares with the node before.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fairveil.counting.kernels.grouping import group_sum, slot, table_bits
from fairveil.counting.kernels.lattice import regroup, widen

# columns of the result
KEPT, CLASSES, SMALLEST, LARGEST, SQUARES, CUBES, GAPS, UNIQUE, EXPOSED, MINORITY = range(10)
FIELDS = 10


@njit(cache=True, nogil=True)
def summarize(
    keys, counts, shifts, bits, decision_bits, lookups, floors, tops, nodes, k, exposed, penalties, with_gain, with_gaps
):
    """Statistics of each node: (n, FIELDS) over classes of at least k rows, penalties (n, p, m), and gains.

    gains (n, m + 1): what each published column, and all together, tell of the decision, in bits.

    The decision sits in the lowest `decision_bits` of a key. penalties[p, a, l, code] is what a row pays that is
    published with this code of attribute a at level l; the result is what the suppressed rows would have paid,
    because they are few, and often none. GAPS, which takes a sort, is NaN unless asked for.
    """
    m = len(shifts)
    kinds = penalties.shape[0]
    total = len(nodes)
    stats = np.zeros((total, FIELDS))
    spared = np.zeros((total, kinds, m))
    gains = np.full((total, m + 1), np.nan)
    n = len(keys)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    arena_keys, arena_counts = np.empty(3 * n, dtype=np.int64), np.empty(3 * n, dtype=np.int64)
    arena_keys[:n] = keys
    arena_counts[:n] = counts
    start = np.zeros(m + 1, dtype=np.int64)
    end = np.zeros(m + 1, dtype=np.int64)
    end[0] = n
    class_keys = np.empty(n, dtype=np.int64)
    class_rows = np.empty(n, dtype=np.int64)
    class_most = np.empty(n, dtype=np.int64)
    class_of = np.empty(n, dtype=np.int64)
    dropped = np.empty(n, dtype=np.int64)
    decisions = np.int64(1) << decision_bits
    quasi_bits = ~(decisions - 1)
    seen = np.zeros((m, penalties.shape[3], decisions + 1 if with_gain else 0))
    for i in range(total):
        depth = 0
        if i > 0:
            while depth < m and nodes[i, depth] == nodes[i - 1, depth]:
                depth += 1
        for a in range(depth, m):
            if nodes[i, a] == floors[a]:
                start[a + 1], end[a + 1] = start[a], end[a]
                continue
            begin = end[a]
            need = begin + end[a] - start[a]
            arena_keys, arena_counts = widen(arena_keys, begin, need), widen(arena_counts, begin, need)
            groups = regroup(
                arena_keys, arena_counts, start[a], end[a], np.int64(-1), shifts[a], bits[a],
                lookups[a, nodes[i, a]], arena_keys[begin:], arena_counts[begin:], slots,
            )  # fmt: skip
            start[a + 1] = begin
            end[a + 1] = begin + groups
        low, high = start[m], end[m]
        classes = _classes(
            arena_keys, arena_counts, low, high, quasi_bits, class_keys, class_rows, class_most, class_of, slots
        )
        out = _totals(class_rows, class_most, classes, k, exposed, stats[i], dropped)
        if out:
            _spare(class_keys, class_rows, dropped[:out], shifts, bits, tops, nodes[i], penalties, spared[i])
        stats[i, GAPS] = size_gaps(class_rows[:classes], k) if with_gaps else np.nan
        if with_gain:
            _gains(
                arena_keys, arena_counts, low, high, shifts, bits, decisions, class_of, class_rows, k, seen, gains[i]
            )
    return stats, spared, gains


@njit(cache=True, nogil=True)
def _totals(class_rows, class_most, classes, k, exposed, out, dropped):
    """The statistics of one node; the classes below k go into `dropped`, and their number comes back."""
    kept, number, smallest, largest = 0, 0, 0, 0
    squares, cubes = 0.0, 0.0
    unique, at_risk, minority, gone = 0, 0, 0, 0
    for c in range(classes):
        rows = class_rows[c]
        if rows < k:
            dropped[gone] = c
            gone += 1
            continue
        if smallest == 0 or rows < smallest:
            smallest = rows
        largest = max(largest, rows)
        kept += rows
        number += 1
        squares += float(rows) * rows
        cubes += float(rows) * rows * rows
        if rows < exposed:
            at_risk += rows
            unique += rows == 1
        minority += rows - class_most[c]
    out[KEPT], out[CLASSES], out[SMALLEST], out[LARGEST] = kept, number, smallest, largest
    out[SQUARES], out[CUBES], out[UNIQUE], out[EXPOSED], out[MINORITY] = squares, cubes, unique, at_risk, minority
    return gone


@njit(cache=True, nogil=True)
def _spare(class_keys, class_rows, dropped, shifts, bits, tops, node, penalties, out):
    """What the suppressed classes would have paid: nothing at level 0, the same for all at the top."""
    rows = 0
    for c in dropped:
        rows += class_rows[c]
    for a in range(len(shifts)):
        level = node[a]
        if level == 0:
            continue
        field = (np.int64(1) << bits[a]) - 1
        for p in range(penalties.shape[0]):
            cost = penalties[p, a, level]
            if level == tops[a]:
                out[p, a] = rows * cost[0]
                continue
            paid = 0.0
            for c in dropped:
                paid += class_rows[c] * cost[(class_keys[c] >> shifts[a]) & field]
            out[p, a] = paid


@njit(cache=True, nogil=True)
def size_gaps(sizes, k):
    """Σ nᵢnⱼ|nᵢ-nⱼ| over pairs of classes of at least k: how unlike the class sizes of all pairs of rows are."""
    total = 0.0
    rows = 0.0
    squares = 0.0
    for size in np.sort(sizes):
        if size >= k:
            n = float(size)
            total += 2.0 * n * (n * rows - squares)
            rows += n
            squares += n * n
    return total


@njit(cache=True, nogil=True)
def _classes(keys, counts, low, high, quasi_bits, class_keys, class_rows, class_most, class_of, slots):
    """Cells low..high (one per class and decision) to classes: key, rows, rows of the most frequent decision."""
    n = high - low
    for i in range(n):
        class_keys[i] = keys[low + i] & quasi_bits
        class_rows[i] = counts[low + i]
    if quasi_bits == -1:  # no decision: a cell is a class
        class_most[:n] = class_rows[:n]
        return n
    groups = group_sum(class_keys[:n], class_rows[:n], class_keys, class_rows, slots)
    # the slots still hold the group of each key, so the way from cell to class needs no second table
    bits = table_bits(n)
    last = (1 << bits) - 1
    class_most[:groups] = 0
    for i in range(n):
        key = keys[low + i] & quasi_bits
        place = slot(key, bits)
        while class_keys[slots[place]] != key:
            place = (place + 1) & last
        group = slots[place]
        class_of[i] = group
        class_most[group] = max(class_most[group], counts[low + i])
    return groups


@njit(cache=True, nogil=True)
def _gains(keys, counts, low, high, shifts, bits, decisions, class_of, class_rows, k, seen, out):
    """Information gain of the decision, per column and for all columns together, over the classes that are kept.

    `seen[a, code, d]` counts rows, `seen[a, code, decisions]` all of a code; it is all zero before and after.
    """
    m = len(shifts)
    per_decision = np.zeros(decisions)
    kept = 0.0
    joint = 0.0
    for i in range(high - low):
        if class_rows[class_of[i]] < k:
            continue
        key, rows = keys[low + i], float(counts[low + i])
        d = key & (decisions - 1)
        kept += rows
        per_decision[d] += rows
        joint += rows * np.log2(rows / class_rows[class_of[i]])
        for a in range(m):
            code = (key >> shifts[a]) & ((np.int64(1) << bits[a]) - 1)
            seen[a, code, d] += rows
            seen[a, code, decisions] += rows
    out[:] = 0.0
    if kept == 0.0:
        return
    prior = 0.0
    for d in range(decisions):
        if per_decision[d] > 0:
            prior -= per_decision[d] / kept * np.log2(per_decision[d] / kept)
    out[m] = prior + joint / kept
    for a in range(m):
        after = 0.0
        for i in range(high - low):
            if class_rows[class_of[i]] < k:
                continue
            key = keys[low + i]
            code = (key >> shifts[a]) & ((np.int64(1) << bits[a]) - 1)
            if seen[a, code, decisions] > 0:
                for d in range(decisions):
                    if seen[a, code, d] > 0:
                        after += seen[a, code, d] * np.log2(seen[a, code, d] / seen[a, code, decisions])
                seen[a, code, :] = 0.0
        out[a] = prior + after / kept
