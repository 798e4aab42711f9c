"""Top-Down Greedy (Xu et al. 2006) in plain Python, as one would write it down from its description.

A side of a box is [low, high, span] of a number, or [level, path, shares] of a name: a value's path up its hierarchy
and the share of the leaves under each node of it. What the description leaves open (the order of rows, which of equals
comes first) is as in `fairveil.methods.TopDownGreedy`, so the groups must be the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairveil.methods.mondrian import axes_of
from fairveil.methods.region_kernels import Axes
from fairveil.methods.task import Task

Side = tuple[Any, Any, Any]
Box = list[Side]


def plain_top_down_greedy(task: Task) -> list[list[int]]:
    """The rows of each group, ascending."""
    axes = axes_of(task, True)
    records = _records(axes)
    random = np.random.default_rng(task.seed)
    order, seeds = random.permutation(len(records)).tolist(), random.random(4096).tolist()
    groups = _partition(records, order, seeds, task.k)
    return sorted(sorted(rows) for rows in _adjust(records, groups, task.k) if rows)


def _records(axes: Axes) -> list[Box]:
    """Every row as a box that holds nothing else."""
    columns: list[list[Side]] = []
    for a, codes in enumerate(axes.codes.tolist()):
        if axes.numeric[a]:
            values, span = axes.values[a].tolist(), float(axes.spans[a])
            columns.append([(values[code], values[code], span) for code in codes])
            continue
        paths = axes.lookups[a].T.tolist()
        shares = axes.leaves[a]
        sides = [(0, path, [0.0, *(float(shares[lv, path[lv]]) for lv in range(1, len(path)))]) for path in paths]
        columns.append([sides[code] for code in codes])
    return [list(sides) for sides in zip(*columns, strict=True)]


def _joined(box: Box, other: Box) -> Box:
    """The smallest box that holds both."""
    sides: Box = []
    for (low, high, more), (other_low, other_high, _) in zip(box, other, strict=True):
        if isinstance(high, list):
            level = max(low, other_low)
            while high[level] != other_high[level]:
                level += 1
            sides.append((level, high, more))
        else:
            sides.append((min(low, other_low), max(high, other_high), more))
    return sides


def _penalty(box: Box) -> float:
    """Normalized certainty penalty: widths of numbers, shares of the leaves of names."""
    cost = 0.0
    for low, high, more in box:
        if isinstance(high, list):
            cost += more[low]
        elif more > 0:
            cost += (high - low) / more
    return cost


def _partition(records: list[Box], order: list[int], seeds: list[float], k: int) -> list[list[int]]:
    groups: list[list[int]] = []
    waiting = [order]
    done = 0
    while waiting:
        rows = waiting.pop()
        if len(rows) <= k:
            groups.append(rows)
            continue
        pair = _far_apart(records, rows, rows[int(seeds[done % len(seeds)] * len(rows))])
        done += 1
        halves = [[pair[0]], [pair[1]]]
        boxes = [records[pair[0]], records[pair[1]]]
        for row in rows:
            if row in pair:
                continue
            grown = [_joined(box, records[row]) for box in boxes]
            costs = [_penalty(box) for box in grown]
            side = 0 if (costs[0], len(halves[0])) <= (costs[1], len(halves[1])) else 1
            boxes[side] = grown[side]
            halves[side].append(row)
        waiting += [halves[1][::-1], halves[0]]
    return groups


def _far_apart(records: list[Box], rows: list[int], start: int) -> list[int]:
    """Two rows found in up to three rounds there and back from a random one."""
    pair = [start, start]
    farthest = 0.0
    for turn in range(6):
        one = pair[turn % 2]
        others = [row for row in rows if row != one]
        costs = [_penalty(_joined(records[one], records[row])) for row in others]
        worst = max(costs)
        pair[1 - turn % 2] = others[costs.index(worst)]
        if turn > 1 and worst <= farthest:
            break
        farthest = worst
    return pair


def _adjust(records: list[Box], groups: list[list[int]], k: int) -> list[list[int]]:
    """Groups below k take the nearest rows of a large group, or merge with the nearest, whichever costs less."""
    groups = [sorted(rows) for rows in groups]
    boxes = []
    for rows in groups:
        box = records[rows[0]]
        for row in rows:
            box = _joined(box, records[row])
        boxes.append(box)
    costs = [_penalty(box) for box in boxes]
    for g in range(len(groups)):
        while 0 < len(groups[g]) < min(k, len(records)):
            need = k - len(groups[g])
            spent = len(groups[g]) * costs[g]
            merges = []
            donors = []
            for h, rows in enumerate(groups):
                if h == g or not rows:
                    continue
                both = _penalty(_joined(boxes[h], boxes[g]))
                merges.append(((len(groups[g]) + len(rows)) * both - spent - len(rows) * costs[h], h))
                if len(rows) >= k + need:
                    near = sorted((_penalty(_joined(boxes[g], records[row])), row) for row in rows)[:need]
                    donors.append((sum(cost for cost, _ in near), near[-1], h, [row for _, row in near]))
            rise, mate = min(merges)
            if donors:
                _, _, donor, taken = min(donors)
                box = boxes[g]
                for row in taken:
                    box = _joined(box, records[row])
                if k * _penalty(box) - spent - need * costs[donor] < rise:
                    groups[g] = sorted([*groups[g], *taken])
                    groups[donor] = [row for row in groups[donor] if row not in taken]
                    boxes[g], costs[g] = box, _penalty(box)
                    continue
            boxes[mate] = _joined(boxes[mate], boxes[g])
            costs[mate] = _penalty(boxes[mate])
            groups[mate], groups[g] = sorted(groups[mate] + groups[g]), []
    return groups
