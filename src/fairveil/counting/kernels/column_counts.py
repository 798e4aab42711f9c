"""Counts of the last attributes of a lattice, which have few values together, as columns of a dense table.

Grouping takes a hash table per row; adding up columns takes none, and processors do it several at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Int32s2, Int64s, Int64s2, helper, kernel
from fairveil.counting.kernels.group_by import KeyCounts, number, table_bits
from fairveil.counting.kernels.rolling_up import Packed


class Columns(NamedTuple):
    """The last attributes of a lattice as columns, one per combination of their values.

    The nodes of these attributes alone (`levels`) are sorted so that the first has all at their floor and each is
    rolled up from one before it (`source`); `start` and `width` say which columns of the working memory it takes.
    """

    counts: Int32s2  # packed key, column: the rows with both
    levels: Int64s2  # node, attribute: its level
    source: Int64s
    start: Int64s
    width: Int64s
    target: Int32s2  # node, column of its source: its column


BLOCK = 128
"""Rows whose columns are added at a time: the columns of all nodes should fit into the processor's first cache."""


@kernel
def tally_columns(packed: Packed, first: int, sizes: Int64s) -> tuple[KeyCounts, Int32s2]:
    """Return the distinct keys of the attributes before `first`, in order of first appearance, with their rows, and
    the rows of each by column: one per combination of the codes of the others, of which each has so many."""
    n = len(packed.keys)
    own = (np.int64(1) << packed.shifts[first]) - 1
    keys, ids, firsts = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        keys[i] = packed.keys[i] & own
    groups = number(keys, n, np.empty(1 << table_bits(n), dtype=np.int32), firsts, ids)
    width = 1
    for size in sizes:
        width *= size
    tally = KeyCounts(np.empty(groups, np.int64), np.zeros(groups, np.int64))
    counts = np.zeros((groups, width), dtype=np.int32)
    for group in range(groups):
        tally.keys[group] = keys[firsts[group]]
    for i in range(n):
        column = 0
        for a in range(len(sizes)):
            field = (np.int64(1) << packed.bits[first + a]) - 1
            column = column * sizes[a] + ((packed.keys[i] >> packed.shifts[first + a]) & field)
        tally.rows[ids[i]] += packed.counts[i]
        counts[ids[i], column] += packed.counts[i]
    return tally, counts


@helper
def copied_parts(columns):
    """Return the columns' counts, key by key, with room for as many again: the parts of a stack of cells."""
    n, width = len(columns.counts), columns.counts.shape[1]
    parts = np.empty(2 * n * width, dtype=np.int32)
    for i in range(n):
        for c in range(width):
            parts[i * width + c] = columns.counts[i, c]
    return parts


@helper
def small_parts(parts, begin, groups, width, k, budget):
    """Return the rows in classes of fewer than k, given `width` classes per group; any number above the budget may
    stand for all above it."""
    least = np.int32(min(k, 2147483647))
    small = 0
    for i in range(begin, begin + groups):
        for c in range(i * width, (i + 1) * width):
            small += parts[c] if parts[c] < least else 0
        if small > budget:
            break
    return small


@helper
def working_columns(columns):
    """Return working memory for the columns of all nodes of the last attributes, for a block of groups."""
    nodes = len(columns.source)
    return np.empty((columns.start[nodes - 1] + columns.width[nodes - 1], BLOCK), dtype=np.int32)


@helper
def fill_columns(parts, begin, number, width, columns, needed, work):
    """Compute the columns of the nodes of the last attributes that are needed, for some groups."""
    for c in range(width):
        for i in range(number):
            work[c, i] = parts[(begin + i) * width + c]
    for t in range(1, len(columns.source)):
        if not needed[t]:
            continue
        start, source = columns.start[t], columns.source[t]
        for c in range(start, start + columns.width[t]):
            into = work[c]
            for i in range(number):
                into[i] = 0
        for c in range(columns.width[source]):
            into, origin = work[start + columns.target[t, c]], work[columns.start[source] + c]
            for i in range(number):
                into[i] += origin[i]


@helper
def small_by_node(parts, begin, groups, width, columns, k, budget, needed, work, sums, small):
    """Count the rows in classes of fewer than k for every node of the last attributes; exact unless above the
    budget."""
    least = np.int32(min(k, 2147483647))
    nodes = len(columns.source)
    for t in range(nodes):
        small[t] = 0
    for first in range(0, groups, BLOCK):
        number = min(BLOCK, groups - first)
        fill_columns(parts, begin + first, number, width, columns, needed, work)
        undecided = False
        for t in range(nodes):
            if small[t] > budget:
                continue
            for i in range(number):
                sums[i] = 0
            for c in range(columns.start[t], columns.start[t] + columns.width[t]):
                column = work[c]
                for i in range(number):
                    sums[i] += column[i] if column[i] < least else 0
            for i in range(number):
                small[t] += sums[i]
            undecided = undecided or small[t] <= budget
        if not undecided:
            break
