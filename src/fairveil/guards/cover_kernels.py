"""How few values everybody in a class has one of: distinct ℓ-diversity where people have several values.

A search takes the values of the first person in turn, and goes on with the first of those who have none that were
taken. People of whom no two share a value need as many: fewer are not tried.
"""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Int32s, Int64s, helper, kernel
from fairveil.counting.kernels.group_by import number, table_bits

FEW = 4
"""People with more values than this are considered only by a search."""
MAX_STEPS = 1 << 20
"""Steps of the search in one class; beyond, what is proven by then is returned, which is never too much."""


@helper
def next_without(values, starts, person, end, chosen):  # type: ignore[no-untyped-def]
    """Return the first person from `person` on who has none of the chosen values; `end` if there is none."""
    at = person
    while at < end:
        covered = False
        for i in range(starts[at], starts[at + 1]):
            if chosen[values[i]] > 0:
                covered = True
                break
        if not covered:
            return at
        at += 1
    return at


@helper
def apart(values, starts, start, end, seen):  # type: ignore[no-untyped-def]
    """Return the number of people, picked from the first on, of whom no two share a value: each needs its own."""
    number = 0
    for person in range(start, end):
        alone = True
        for i in range(starts[person], starts[person + 1]):
            if seen[values[i]] > 0:
                alone = False
                break
        if alone:
            number += 1
            for i in range(starts[person], starts[person + 1]):
                seen[values[i]] = 1
    for i in range(starts[start], starts[end]):
        seen[values[i]] = 0
    return number


@helper
def within_depth(values, starts, start, end, depth, chosen, at_person, at_value, steps):  # type: ignore[no-untyped-def]
    """Return whether `depth` values are enough for all: 1 or 0, or -1 if that takes too many steps. Nothing is chosen
    before or afterwards; steps[0] counts."""
    level = 0
    at_person[0] = start
    at_value[0] = starts[start] - 1
    answer = 0
    while level >= 0:
        person = at_person[level]
        if at_value[level] >= starts[person]:
            chosen[values[at_value[level]]] -= 1
        at_value[level] += 1
        steps[0] += 1
        if steps[0] > MAX_STEPS:
            answer = -1
            level -= 1
        elif at_value[level] == starts[person + 1]:
            level -= 1
        else:
            chosen[values[at_value[level]]] += 1
            left = next_without(values, starts, person + 1, end, chosen)
            if left == end:
                answer = 1
                chosen[values[at_value[level]]] -= 1
                level -= 1
            elif level + 1 < depth:
                level += 1
                at_person[level] = left
                at_value[level] = starts[left] - 1
        if answer != 0:
            while level >= 0:
                chosen[values[at_value[level]]] -= 1
                level -= 1
    return answer


@kernel
def smallest_covers(values: Int64s, starts: Int64s, firsts: Int64s, size: int, limits: Int64s) -> Int64s:
    """Return for each class the smallest number of values such that everybody in it has one of them, or a number that
    is proven to be no larger, and at least the class's limit.

    The values of person p, different and below `size`, are those from starts[p] to starts[p + 1]; the persons of class
    c, of whom there is at least one, those from firsts[c] to firsts[c + 1].
    """
    total = len(firsts) - 1
    covers = np.zeros(total, dtype=np.int64)
    chosen = np.zeros(size, dtype=np.int64)
    deepest = 1
    for c in range(total):
        deepest = max(deepest, limits[c])
    at_person = np.empty(deepest, dtype=np.int64)
    at_value = np.empty(deepest, dtype=np.int64)
    steps = np.zeros(1, dtype=np.int64)
    for c in range(total):
        enough = apart(values, starts, firsts[c], firsts[c + 1], chosen)
        steps[0] = 0
        while enough < limits[c]:
            if within_depth(values, starts, firsts[c], firsts[c + 1], enough, chosen, at_person, at_value, steps) != 0:
                break
            enough += 1
        covers[c] = enough
    return covers


@kernel
def surely_diverse(
    ids: Int64s, persons: Int64s, codes: Int64s, people: int, size: int, least: int, total: int
) -> Int32s:
    """Return of each of `total` classes whether `least` values are needed so that everybody in it has one of them, or
    there are no values: 1 or 0, or -1 if that takes a search. Cell i is in class ids[i], about persons[i], below
    `people`, and has codes[i], below `size`; negative codes do not count.

    Too few different values are never enough. People of whom no two share a value need as many: those are picked who
    have one value, then who have two, and so on, each in the order of their cells, as `smallest_covers` is asked to.
    """
    n = 0
    at = np.empty(len(ids), dtype=np.int64)  # the cells that have values
    for i in range(len(ids)):
        if codes[i] >= 0:
            at[n] = i
            n += 1
    keys, slots = np.empty(n, dtype=np.int64), np.empty(1 << table_bits(n), dtype=np.int32)
    pair, value, triple = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    firsts, firsts_of_pair = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for i in range(n):
        keys[i] = ids[at[i]] * size + codes[at[i]]
    values = number(keys, n, slots, firsts, value)
    different, apart_by = np.zeros(total, dtype=np.int64), np.zeros(total, dtype=np.int64)
    for v in range(values):
        different[ids[at[firsts[v]]]] += 1
    for i in range(n):
        keys[i] = ids[at[i]] * people + persons[at[i]]
    pairs = number(keys, n, slots, firsts_of_pair, pair)
    for i in range(n):
        keys[i] = pair[i] * values + value[i]
    triples = number(keys, n, slots, firsts, triple)
    several, head, after = (
        np.zeros(pairs, dtype=np.int64),
        np.full(pairs, -1, dtype=np.int64),
        np.empty(triples, dtype=np.int64),
    )
    for t in range(triples):
        p = pair[firsts[t]]
        after[t] = head[p]
        head[p] = t
        several[p] += 1
    taken = np.zeros(values, dtype=np.bool_)
    for many in range(1, FEW + 1):
        for p in range(pairs):
            if several[p] != many:
                continue
            alone = True
            t = head[p]
            while t >= 0:
                alone = alone and not taken[value[firsts[t]]]
                t = after[t]
            if alone:
                apart_by[ids[at[firsts_of_pair[p]]]] += 1
                t = head[p]
                while t >= 0:
                    taken[value[firsts[t]]] = True
                    t = after[t]
    sure = np.empty(total, dtype=np.int32)
    for c in range(total):
        sure[c] = -1
        if different[c] == 0 or apart_by[c] >= least:
            sure[c] = 1
        elif different[c] < least:
            sure[c] = 0
    return sure
