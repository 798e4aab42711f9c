"""Regions of a table on codes, and what they cost: shared by Mondrian and Top-Down Greedy.

Columns are of two kinds: numbers, whose codes ascend with their values, and names, which have levels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import (
    Bools,
    Float64s,
    Float64s2,
    Float64s3,
    Int64s,
    Int64s2,
    Int64s3,
    helper,
    inlined,
)


class Axes(NamedTuple):
    """The quasi columns of a table, in the layout of the kernels."""

    codes: Int64s2  # column, row; of numbers with edges, the cell of their grid
    numeric: Bools
    values: Float64s2  # column, code: the number, or the first of the cell; a missing one counts as the largest
    spans: Float64s  # column: the range of its numbers
    leaves: Float64s3  # column, level, code: share of the leaves under it
    lookups: Int64s3  # column, level, leaf: the code at that level


class Box(NamedTuple):
    """What a group of rows takes up: per column the range of its numbers, or the level at which its names agree."""

    low: Float64s
    high: Float64s
    level: Int64s


class GroupBoxes(NamedTuple):
    """The boxes of many groups, one a line."""

    low: Float64s2
    high: Float64s2
    level: Int64s2


@helper
def room_for_boxes(groups, columns):
    """Return uninitialized boxes."""
    lows, highs = np.empty((groups, columns)), np.empty((groups, columns))
    return GroupBoxes(lows, highs, np.empty((groups, columns), dtype=np.int64))


@inlined
def box_of(boxes, group):
    """Return one of many boxes."""
    return Box(boxes.low[group], boxes.high[group], boxes.level[group])


@helper
def widths(axes, rows, level):
    """Return the normalized width of every column in a region: range of numbers, or share of the node's leaves."""
    m = len(axes.numeric)
    wide = np.zeros(m)
    for a in range(m):
        codes = axes.codes[a]
        if axes.numeric[a]:
            values = axes.values[a]
            low = high = values[codes[rows[0]]]
            for r in rows:
                number = values[codes[r]]
                low = min(low, number)
                high = max(high, number)
            wide[a] = (high - low) / axes.spans[a] if axes.spans[a] > 0 else 0.0
        elif level[a] > 0:
            wide[a] = axes.leaves[a, level[a], axes.lookups[a, level[a], codes[rows[0]]]]
    return wide


@helper
def cost_with(axes, row, box, example):
    """Return the NCP of a group's box after adding `row`; `example` is any row of the group."""
    cost = 0.0
    for a in range(len(axes.numeric)):
        if axes.numeric[a]:
            if axes.spans[a] > 0:
                number = axes.values[a, axes.codes[a, row]]
                cost += (max(box.high[a], number) - min(box.low[a], number)) / axes.spans[a]
        else:
            at = box.level[a]
            while axes.lookups[a, at, axes.codes[a, row]] != axes.lookups[a, at, axes.codes[a, example]]:
                at += 1
            if at > 0:
                cost += axes.leaves[a, at, axes.lookups[a, at, axes.codes[a, row]]]
    return cost


@helper
def grow(axes, row, box, example):
    """Extend the box so that it contains `row`."""
    for a in range(len(axes.numeric)):
        if axes.numeric[a]:
            number = axes.values[a, axes.codes[a, row]]
            box.low[a] = min(box.low[a], number)
            box.high[a] = max(box.high[a], number)
        else:
            mine, theirs = axes.codes[a, row], axes.codes[a, example]
            while axes.lookups[a, box.level[a], mine] != axes.lookups[a, box.level[a], theirs]:
                box.level[a] += 1


@helper
def box_around(axes, row, box):
    """Write the box of a single row into `box`."""
    for a in range(len(axes.numeric)):
        box.low[a] = box.high[a] = axes.values[a, axes.codes[a, row]] if axes.numeric[a] else 0.0
        box.level[a] = 0


@helper
def copy_box(box, other):
    """Copy a box."""
    for a in range(len(box.low)):
        box.low[a], box.high[a], box.level[a] = other.low[a], other.high[a], other.level[a]


@helper
def joined_cost(axes, box, codes, other, other_codes, rows, limit):
    """Return the NCP of the box of two groups, given the codes of any row of each; if it is above the limit for these
    rows together, some number that is as well."""
    cost = 0.0
    for a in range(len(axes.numeric)):
        if axes.numeric[a]:
            if axes.spans[a] > 0:
                cost += (max(box.high[a], other.high[a]) - min(box.low[a], other.low[a])) / axes.spans[a]
        else:
            mine, theirs = codes[a], other_codes[a]
            at = max(box.level[a], other.level[a])
            while axes.lookups[a, at, mine] != axes.lookups[a, at, theirs]:
                at += 1
            if at > 0:
                cost += axes.leaves[a, at, axes.lookups[a, at, mine]]
        if cost * rows > limit:
            break
    return cost


@helper
def touching_cost(axes, box, codes, other, other_codes, limit):
    """Return a lower bound of the NCP of the first box after adding any row of the second; if it is above the limit,
    some number above the limit."""
    cost = 0.0
    for a in range(len(axes.numeric)):
        if axes.numeric[a]:
            if axes.spans[a] > 0:
                cost += (max(box.high[a], other.low[a]) - min(box.low[a], other.high[a])) / axes.spans[a]
        else:
            mine, theirs = codes[a], other_codes[a]
            at = max(box.level[a], other.level[a])
            if axes.lookups[a, at, mine] == axes.lookups[a, at, theirs]:
                at = box.level[a]
            else:
                while axes.lookups[a, at, mine] != axes.lookups[a, at, theirs]:
                    at += 1
            if at > 0:
                cost += axes.leaves[a, at, axes.lookups[a, at, mine]]
        if cost > limit:
            break
    return cost
