"""A compromise between measures: which candidate, and one sentence that says why.

>>> from fairveil import measures
>>> loss, k = measures.get("loss"), measures.get("k")
>>> found = compromise({loss: np.array([0.1, 0.3, 0.6, 1.0]), k: np.array([5.0, 60, 80, 9000])})
>>> found.position
1
>>> print(found.reason)
loss of detail 0.3 (0.1 to 1) and smallest class 60 (5 to 9,000): of 4 candidates that no other beats, the best balance

Every measure is scaled to 0…1 over the frontier: k as the risk 1/k, since the step from 5 to 10 protects more than that
from 5,000 to 10,000, others without an upper bound by their logarithm. The best balance is the least sum. The ends of
the frontier, best or worst in one measure, are no compromise: they are taken only where there is nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairveil.choice.pareto import pareto
from fairveil.data.numeric import significant
from fairveil.errors import BadInput
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.measures import Measure


@dataclass(frozen=True)
class Compromise:
    """The position of a candidate, and why it is the compromise."""

    position: int
    reason: str


def compromise(values: Mapping[Measure, np.ndarray]) -> Compromise:
    """Return the compromise among candidates, given each measure of all of them; raises BadInput if there is none."""
    if len(values) < 2:
        raise BadInput("a compromise needs at least two measures")
    points = np.column_stack([measure.loses(_scaled(measure, column)) for measure, column in values.items()])
    points = np.where(np.isfinite(points), points, np.inf)
    front = np.flatnonzero(pareto(points) & np.isfinite(points).all(axis=1))
    if not len(front):
        raise BadInput(f"no candidate has a value of {' and '.join(measure.name for measure in values)}")
    low, high = points[front].min(axis=0), points[front].max(axis=0)
    share = significant((points[front] - low) / np.where(high > low, high - low, 1.0))
    best, worst = (share == 0).any(axis=1) & (high > low).any(), (share == 1).any(axis=1)
    usable = next(mask for mask in (~best & ~worst, ~worst, np.ones(len(front), dtype=bool)) if mask.any())
    useful = [index for index, measure in enumerate(values) if measure.family in ("loss", "utility")] or [0]
    order = np.lexsort((share[:, useful[0]], significant(share.sum(axis=1)), ~usable))
    chosen = int(front[order[0]])
    return Compromise(chosen, _reason(values, front, chosen))


def _scaled(measure: Measure, column: np.ndarray) -> np.ndarray:
    """The measure; where it has no upper bound, its logarithm, or the risk where it is the size of classes."""
    low, high = measure.range
    if (measure.family, measure.better, low) == ("risk", "higher", 1):
        return -1 / column
    return np.log1p(column) if low >= 0 and high == np.inf else column


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _reason(values: Mapping[Measure, np.ndarray], front: np.ndarray, chosen: int) -> str:
    stated = [
        f"{measure.title} {_figure(column[chosen])} ({_figure(column[front].min())} to {_figure(column[front].max())})"
        for measure, column in values.items()
    ]
    listed = f"{', '.join(stated[:-1])} and {stated[-1]}"
    if len(front) == 1:
        return f"{listed}: no other candidate is better in any of them"
    return f"{listed}: of {counted(len(front), 'candidate')} that no other beats, the best balance"
