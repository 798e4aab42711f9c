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
def pairs_by_person(
    persons: Int32s, cells: Int32s, total: int, by_person: Int32s, rows: Int32s, starts: Int64s, rows_of: Int64s
) -> None:
    """Write the distinct pairs of a person and a cell, person by person: `by_person` gets the cells, `rows` the number
    of rows of each pair, `starts` where the pairs of each person start, and `rows_of` the rows of each person. Row i is
    about persons[i] and in cells[i], below `total`. There are starts[-1] pairs, at the front of longer arrays."""
    people = len(rows_of)
    ends = _starts(persons, people)
    for row in range(len(persons)):
        person = persons[row]
        by_person[ends[person]] = cells[row]
        ends[person] += 1
    latest = np.full(total, -1, dtype=np.int32)  # the last pair of each cell
    starts[0] = 0
    at = 0
    pairs = 0
    for person in range(people):
        first = pairs
        rows_of[person] = ends[person] - at
        while at < ends[person]:
            cell = by_person[at]
            if latest[cell] >= first:
                rows[latest[cell]] += 1
            else:
                latest[cell] = pairs
                by_person[pairs] = cell
                rows[pairs] = 1
                pairs += 1
            at += 1
        starts[person + 1] = pairs


@kernel
def by_cell(
    cells: Int32s, rows: Int32s, starts: Int64s, total: int, of_cell: Int32s, persons: Int64s, times: Int64s
) -> None:
    """Write pairs, of which those of each person begin at `starts`, sorted by cell and then person: `of_cell` gets the
    cells, `persons` who they are about, and `times` the number of rows of each."""
    number = len(cells)
    after = np.zeros(total + 1, dtype=np.int64)
    for pair in range(number):
        after[cells[pair] + 1] += 1
    for cell in range(total):
        after[cell + 1] += after[cell]
    for cell in range(total):
        for place in range(after[cell], after[cell + 1]):
            of_cell[place] = cell
    for person in range(len(starts) - 1):
        for pair in range(starts[person], starts[person + 1]):
            place = after[cells[pair]]
            after[cells[pair]] = place + 1
            persons[place] = person
            times[place] = rows[pair]


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
