"""The nearest neighbours of a record by some columns, counted over profiles: distinct combinations of values.

The distance of two records is the sum over the columns of a distance from 0 to 1:

a name      0 if the published values are the same, else 1
a number    the difference, as a share of the range of all published numbers
an order    the steps between the two values in their order, as a share of all steps

A generalized number counts as the middle of its interval. Values that are not numbers, or not in the order, such as
missing and suppressed ones, have the maximum distance from all others, and 0 from themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.data.hierarchy import TOP, Hierarchy
from fairveil.data.number_line import position

_BLOCK = 1 << 24  # distances in memory at a time
_SAME = 1e-9  # tolerance for rounding in a sum of distances


@dataclass(frozen=True)
class ProfileColumn:
    """A column of profiles: the position of each value from 0 to 1, NaN if it has none; None if values are names."""

    codes: np.ndarray
    places: np.ndarray | None = None

    def distances(self, block: slice) -> np.ndarray:
        """The distances from each profile of a block to every profile."""
        differs = self.codes[block, None] != self.codes[None, :]
        if self.places is None:
            return differs.astype(np.int8)
        at = self.places[self.codes]
        gaps = np.abs(at[block, None] - at[None, :])
        return np.where(np.isnan(gaps), differs, gaps)


def numeric_places(labels: Sequence[Any]) -> np.ndarray:
    """Published values as numbers, scaled from the minimum to the maximum."""
    numbers = np.array([np.nan if (number := position(label)) is None else number for label in labels], dtype=float)
    known = numbers[~np.isnan(numbers)]
    reach = float(known.max() - known.min()) if len(known) else 0.0
    return np.where(np.isnan(numbers), np.nan, (numbers - (known.min() if len(known) else 0)) / (reach or 1.0))


def ordered_places(labels: Sequence[Any], rule: Hierarchy | None) -> np.ndarray:
    """The positions of published values in their order: that in which their hierarchy lists the values below them, else
    numeric for numbers and intervals, else alphabetical."""
    leaves = [] if rule is None else list(rule.extra_leaves())
    if rule is not None and leaves:
        return _in_listed_order(labels, rule, leaves)
    steps: list[Any] = [position(label) for label in labels]
    if all(step is None for step, label in zip(steps, labels, strict=True) if label not in (None, TOP)):
        steps = [None if label in (None, TOP) else str(label) for label in labels]
    distinct = sorted({step for step in steps if step is not None})
    rank = {step: number / max(len(distinct) - 1, 1) for number, step in enumerate(distinct)}
    return np.array([np.nan if step is None else rank[step] for step in steps], dtype=float)


def _in_listed_order(labels: Sequence[Any], rule: Hierarchy, leaves: list[Any]) -> np.ndarray:
    """The mean position of all values below each published one."""
    levels = rule.bind(leaves)
    middle: dict[str, float] = {}
    for codes, names in zip(levels.codes[:-1], levels.labels[:-1], strict=True):
        rows = np.bincount(codes, minlength=len(names))
        places = np.bincount(codes, weights=np.arange(len(codes)), minlength=len(names)) / np.maximum(rows, 1)
        for name, at in zip(names, places, strict=True):
            middle.setdefault(str(name), float(at) / max(len(leaves) - 1, 1))
    return np.array([np.nan if label is None else middle.get(str(label), np.nan) for label in labels], dtype=float)


def denied_shares(
    lines: Sequence[ProfileColumn], rows: np.ndarray, refused: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """For a denied person of each profile (row) and group (column): the denied share of the k nearest, and all as near
    as the k-th, inside and outside the group. The person is not counted; NaN where there is nobody."""
    inside, outside = np.full(rows.shape, np.nan), np.full(rows.shape, np.nan)
    others, others_refused = rows.sum(axis=1, keepdims=True) - rows, refused.sum(axis=1, keepdims=True) - refused
    by_name = all(line.places is None for line in lines)
    step = max(_BLOCK // max(len(rows), 1), 1)
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        distance = np.add.reduce([line.distances(block) for line in lines], dtype=np.int64 if by_name else float)
        if by_name:
            inside[block] = _by_steps(distance, len(lines), rows, refused, k, itself=True)
            outside[block] = _by_steps(distance, len(lines), others, others_refused, k, itself=False)
        else:
            for own, far in enumerate(distance, start=start):
                inside[own] = _by_order(far, rows, refused, k, itself=own)
                outside[own] = _by_order(far, others, others_refused, k)
    return inside, outside


def _by_steps(
    distance: np.ndarray, width: int, rows: np.ndarray, refused: np.ndarray, k: int, itself: bool
) -> np.ndarray:
    """The denied shares of many profiles at once, where distances are integers."""
    neighbours = np.full((len(distance), rows.shape[1]), -float(itself))
    denied = neighbours.copy()
    for d in range(width + 1):
        near = (distance == d).astype(float)
        open_ = neighbours < k
        neighbours = np.where(open_, neighbours + near @ rows, neighbours)
        denied = np.where(open_, denied + near @ refused, denied)
    return _share(denied, neighbours)


def _by_order(far: np.ndarray, rows: np.ndarray, refused: np.ndarray, k: int, itself: int | None = None) -> np.ndarray:
    """The denied shares of one profile with any distances: profiles are sorted by distance."""
    order = np.argsort(far, kind="stable")
    # where the next profile is farther; only there may the neighbours end
    ends = np.flatnonzero(np.append(np.diff(far[order]) > _SAME, True))
    reached, denied = rows[order].cumsum(axis=0)[ends], refused[order].cumsum(axis=0)[ends]
    if itself is not None:  # at distance 0, hence among the first
        reached, denied = reached - 1, denied - 1
    enough = np.minimum((reached < k).sum(axis=0), len(ends) - 1)
    columns = np.arange(rows.shape[1])
    return _share(denied[enough, columns], reached[enough, columns])


def _share(denied: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(neighbours > 0, denied / neighbours, np.nan)
