"""The statistics of many lattice nodes whose last attributes are columns: the same as `node_summary`, several classes
at a time, without what needs a decision or sorted sizes.

Nodes come sorted in search order. Those that share the levels of the first attributes are computed from the same cells,
in which the other attributes are at the lowest level that one of these nodes has.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.column_counts import BLOCK, Columns, copied_parts, fill_columns, working_columns
from fairveil.counting.kernels.compiling import (
    Float64s,
    Float64s2,
    Float64s3,
    Float64s4,
    Int32s,
    Int64s,
    Int64s2,
    UInt8s,
    helper,
    kernel,
    stopped,
)
from fairveil.counting.kernels.group_by import table_bits
from fairveil.counting.kernels.node_summary import (
    CLASSES,
    CUBES,
    EXPOSED,
    FIELDS,
    GAPS,
    KEPT,
    LARGEST,
    SMALLEST,
    SQUARES,
    UNIQUE,
)
from fairveil.counting.kernels.rolling_up import Packed, changes, regroup, stack_on, widen, widened

MAX_COUNT = 2147483647


class BlockSums(NamedTuple):
    """Working memory for the classes of a block: one entry per row."""

    sizes: Int32s  # of the classes of one column; 0 if below k
    kept: Int32s
    classes: Int32s
    smallest: Int32s
    largest: Int32s
    squares: Float64s
    cubes: Float64s
    dropped: Int64s  # the rows of the block that lose some, and how many
    lost: Int64s
    paid: Float64s  # by each attribute of the keys


@kernel
def summarize_columns(
    packed: Packed,
    columns: Columns,
    sizes: Int64s2,
    nodes: Int64s2,
    column_nodes: Int64s,
    penalties: Float64s4,
    k: int,
    exposed: int,
    stop: UInt8s,
) -> tuple[Float64s2, Float64s3]:
    """Return the statistics of each node, (n, FIELDS), over classes of at least k rows, and what the rows of the others
    would have paid, (n, p, attributes); `penalties` and `exposed` are as for `node_summary.summarize`, but there may be
    none (p = 0), and penalties of the attributes of the keys are by code at the floor.

    sizes: the codes of each attribute that is in columns, on every level
    column_nodes: the node of these attributes alone that each node contains
    """
    m, width = len(packed.floors), columns.counts.shape[1]
    n, total = len(packed.keys), len(nodes)
    least = np.int32(min(max(k, 1), MAX_COUNT))
    stats = np.zeros((total, FIELDS))
    spared = np.zeros((total, penalties.shape[0], nodes.shape[1]))
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    cells, parts, work = stack_on(packed), copied_parts(columns), working_columns(columns)
    start, end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    end[0] = n
    lows = np.empty((m + 1, m), dtype=np.int64)
    for a in range(m):
        lows[0, a] = packed.floors[a]
    which, needed = np.empty(m, dtype=np.int64), np.zeros(len(columns.source), dtype=np.uint8)
    block = BlockSums(
        np.empty(BLOCK, np.int32), np.empty(BLOCK, np.int32), np.empty(BLOCK, np.int32), np.empty(BLOCK, np.int32),
        np.empty(BLOCK, np.int32), np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK, np.int64),
        np.empty(BLOCK, np.int64), np.empty(m),
    )  # fmt: skip
    first, last = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)  # the nodes of a depth
    last[0] = total
    rolled, before = np.zeros(m, dtype=np.bool_), np.empty(m, dtype=np.int64)  # whether the cells of a depth are there
    depth = 0
    while depth >= 0 and not stopped(stop):
        begin = first[depth]
        if begin == last[depth]:
            depth -= 1
            continue
        until = begin + 1
        while until < last[depth] and nodes[until, depth] == nodes[begin, depth]:
            until += 1
        first[depth] = until
        low, high = start[depth], end[depth]
        now = lows[depth]
        if rolled[depth] and not_above(lows[depth + 1], nodes, begin, until):
            low, high = start[depth + 1], end[depth + 1]
            now = lows[depth + 1]
        for a in range(m):
            before[a] = now[a]
        lowest_of(nodes, begin, until, lows[depth + 1])
        rolled[depth] = True
        keep, changed = changes(packed, before, lows[depth + 1], 0, which)
        start[depth + 1], end[depth + 1] = low, high
        if keep != -1:
            need = high + high - low
            cells, parts = widened(cells, high, need), widen(parts, high * width, need * width)
            start[depth + 1] = high
            end[depth + 1] = regroup(
                cells, parts, width, low, high, packed, lows[depth + 1], keep, which, changed, cells, parts, high,
                slots,
            )  # fmt: skip
        if depth < m - 1:
            depth += 1
            first[depth], last[depth], rolled[depth] = begin, until, False
            continue
        mark_needed(columns.source, column_nodes, begin, until, needed)
        for row in range(start[m], end[m], BLOCK):
            number = min(BLOCK, end[m] - row)
            fill_columns(parts, row, number, width, columns, needed, work)
            for i in range(begin, until):
                add_node(cells, row, number, work, packed, columns, sizes, nodes[i], column_nodes[i], penalties, least,
                         exposed, block, stats[i], spared[i])  # fmt: skip
    for i in range(total):
        stats[i, GAPS] = np.nan
    return stats, spared


@helper
def lowest_of(nodes, begin, until, lows):
    """Write the lowest level of each attribute in the nodes from begin to until."""
    for a in range(len(lows)):
        lows[a] = nodes[begin, a]
        for i in range(begin + 1, until):
            lows[a] = min(lows[a], nodes[i, a])


@helper
def not_above(levels, nodes, begin, until):
    """Whether none of the levels is above that of one of the nodes from begin to until."""
    for a in range(len(levels)):
        for i in range(begin, until):
            if nodes[i, a] < levels[a]:
                return False
    return True


@helper
def add_node(
    cells, begin, number, work, packed, columns, sizes, node, column_node, penalties, least, exposed, block, out, spared
):
    """Add the statistics of one node for a block of rows, and what those rows would have paid that it drops."""
    start, width = columns.start[column_node], columns.width[column_node]
    add_block(work, start, width, number, least, block, out)
    if least < exposed:
        add_exposed(work, start, width, number, least, exposed, out)
    if penalties.shape[0] == 0:
        return
    dropped = 0
    for row in range(number):
        lost = cells.rows[begin + row] - block.kept[row]
        if lost > 0:
            block.dropped[dropped], block.lost[dropped] = row, lost
            dropped += 1
    if dropped > 0:
        pay(cells.keys[begin:], dropped, block, packed, node, penalties, spared)
        pay_columns(work, start, width, number, least, sizes, node, len(packed.floors), penalties, spared)


@helper
def mark_needed(source, column_nodes, first, last, needed):
    """Mark the nodes of the attributes in columns that the nodes from first to last contain, and all these need."""
    for t in range(len(needed)):
        needed[t] = 0
    for i in range(first, last):
        needed[column_nodes[i]] = 1
    for t in range(len(needed) - 1, 0, -1):  # a source comes before what is rolled up from it
        if needed[t]:
            needed[source[t]] = 1


@helper
def add_block(work, start, width, number, least, block, out):
    """Add the statistics of the classes of at least k rows in these columns; `block.kept` has their rows afterwards."""
    for i in range(number):
        block.kept[i] = 0
        block.classes[i] = 0
        block.smallest[i] = MAX_COUNT
        block.largest[i] = 0
        block.squares[i] = 0.0
        block.cubes[i] = 0.0
    for c in range(start, start + width):
        column = work[c]
        for i in range(number):
            block.sizes[i] = column[i] if column[i] >= least else 0
        for i in range(number):
            block.kept[i] += block.sizes[i]
        for i in range(number):
            block.classes[i] += 1 if block.sizes[i] > 0 else 0
        for i in range(number):
            block.largest[i] = max(block.largest[i], block.sizes[i])
        for i in range(number):
            size = block.sizes[i] if block.sizes[i] > 0 else np.int32(MAX_COUNT)
            block.smallest[i] = min(block.smallest[i], size)
        for i in range(number):
            block.squares[i] += float(block.sizes[i]) * float(block.sizes[i])
        for i in range(number):
            block.cubes[i] += float(block.sizes[i]) * float(block.sizes[i]) * float(block.sizes[i])
    kept, classes, smallest, largest = 0, 0, np.int64(MAX_COUNT), 0
    squares, cubes = 0.0, 0.0
    for i in range(number):
        kept += block.kept[i]
        classes += block.classes[i]
        smallest = min(smallest, np.int64(block.smallest[i]))
        largest = max(largest, np.int64(block.largest[i]))
        squares += block.squares[i]
        cubes += block.cubes[i]
    if classes > 0:
        out[SMALLEST] = smallest if out[CLASSES] == 0 else min(out[SMALLEST], float(smallest))
    out[KEPT] += kept
    out[CLASSES] += classes
    out[LARGEST] = max(out[LARGEST], float(largest))
    out[SQUARES] += squares
    out[CUBES] += cubes


@helper
def add_exposed(work, start, width, number, least, exposed, out):
    """Add the rows in small classes of at least k rows, and the classes of one row."""
    for c in range(start, start + width):
        for i in range(number):
            size = work[c, i]
            if size >= least and size < exposed:
                out[EXPOSED] += size
                out[UNIQUE] += 1 if size == 1 else 0


@helper
def pay(keys, dropped, block, packed, node, penalties, out):
    """Add what the dropped rows would have paid by the attributes of the keys: nothing at level 0."""
    m = len(packed.floors)
    for p in range(penalties.shape[0]):
        paid = block.paid
        for a in range(m):
            paid[a] = 0.0
        for d in range(dropped):  # attributes inside: their sums do not wait for each other
            key, lost = keys[block.dropped[d]], float(block.lost[d])
            for a in range(m):
                code = (key >> packed.shifts[a]) & ((np.int64(1) << packed.bits[a]) - 1)
                paid[a] += lost * penalties[p, a, node[a], code]
        for a in range(m):
            if node[a] > 0:
                out[p, a] += paid[a]


@helper
def pay_columns(work, start, width, number, least, sizes, node, m, penalties, out):
    """The same by the attributes in columns: m and those after it."""
    for c in range(width):
        lost = 0
        for i in range(number):
            lost += work[start + c, i] if work[start + c, i] < least else 0
        if lost == 0:
            continue
        rest = c
        for a in range(len(node) - 1, m - 1, -1):
            level = node[a]
            code = rest % sizes[a - m, level]
            rest = rest // sizes[a - m, level]
            for p in range(penalties.shape[0]):
                out[p, a] += lost * penalties[p, a, level, code]
