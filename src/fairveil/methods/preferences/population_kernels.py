"""Whole populations of free groupings evaluated in one compiled call.

A genome has one bit between neighbouring values of each attribute: 1 cuts, 0 joins them (Iyengar's encoding). The
group of a value is the number of cuts before it. Attributes are laid out in a few blocks: each cell holds one code
per block, and each genome turns a block into one small table of key parts, so that a class key is a sum of as many
look-ups as there are blocks. Keys are counted in an array where they are few enough, else in a hash table. NWP
needs no cells at all: it follows from the rows of each value.

Genomes that are alike are counted together: cells that every cut of a few genomes leaves in one class are merged once
for them all, and a class that none of these genomes changes is described once.
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
from fairveil.counting.kernels.group_by import first_of_each, group_sum, number, table_bits
from fairveil.counting.kernels.node_summary import (
    FIELDS,
    GAPS,
    LARGEST,
    MINORITY,
    SMALLEST,
    NodeClasses,
    size_gaps,
    totals,
)

EFFECTIVE = MINORITY  # columns of the result: those of a summary, and this one in place of its last
DENSE = 1 << 18  # keys below this are counted in an array
STRIP = 64  # classes that are examined together
STAGES = 2  # 16 genomes are counted together, then 4 of them


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


class CountingMemory(NamedTuple):
    """Working memory for the classes of cells."""

    keys: Int64s
    ids: Int64s  # cell: its class
    firsts: Int64s  # class: its first cell
    members: Int64s  # class: its cells
    rows_of_key: Int32s  # zero between calls
    slots: Int32s


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
def class_keys(layout, n, tables, keys):
    """Compute the class key of the first n cells: one lookup per block, two blocks at a time."""
    codes, blocks = layout.codes, len(layout.codes)
    for b in range(0, blocks, 2):
        part, own = tables[layout.table_starts[b] :], codes[b]
        if b + 1 == blocks:
            for i in range(n):
                keys[i] = (keys[i] if b > 0 else 0) + part[own[i]]
            break
        next_part, next_own = tables[layout.table_starts[b + 1] :], codes[b + 1]
        for i in range(n):
            keys[i] = (keys[i] if b > 0 else 0) + part[own[i]] + next_part[next_own[i]]


@helper
def count_dense(keys, n, counts, rows_of_key, firsts):
    """Count rows per key; all counts are zero before. Lists the first cell of each key and returns their number."""
    number = 0
    for i in range(n):
        key = keys[i]
        rows = rows_of_key[key]
        firsts[number] = i
        number += rows == 0
        rows_of_key[key] = rows + counts[i]
    return number


@helper
def take_dense(keys, firsts, total, rows_of_key, out):
    """Move the rows of the keys of these first cells to `out`, and leave all counts zero."""
    for c in range(total):
        key = keys[firsts[c]]
        out[c] = rows_of_key[key]
        rows_of_key[key] = 0


@helper
def number_cells(genome, layout, n, grouping, work):
    """Number the classes of the first n cells, in order of first appearance; returns how many there are."""
    keys, ids = work.keys, work.ids
    dense = key_tables(genome, layout, grouping) <= DENSE
    class_keys(layout, n, grouping.tables, keys)
    if not dense:
        return number(keys, n, work.slots, work.firsts, ids)
    total = 0
    for i in range(n):
        key = keys[i]
        if work.rows_of_key[key] == 0:
            work.firsts[total] = i
            total += 1
            work.rows_of_key[key] = total
        ids[i] = work.rows_of_key[key] - 1
    for c in range(total):
        work.rows_of_key[keys[work.firsts[c]]] = 0
    return total


@helper
def with_cells(layout, codes, counts):
    """Return the layout of other cells."""
    return GenomeLayout(codes, counts, layout.sizes, layout.order, layout.starts, layout.table_starts, layout.leaf_rows)


@helper
def merge(every, before, n, grouping, work, after):
    """Merge the first n cells that no genome of a few separates; `every` has the cuts of all. Returns their number."""
    cells = number_cells(every, before, n, grouping, work)
    for c in range(cells):
        after.counts[c] = 0
        for b in range(len(before.codes)):
            after.codes[b, c] = before.codes[b, work.firsts[c]]
    for i in range(n):
        after.counts[work.ids[i]] += before.counts[i]
    return cells


@helper
def set_apart(common, before, n, grouping, work, after, class_rows):
    """Set apart the cells that are a class of each genome of a few, since `common`, the cuts that all these genomes
    have, separates them from all others. Their rows go to `class_rows`. Returns the number of the others.
    """
    classes = number_cells(common, before, n, grouping, work)
    for c in range(classes):
        work.members[c] = 0
    for i in range(n):
        work.members[work.ids[i]] += 1
    others = 0
    for i in range(n):
        if work.members[work.ids[i]] == 1:
            class_rows[i - others] = before.counts[i]
            continue
        for b in range(len(before.codes)):
            after.codes[b, others] = before.codes[b, i]
        after.counts[others] = before.counts[i]
        others += 1
    return others


@helper
def add_known(known, out):
    """Add the statistics of further classes, all of which are kept."""
    for field in range(FIELDS):
        if field == LARGEST:
            out[field] = max(out[field], known[field])
        elif field != SMALLEST:
            out[field] += known[field]
        elif known[field] > 0 and (out[field] == 0 or known[field] < out[field]):
            out[field] = known[field]


@helper
def count_small(sizes, n, k, small):
    """Add the rows in classes of each size below k, which are rare: most strips of classes have none."""
    for first in range(0, n, STRIP):
        last, few = min(first + STRIP, n), 0
        for c in range(first, last):
            few += sizes[c] < k
        if few == 0:
            continue
        for c in range(first, last):
            if sizes[c] < k:
                small[sizes[c]] += sizes[c]


@helper
def describe(sizes, n, dropped, k, budget, exposed, with_gaps, small, out, known, start):
    """Compute the statistics of classes; those below k are suppressed if their rows are within the budget.

    `known` are the statistics of the classes before `start`, and `small` has the rows of all classes by size.
    """
    lost = 0
    effective = k
    for size in range(1, k):
        lost += small[size]
        if lost > budget:
            effective = size
            break
    suppress = effective == k and lost > 0
    min_size = k if suppress else 0
    if suppress or start == 0:
        totals(NodeClasses(sizes, sizes, sizes, sizes, dropped), n, min_size, exposed, out)
    else:
        others = sizes[start:]
        totals(NodeClasses(others, others, others, others, dropped), n - start, 0, exposed, out)
        add_known(known, out)
    out[EFFECTIVE] = effective if effective < k else max(out[SMALLEST], k)  # k where nothing is left
    out[GAPS] = np.nan
    if with_gaps:
        for c in range(n):
            dropped[c] = sizes[c]  # which is sorted in place
        out[GAPS] = size_gaps(dropped[:n], min_size)
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
    for size in range(len(small)):
        small[size] = 0
    count_small(sizes, n, k, small)
    return describe(sizes, n, np.empty(n, dtype=np.int64), k, budget, exposed, with_gaps, small, out, out, 0)


@kernel
def crossed(
    genomes: Bools2,
    parents: Int64s,
    points: Int64s,
    mating: Float64s,
    mutating: Float64s2,
    crossover: float,
    mutation: float,
) -> Bools2:
    """Return two children of each pair of parents, one half of the list and the other: they swap what comes from a
    point on if the pair's number, `mating`, is below `crossover`, and a bit flips if its number is below `mutation`."""
    pairs, bits = len(points), genomes.shape[1]
    children = np.empty((2 * pairs, bits), dtype=np.bool_)
    for pair in range(pairs):
        first, second = genomes[parents[pair]], genomes[parents[pairs + pair]]
        point = points[pair] if mating[pair] < crossover else bits
        for bit in range(bits):
            one, other = first[bit], second[bit]
            if bit >= point:
                one, other = second[bit], first[bit]
            children[pair, bit] = one != (mutating[pair, bit] < mutation)
            children[pairs + pair, bit] = other != (mutating[pairs + pair, bit] < mutation)
    return children


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

    EFFECTIVE is the smallest remaining class if `budget` rows may be suppressed. Quickest if neighbours are alike.
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
    merged_codes = np.empty((STAGES + 1, len(layout.codes), n), dtype=np.uint16)
    merged_counts = np.empty((STAGES + 1, n), dtype=np.int32)
    for i in range(n):
        merged_counts[0, i] = counts[i]
        for b in range(len(layout.codes)):
            merged_codes[0, b, i] = layout.codes[b, i]
    cells, alike = np.zeros(STAGES + 1, dtype=np.int64), np.zeros(STAGES + 1, dtype=np.int64)
    cells[0] = n
    work = CountingMemory(
        np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n + 1, np.int64), np.empty(n, np.int64),
        np.zeros(DENSE, np.int32), np.empty(1 << table_bits(n), np.int32),
    )  # fmt: skip
    groups, widths = grouping.groups, grouping.widths
    keys, firsts = work.keys, work.firsts
    class_rows, dropped = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    known, known_small = np.zeros((STAGES + 1, FIELDS)), np.zeros((STAGES + 1, max(k, 1)), dtype=np.int64)
    small = np.zeros(max(k, 1), dtype=np.int64)
    common, every = np.empty(genomes.shape[1], dtype=np.bool_), np.empty(genomes.shape[1], dtype=np.bool_)
    for g in range(len(genomes)):
        if stopped(stop):
            break
        for stage in range(1, STAGES + 1):
            together = 1 << 2 * (STAGES + 1 - stage)
            if g % together:
                continue
            cuts = 0
            for bit in range(genomes.shape[1]):
                common[bit], every[bit] = True, False
                for other in range(g, min(g + together, len(genomes))):
                    common[bit] = common[bit] and genomes[other, bit]
                    every[bit] = every[bit] or genomes[other, bit]
                cuts += common[bit]
            before = with_cells(layout, merged_codes[stage - 1], merged_counts[stage - 1])
            after = with_cells(layout, merged_codes[stage], merged_counts[stage])
            start, changing = alike[stage - 1], cells[stage - 1]
            own = class_rows[start:]
            added = np.int64(0)
            if 2 * cuts < len(common):  # most cells are merged, else most are separate
                cells[stage] = merge(every, before, changing, grouping, work, after)
            else:
                cells[stage] = set_apart(common, before, changing, grouping, work, after, own)
                added = changing - cells[stage]
            alike[stage] = start + added
            totals(NodeClasses(own, own, own, own, dropped), added, 0, exposed, known[stage])
            add_known(known[stage - 1], known[stage])
            for size in range(len(small)):
                known_small[stage, size] = known_small[stage - 1, size]
            count_small(own, added, k, known_small[stage])
        start, changing = alike[STAGES], cells[STAGES]
        own = class_rows[start:]
        last = with_cells(layout, merged_codes[STAGES], merged_counts[STAGES])
        dense = key_tables(genomes[g], layout, grouping) <= DENSE
        class_keys(last, changing, grouping.tables, keys)
        if dense:
            classes = count_dense(keys, changing, last.counts, work.rows_of_key, firsts)
            take_dense(keys, firsts, classes, work.rows_of_key, own)
        else:
            classes = group_sum(keys[:changing], last.counts, firsts, own, work.slots)
        for size in range(len(small)):
            small[size] = known_small[STAGES, size]
        count_small(own, classes, k, small)
        suppress = describe(
            class_rows, start + classes, dropped, k, budget, exposed, with_gaps, small, stats[g], known[STAGES], start
        )
        for a in range(m):
            rest = max(sizes[a] - 1, 1)
            for s in range(sizes[a]):
                loss[g, a] += leaf_rows[a, s] * (widths[a, groups[a, s]] - 1) / rest
        if suppress:
            class_keys(layout, n, grouping.tables, keys)
            spare(keys, layout, grouping, k, loss[g])
    return stats, loss


@helper
def spare(keys, layout, grouping, k, loss):
    """Subtract the loss of suppressed cells: `loss` covers the rows that are kept."""
    sizes, groups, widths = layout.sizes, grouping.groups, grouping.widths
    ids = np.empty(len(keys), dtype=np.int64)
    firsts = first_of_each(keys, ids)
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
