"""How few values everybody in a class has one of: distinct ℓ-diversity where people have several values.

A search takes the values of the first person in turn, and goes on with the first of those who have none that were
taken. People of whom no two share a value need as many: fewer are not tried.
"""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Int64s, helper, kernel

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
