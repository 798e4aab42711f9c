"""Whether classes have enough different values, in shares as those of the whole: searches ask it of every
generalization.

No more values are remembered than are asked for. Those of a class are then merged from those of the classes that it
joins, so lattice nodes are judged from prefix to prefix, as they are counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import (
    Bools,
    Float64s,
    Float64s2,
    Int32s,
    Int32s2,
    Int64s,
    Int64s2,
    UInt8s,
    helper,
    kernel,
    stopped,
)
from fairveil.counting.kernels.group_by import clear, find, table_bits
from fairveil.counting.kernels.rolling_up import Packed, widen

KEEPS, BREAKS = 1, 2


class RowValues(NamedTuple):
    """The codes of rows in some columns, -1 for a missing one, and how many different ones every class must have."""

    codes: Int32s2  # column, row
    least: Int64s


class RowShares(NamedTuple):
    """The codes of rows in some columns, -1 for a missing one, the share of each code in the whole table, and by how
    much those that are more frequent in a class may exceed their shares together."""

    codes: Int32s2  # column, row
    whole: Float64s2  # column, code
    most: Float64s


class ValueSets(NamedTuple):
    """Keys with their rows, and the first different codes of each column among these: as many as are asked for, from
    `ends[column]` to `ends[column + 1]` of the `ends[-1]` that each key has; -1 where there are fewer. `tallies` are
    the rows with each code of other columns, from `starts[column]` to `starts[column + 1]`: the shares of those that
    are more frequent than in the whole may exceed it by `most[column]` together."""

    keys: Int64s
    rows: Int64s
    codes: Int32s
    lacking: Int32s  # columns with fewer codes than asked for
    ends: Int64s
    tallies: Int64s
    starts: Int64s
    most: Float64s


@kernel
def enough_values(ids: Int64s, codes: Int64s, least: int, total: int) -> Bools:
    """Return which of `total` classes have at least `least` different codes, or none at all. Cell i is in class ids[i]
    and has codes[i]; negative codes do not count."""
    values = np.full(total * least, -1, dtype=np.int32)
    add_values(ids, codes, least, values, 0, least)
    enough = np.empty(total, dtype=np.bool_)
    for group in range(total):
        enough[group] = values[group * least] < 0 or values[(group + 1) * least - 1] >= 0
    return enough


@kernel
def add_values(ids: Int64s, codes: Int64s, least: int, values: Int32s, first: int, width: int) -> None:
    """Note the first `least` different codes of each class in values[class * width + first :], which are all -1."""
    for cell in range(len(ids)):
        if codes[cell] >= 0:
            add_value(values, ids[cell] * width + first, least, np.int32(codes[cell]))


@helper
def add_value(values, start, least, code):
    """Add a code to a set of at most `least`; returns whether it is full by that."""
    for place in range(start, start + least):
        if values[place] == code:
            return False
        if values[place] < 0:
            values[place] = code
            return place == start + least - 1
    return False


@helper
def diverse_parts(values, rows, ends):
    """Whether each part of these rows, up to its end, has as many codes of each column as are asked for, or none."""
    for column in range(len(values.least)):
        least = values.least[column]
        codes, seen = values.codes[column], np.empty(least, dtype=np.int32)
        start = 0
        for end in ends:
            for place in range(least):
                seen[place] = -1
            for i in range(start, end):
                if codes[rows[i]] >= 0 and add_value(seen, 0, least, codes[rows[i]]):
                    break
            if seen[0] >= 0 and seen[least - 1] < 0:
                return False
            start = end
    return True


@helper
def similar_parts(shares, rows, ends, counts):
    """Whether the codes of each part of these rows, up to its end, are as frequent as in the whole table, or there are
    none. `counts` is 0 for every code, before and after."""
    for column in range(len(shares.most)):
        codes, whole = shares.codes[column], shares.whole[column]
        start = 0
        for end in ends:
            known = 0
            for i in range(start, end):
                if codes[rows[i]] >= 0:
                    counts[codes[rows[i]]] += 1
                    known += 1
            surplus = 0.0
            for i in range(start, end):
                code = codes[rows[i]]
                if code >= 0 and counts[code] > 0:
                    surplus += max(counts[code] / known - whole[code], 0.0)
                    counts[code] = 0
            if surplus > shares.most[column]:
                return False
            start = end
    return True


@helper
def _merge(sets, key, into):
    """Add the rows and codes of one key to those of another."""
    ends, width, tallied = sets.ends, sets.ends[-1], sets.starts[-1]
    sets.rows[into] += sets.rows[key]
    for place in range(tallied):
        sets.tallies[into * tallied + place] += sets.tallies[key * tallied + place]
    if sets.lacking[into] == 0:
        return
    for column in range(len(ends) - 1):
        least, start, other = ends[column + 1] - ends[column], into * width + ends[column], key * width + ends[column]
        if sets.codes[start + least - 1] >= 0:
            continue
        for place in range(other, other + least):
            if sets.codes[place] < 0:
                break
            if add_value(sets.codes, start, least, sets.codes[place]):
                sets.lacking[into] -= 1
                break


@helper
def sets_on(sets):
    """Return a stack that starts with these sets."""
    return _widened(sets, len(sets.keys), len(sets.keys) + 1)


@helper
def _widened(sets, used, need):
    """Return the stack with room for so many keys."""
    width, tallied = sets.ends[-1], sets.starts[-1]
    return ValueSets(
        widen(sets.keys, used, need), widen(sets.rows, used, need), widen(sets.codes, used * width, need * width),
        widen(sets.lacking, used, need), sets.ends, widen(sets.tallies, used * tallied, need * tallied), sets.starts,
        sets.most,
    )  # fmt: skip


@helper
def roll_up_sets(sets, start, end, packed, levels, first, slots):
    """Roll a stack of sets up to these levels, as `rolling_up.roll_up` does with cells."""
    width, tallied = sets.ends[-1], sets.starts[-1]
    for a in range(first, len(levels)):
        if levels[a] == packed.floors[a]:
            start[a + 1], end[a + 1] = start[a], end[a]
            continue
        begin = end[a]
        sets = _widened(sets, begin, begin + end[a] - start[a])
        lookup, shift, field = packed.lookups[a, levels[a]], packed.shifts[a], (np.int64(1) << packed.bits[a]) - 1
        keep, bits = ~(field << shift), table_bits(end[a] - start[a])
        clear(slots, bits)
        groups = begin
        for i in range(start[a], end[a]):
            key = (sets.keys[i] & keep) | (lookup[(sets.keys[i] >> shift) & field] << shift)
            position, group = find(key, sets.keys, slots, bits)
            if group >= 0:
                _merge(sets, i, group)
                continue
            slots[position] = groups
            sets.keys[groups], sets.rows[groups], sets.lacking[groups] = key, sets.rows[i], sets.lacking[i]
            for place in range(width):
                sets.codes[groups * width + place] = sets.codes[i * width + place]
            for place in range(tallied):
                sets.tallies[groups * tallied + place] = sets.tallies[i * tallied + place]
            groups += 1
        start[a + 1], end[a + 1] = begin, groups
    return sets


@helper
def has_enough(sets, key):
    """Whether a key has as many codes of each column as are asked for, or none at all."""
    if sets.lacking[key] == 0:
        return True
    ends, first = sets.ends, key * sets.ends[-1]
    for column in range(len(ends) - 1):
        if sets.codes[first + ends[column]] >= 0 and sets.codes[first + ends[column + 1] - 1] < 0:
            return False
    return True


@helper
def leave_out(sets, first, last, k, budget, out):
    """Mark the classes first … last - 1 that have fewer than k rows, too few values or other shares than the whole,
    then those with other shares than all that are left, until there are none; returns their rows, or some of them if
    those are more than `budget`."""
    gone = 0
    for key in range(first, last):
        out[key - first] = sets.rows[key] < k or not has_enough(sets, key)
        if out[key - first]:
            gone += sets.rows[key]
            if gone > budget:
                return gone
    if len(sets.most) == 0:
        return gone
    whole, again = _whole(sets, first, last, out, False), gone > 0
    while True:
        before = gone
        for key in range(first, last):
            if not out[key - first] and not _is_similar(sets, key, whole):
                out[key - first] = True
                gone += sets.rows[key]
                if gone > budget:
                    return gone
        if gone == before and not again:
            return gone
        whole, again = _whole(sets, first, last, out, True), False


@helper
def _whole(sets, first, last, out, without):
    """Return the shares of the codes in all classes first … last - 1, or `without` those that are marked."""
    tallied, shares = sets.starts[-1], np.zeros(sets.starts[-1])
    for key in range(first, last):
        if not (without and out[key - first]):
            for place in range(tallied):
                shares[place] += sets.tallies[key * tallied + place]
    for column in range(len(sets.most)):
        total = 0.0
        for place in range(sets.starts[column], sets.starts[column + 1]):
            total += shares[place]
        for place in range(sets.starts[column], sets.starts[column + 1]):
            shares[place] /= max(total, 1.0)
    return shares


@helper
def _is_similar(sets, key, whole):
    """Whether the codes of a key are as frequent as in the whole, or there are none."""
    first = key * sets.starts[-1]
    for column in range(len(sets.most)):
        known = 0
        for place in range(sets.starts[column], sets.starts[column + 1]):
            known += sets.tallies[first + place]
        surplus = 0.0
        for place in range(sets.starts[column], sets.starts[column + 1]):
            if sets.tallies[first + place] > 0:
                surplus += max(sets.tallies[first + place] / known - whole[place], 0.0)
        if surplus > sets.most[column]:
            return False
    return True


@kernel
def diverse_nodes(
    packed: Packed, sets: ValueSets, nodes: Int64s2, k: int, budget: int, state: UInt8s, strides: Int64s, stop: UInt8s
) -> Bools:
    """Return of which nodes, in reverse search order, the classes with fewer than k rows, too few values or other
    shares than the rest have at most `budget` rows together.

    If `state` is not empty, this is monotone: it says of the nodes of the lattice, numbered by `strides`, whether they
    are known to keep or to break it, and no node below one that breaks it is counted.
    """
    m, total, n = len(packed.shifts), len(nodes), len(sets.keys)
    holds = np.zeros(total, dtype=np.bool_)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    start, end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    end[0] = n
    stack, out = sets_on(sets), np.empty(n, dtype=np.bool_)
    before = -1  # the last node that was counted
    for i in range(total):
        if stopped(stop):
            break
        number = np.int64(0)
        broken = False
        if len(state):
            for a in range(m):
                number += nodes[i, a] * strides[a]
            for a in range(m):
                broken = broken or (nodes[i, a] < packed.tops[a] and state[number + strides[a]] == BREAKS)
        if not broken:
            depth = 0
            while before >= 0 and depth < m and nodes[i, depth] == nodes[before, depth]:
                depth += 1
            stack = roll_up_sets(stack, start, end, packed, nodes[i], depth, slots)
            before = i
            holds[i] = leave_out(stack, start[m], end[m], k, budget, out) <= budget
        if len(state):
            state[number] = KEEPS if holds[i] else BREAKS
    return holds
