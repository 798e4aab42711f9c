"""Whole populations of free groupings evaluated in one compiled call.

A genome has one bit between neighbouring values of each attribute: 1 cuts, 0 joins them (Iyengar's encoding). The
group of a value is the number of cuts before it. Attributes are laid out in a few blocks: each cell holds one code
per block, and each genome turns a block into one small table of key parts, so that a class key is a sum of as many
look-ups as there are blocks. Keys are counted in an array where they are few enough, else in a hash table. NWP
needs no cells at all: it follows from the rows of each value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import (
    Bools2,
    Float64s,
    Float64s2,
    Int32s,
    Int64s,
    Int64s2,
    UInt8s,
    UInt16s2,
    helper,
    kernel,
    stopped,
)
from fairveil.counting.kernels.group_by import first_of_each, group_sum, table_bits
from fairveil.counting.kernels.node_summary import FIELDS, GAPS, MINORITY, SMALLEST, NodeClasses, size_gaps, totals

EFFECTIVE = MINORITY  # columns of the result: those of a summary, and this one in place of its last
DENSE = 1 << 18  # keys below this are counted in an array


class GenomeLayout(NamedTuple):
    """The cells, laid out in blocks of attributes."""

    codes: UInt16s2  # block, cell: the code
    counts: Int32s  # cell: the rows
    sizes: Int64s  # attribute: the slots
    order: Int64s  # order[starts[b]:starts[b + 1]] are the attributes of block b, the first one varying quickest
    starts: Int64s
    table_starts: Int64s  # block: where its table of key parts begins
    leaf_rows: Int64s2  # attribute, slot: the rows


class DecodedGenome(NamedTuple):
    """A decoded genome: the group of every slot, the slots in every group, and all blocks' tables of key parts."""

    groups: Int64s2
    widths: Int64s2
    tables: Int64s


@helper
def key_tables(genome, layout, grouping):
    """Number the groups of each attribute and fill each block's table of key parts; returns the number of keys.

    The number of keys is a float, since it may exceed any integer.
    """
    sizes, starts = layout.sizes, layout.starts
    groups, widths, tables = grouping.groups, grouping.widths, grouping.tables
    m = len(sizes)
    bit = 0
    strides = np.empty(m, dtype=np.int64)
    stride = np.int64(1)
    keys = 1.0
    for a in range(m):
        group = 0
        widths[a, 0] = 1
        groups[a, 0] = 0
        for s in range(1, sizes[a]):
            if genome[bit]:
                group += 1
                widths[a, group] = 0
            bit += 1
            groups[a, s] = group
            widths[a, group] += 1
        strides[a] = stride
        stride *= group + 1
        keys *= group + 1
    for b in range(len(starts) - 1):
        base = layout.table_starts[b]
        tables[base] = 0
        filled = 1
        for position in range(starts[b], starts[b + 1]):
            a = layout.order[position]
            for s in range(sizes[a] - 1, -1, -1):
                part = groups[a, s] * strides[a]
                for i in range(filled):
                    tables[base + s * filled + i] = tables[base + i] + part
            filled *= sizes[a]
    return keys


@helper
def class_keys(layout, tables, keys):
    """Compute the class key of every cell: one lookup per block, block by block."""
    codes = layout.codes
    blocks, n = codes.shape
    part = tables[layout.table_starts[0] :]
    for i in range(n):
        keys[i] = part[codes[0, i]]
    for b in range(1, blocks):
        part = tables[layout.table_starts[b] :]
        for i in range(n):
            keys[i] += part[codes[b, i]]


@helper
def count_dense(keys, counts, rows_of_key, touched):
    """Count rows per key; all counts are zero before. Lists the keys that occur and returns their number."""
    number = 0
    for i in range(len(keys)):
        key = keys[i]
        rows = rows_of_key[key]
        touched[number] = key
        number += rows == 0
        rows_of_key[key] = rows + counts[i]
    return number


@helper
def describe(sizes, n, dropped, k, budget, exposed, with_gaps, small, out):
    """Compute the statistics of classes; those below k are suppressed if their rows are within the budget."""
    for size in range(len(small)):
        small[size] = 0
    for c in range(n):
        if sizes[c] < k:
            small[sizes[c]] += sizes[c]
    lost = 0
    effective = k
    for size in range(1, k):
        lost += small[size]
        if lost > budget:
            effective = size
            break
    suppress = effective == k and lost > 0
    min_size = k if suppress else 0
    totals(NodeClasses(sizes, sizes, sizes, sizes, dropped), n, min_size, exposed, out)
    out[EFFECTIVE] = effective if effective < k else max(out[SMALLEST], k)  # k where nothing is left
    out[GAPS] = size_gaps(sizes[:n], min_size) if with_gaps else np.nan
    return suppress


@kernel
def describe_classes(
    sizes: Int64s,
    n: int,
    k: int,
    budget: int,
    exposed: int,
    with_gaps: bool,
    small: Int64s,
    out: Float64s,
) -> bool:
    """`describe`, callable from Python."""
    return describe(sizes, n, np.empty(n, dtype=np.int64), k, budget, exposed, with_gaps, small, out)


@kernel
def evaluate(
    genomes: Bools2,
    layout: GenomeLayout,
    k: int,
    budget: int,
    exposed: int,
    with_gaps: bool,
    stop: UInt8s,
) -> tuple[Float64s2, Float64s2]:
    """Return statistics (n, FIELDS) of each genome's classes, and its summed loss per attribute (n, m).

    EFFECTIVE is the smallest remaining class if `budget` rows may be suppressed.
    """
    counts, sizes, leaf_rows = layout.counts, layout.sizes, layout.leaf_rows
    m = len(sizes)
    n = len(counts)
    widest = leaf_rows.shape[1]
    stats = np.zeros((len(genomes), FIELDS))
    loss = np.zeros((len(genomes), m))
    grouping = DecodedGenome(
        np.zeros((m, widest), np.int64), np.zeros((m, widest), np.int64), np.zeros(layout.table_starts[-1], np.int64)
    )
    groups, widths = grouping.groups, grouping.widths
    rows_of_key = np.zeros(DENSE, dtype=np.int32)
    keys = np.empty(n, dtype=np.int64)
    touched = np.empty(n + 1, dtype=np.int64)
    class_rows, dropped = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    small = np.zeros(max(k, 1), dtype=np.int64)
    for g in range(len(genomes)):
        if stopped(stop):
            break
        dense = key_tables(genomes[g], layout, grouping) <= DENSE
        class_keys(layout, grouping.tables, keys)
        if dense:
            classes = count_dense(keys, counts, rows_of_key, touched)
            for c in range(classes):
                class_rows[c] = rows_of_key[touched[c]]
        else:
            classes = group_sum(keys, counts, touched, class_rows, slots)
        suppress = describe(class_rows, classes, dropped, k, budget, exposed, with_gaps, small, stats[g])
        for a in range(m):
            rest = max(sizes[a] - 1, 1)
            for s in range(sizes[a]):
                loss[g, a] += leaf_rows[a, s] * (widths[a, groups[a, s]] - 1) / rest
        if suppress:
            spare(keys, layout, grouping, k, loss[g])
        if dense:
            for c in range(classes):
                rows_of_key[touched[c]] = 0
    return stats, loss


@helper
def spare(keys, layout, grouping, k, loss):
    """Subtract the loss of suppressed cells: `loss` covers the rows that are kept."""
    sizes, groups, widths = layout.sizes, grouping.groups, grouping.widths
    ids, firsts = first_of_each(keys)
    total = len(firsts)
    rows = np.zeros(total, dtype=np.int64)
    for i in range(len(keys)):
        rows[ids[i]] += layout.counts[i]
    for i in range(len(keys)):
        if rows[ids[i]] >= k:
            continue
        for b in range(len(layout.codes)):
            code = layout.codes[b, i]
            for position in range(layout.starts[b], layout.starts[b + 1]):
                a = layout.order[position]
                s = code % sizes[a]
                code //= sizes[a]
                loss[a] -= layout.counts[i] * (widths[a, groups[a, s]] - 1) / max(sizes[a] - 1, 1)
