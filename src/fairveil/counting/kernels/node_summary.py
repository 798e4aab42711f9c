"""The statistics that the measures need about many lattice nodes, in one compiled pass.

Nodes come sorted in search order, so neighbours share a prefix: the cells rolled up to that prefix are kept on a stack,
and each node starts from the longest prefix that it shares with the node before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.class_values import ValueSets, leave_out, roll_up_sets, sets_on
from fairveil.counting.kernels.compiling import (
    Float64s2,
    Float64s3,
    Float64s4,
    Int64s,
    Int64s2,
    UInt8s,
    helper,
    kernel,
    stopped,
)
from fairveil.counting.kernels.group_by import find, group_sum, table_bits
from fairveil.counting.kernels.rolling_up import Packed, roll_up, stack_on
from fairveil.counting.kernels.sorting import sort

# columns of the result
KEPT, CLASSES, SMALLEST, LARGEST, SQUARES, CUBES, GAPS, UNIQUE, EXPOSED, MINORITY = range(10)
FIELDS = 10


class NodeClasses(NamedTuple):
    """Working memory for the classes of one node."""

    keys: Int64s
    rows: Int64s  # negative if the class is left out
    majority: Int64s  # rows of the most frequent decision
    of_cell: Int64s
    dropped: Int64s  # the classes below k


@kernel
def summarize(
    packed: Packed,
    sets: ValueSets,
    decision_bits: int,
    nodes: Int64s2,
    penalties: Float64s4,
    k: int,
    exposed: int,
    with_gain: bool,
    with_gaps: bool,
    stop: UInt8s,
) -> tuple[Float64s2, Float64s3, Float64s2]:
    """Return statistics of each node: (n, FIELDS) over classes of at least k rows, penalties (n, p, m), and gains
    (n, m + 1), which are what each published column, and all together, tell of the decision, in bits.

    The decision sits in the lowest `decision_bits` of a key. penalties[p, a, l, code] is what a row pays that is
    published with this code of attribute a at level l; the result is what the suppressed rows would have paid,
    because they are few, and often none. GAPS, which takes a sort, is NaN unless asked for. If there are `sets`, of
    the same keys without the decision, classes with too few values, or in other shares than the rest, are suppressed,
    too.
    """
    m = len(packed.shifts)
    total = len(nodes)
    stats = np.zeros((total, FIELDS))
    spared = np.zeros((total, penalties.shape[0], m))
    gains = np.empty((total, m + 1))
    for i in range(total):
        for a in range(m + 1):
            gains[i, a] = np.nan
    n = len(packed.keys)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    cells = stack_on(packed)
    start, end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    end[0] = n
    values, out = sets_on(sets), np.empty(len(sets.keys), dtype=np.bool_)
    first, last = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)  # start and end of the sets
    last[0] = len(sets.keys)
    classes = NodeClasses(
        np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64),
        np.empty(n, np.int64),
    )  # fmt: skip
    decisions = np.int64(1) << decision_bits
    seen = np.zeros((m, penalties.shape[3], decisions + 1 if with_gain else 0))
    for i in range(total):
        if stopped(stop):
            break
        depth = 0
        if i > 0:
            while depth < m and nodes[i, depth] == nodes[i - 1, depth]:
                depth += 1
        cells = roll_up(cells, start, end, packed, nodes[i], depth, slots)
        low, high = start[m], end[m]
        number = _classes(cells, low, high, ~(decisions - 1), classes, slots)
        if last[0]:
            values = roll_up_sets(values, first, last, packed, nodes[i], depth, slots)
            leave_out(values, first[m], last[m], k, packed.counts.sum(), out)
            for c in range(number):  # both are in the order of first appearance
                if out[c]:
                    classes.rows[c] = -classes.rows[c]
        dropped = totals(classes, number, k, exposed, stats[i])
        if dropped:
            _spare(classes, dropped, packed, nodes[i], penalties, spared[i])
        if with_gain:
            _gains(cells, low, high, packed, decisions, classes, k, seen, gains[i])
        stats[i, GAPS] = size_gaps(classes.rows[:number], k) if with_gaps else np.nan
    return stats, spared, gains


@helper
def totals(classes, total, k, exposed, out):
    """Compute the statistics of one node; the classes below k are listed as dropped, and their number is returned."""
    kept, number, smallest, largest = 0, 0, 0, 0
    squares, cubes = 0.0, 0.0
    unique, at_risk, minority, gone = 0, 0, 0, 0
    for c in range(total):
        rows = classes.rows[c]
        if rows < k:
            classes.dropped[gone] = c
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
        minority += rows - classes.majority[c]
    out[KEPT], out[CLASSES], out[SMALLEST], out[LARGEST] = kept, number, smallest, largest
    out[SQUARES], out[CUBES], out[UNIQUE], out[EXPOSED], out[MINORITY] = squares, cubes, unique, at_risk, minority
    return gone


@helper
def _spare(classes, dropped, packed, node, penalties, out):
    """Add what the suppressed classes would have paid: nothing at level 0, the same for all at the top."""
    rows = 0
    for c in classes.dropped[:dropped]:
        rows += abs(classes.rows[c])
    for a in range(len(node)):
        level = node[a]
        if level == 0:
            continue
        field, shift = (np.int64(1) << packed.bits[a]) - 1, packed.shifts[a]
        for p in range(penalties.shape[0]):
            cost = penalties[p, a, level]
            if level == packed.tops[a]:
                out[p, a] = rows * cost[0]
                continue
            paid = 0.0
            for c in classes.dropped[:dropped]:
                paid += abs(classes.rows[c]) * cost[(classes.keys[c] >> shift) & field]
            out[p, a] = paid


@helper
def size_gaps(sizes, k):
    """Return Σ nᵢnⱼ|nᵢ-nⱼ| over pairs of classes of at least k; the sizes are sorted in place."""
    total = 0.0
    rows = 0.0
    squares = 0.0
    sort(sizes, len(sizes))
    for i in range(len(sizes)):
        if sizes[i] >= k:
            n = float(sizes[i])
            total += 2.0 * n * (n * rows - squares)
            rows += n
            squares += n * n
    return total


@helper
def _classes(cells, low, high, quasi_bits, classes, slots):
    """Group the cells low … high-1 (one per class and decision) into classes: key, rows, rows of the majority."""
    n = high - low
    keys, rows, majority = classes.keys, classes.rows, classes.majority
    for i in range(n):
        keys[i] = cells.keys[low + i] & quasi_bits
        rows[i] = cells.rows[low + i]
    if quasi_bits == -1:  # no decision: a cell is a class
        for i in range(n):
            majority[i] = rows[i]
        return n
    groups = group_sum(keys[:n], rows[:n], keys, rows, slots)
    # the slots still hold the group of each key, so the way from cell to class needs no second table
    bits = table_bits(n)
    for group in range(groups):
        majority[group] = 0
    for i in range(n):
        _, group = find(cells.keys[low + i] & quasi_bits, keys, slots, bits)
        classes.of_cell[i] = group
        majority[group] = max(majority[group], cells.rows[low + i])
    return groups


@helper
def _gains(cells, low, high, packed, decisions, classes, k, seen, out):
    """Compute the information gain of the decision, per column and of all columns together, over the kept classes.

    `seen[a, code, d]` counts rows, `seen[a, code, decisions]` all rows of a code; it is all zero before and after.
    """
    shifts, bits, class_of, class_rows = packed.shifts, packed.bits, classes.of_cell, classes.rows
    m = len(shifts)
    per_decision = np.zeros(decisions)
    kept = 0.0
    joint = 0.0
    for i in range(high - low):
        if class_rows[class_of[i]] < k:
            continue
        key, rows = cells.keys[low + i], float(cells.rows[low + i])
        d = key & (decisions - 1)
        kept += rows
        per_decision[d] += rows
        joint += rows * np.log2(rows / class_rows[class_of[i]])
        for a in range(m):
            code = (key >> shifts[a]) & ((np.int64(1) << bits[a]) - 1)
            seen[a, code, d] += rows
            seen[a, code, decisions] += rows
    for a in range(m + 1):
        out[a] = 0.0
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
            key = cells.keys[low + i]
            code = (key >> shifts[a]) & ((np.int64(1) << bits[a]) - 1)
            if seen[a, code, decisions] > 0:
                for d in range(decisions):
                    if seen[a, code, d] > 0:
                        after += seen[a, code, d] * np.log2(seen[a, code, d] / seen[a, code, decisions])
                for d in range(decisions + 1):
                    seen[a, code, d] = 0.0
        out[a] = prior + after / kept
