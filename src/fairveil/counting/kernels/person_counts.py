"""Counting the distinct persons of cells and classes, in few passes over rows or over the cells of each person."""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Int32s, Int64s, helper, kernel


@kernel
def people_of_classes(cells: Int32s, starts: Int64s, ids: Int32s, total: int) -> Int64s:
    """Return the number of persons of each of `total` classes, given the class of each cell.

    The cells of person p are those from starts[p] to starts[p + 1]; a person may have several in a class.
    """
    people = np.zeros(total, dtype=np.int64)
    latest = np.full(total, -1, dtype=np.int32)  # the person who was counted last
    for person in range(len(starts) - 1):
        for at in range(starts[person], starts[person + 1]):
            group = ids[cells[at]]
            if latest[group] != person:
                latest[group] = person
                people[group] += 1
    return people


@kernel
def pairs_by_cell(persons: Int32s, cells: Int32s, people: int, total: int) -> tuple[Int32s, Int32s, Int32s, int]:
    """Return the distinct pairs of a cell and a person, sorted: the cells, the persons, the number of rows of each, and
    how many pairs there are, at the front of these arrays. Row i is about persons[i], below `people`, and in cells[i],
    below `total`."""
    ends = _starts(persons, people)
    by_person = np.empty(len(persons), dtype=np.int32)
    for row in range(len(persons)):
        person = persons[row]
        by_person[ends[person]] = cells[row]
        ends[person] += 1
    first = _starts(cells, total)
    after = first.copy()
    who, rows = np.empty(len(persons), dtype=np.int32), np.empty(len(persons), dtype=np.int32)
    at = 0
    for person in range(people):
        while at < ends[person]:
            cell = by_person[at]
            end = after[cell]
            if end > first[cell] and who[end - 1] == person:  # persons come one by one, so equal pairs are adjacent
                rows[end - 1] += 1
            else:
                who[end] = person
                rows[end] = 1
                after[cell] = end + 1
            at += 1
    pairs = 0
    for cell in range(total):
        for place in range(first[cell], after[cell]):
            by_person[pairs] = cell
            who[pairs] = who[place]
            rows[pairs] = rows[place]
            pairs += 1
    return by_person, who, rows, pairs


@kernel
def stable_order(codes: Int32s, size: int) -> Int32s:
    """Return the order of codes below `size`; equal ones keep theirs."""
    places = _starts(codes, size)
    order = np.empty(len(codes), dtype=np.int32)
    for row in range(len(codes)):
        order[places[codes[row]]] = row
        places[codes[row]] += 1
    return order


@helper
def _starts(codes, size):
    """Return where the first row of each code below `size` is if rows are sorted by code."""
    starts = np.zeros(size + 1, dtype=np.int64)
    for row in range(len(codes)):
        starts[codes[row] + 1] += 1
    for code in range(size):
        starts[code + 1] += starts[code]
    return starts
