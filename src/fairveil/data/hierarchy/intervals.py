"""Intervals of numbers with clear edges: a value belongs to the interval whose label contains it.

Whole edges are labelled for whole numbers, both ends included ("20-39"); a number that is not whole is refused
there, by name. Other edges are labelled half-open ("[0.5, 1.0)"); `whole` says which of the two it is where the
edges do not tell. What lies below the first edge or from the last edge on gets an open interval ("<20", "≥60")
where `open_ended`, and is refused otherwise.

>>> ages = intervals([0, 10, 20, 30, 40], widths=(10, 20))
>>> [ages.bind([9, 10, 39]).labels[level] for level in (1, 2, 3)]
[('0-9', '10-19', '30-39'), ('0-19', '20-39'), ('*',)]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar

from fairveil.data.hierarchy.base import TOP, Hierarchy, each
from fairveil.errors import BadInput, refuse

FINEST = 1_000_000
"""Intervals of one level."""


@dataclass(frozen=True)
class Intervals(Hierarchy):
    """`levels[i]` are the ascending edges of level i+1; each level's edges are among those of the level below."""

    kind: ClassVar[str] = "intervals"
    levels: tuple[tuple[float, ...], ...]
    open_ended: bool = False
    whole: bool | None = None

    def __post_init__(self) -> None:
        problems = []
        for number, edges in enumerate(self.levels, start=1):
            least = "one" if self.open_ended else "two"
            if not all(map(isfinite, edges)):
                problems.append(f"level {number} of an intervals hierarchy has an edge that is no number")
            elif len(edges) < (1 if self.open_ended else 2) or list(edges) != sorted(set(edges)):
                problems.append(f"level {number} of an intervals hierarchy needs at least {least} ascending edges")
            elif number > 1:
                stray = sorted(set(edges) - set(self.levels[number - 2]))
                if stray:
                    problems.append(f"edge {stray[0]:g} of level {number} splits an interval of level {number - 1}")
        refuse(problems if self.levels else ["an intervals hierarchy needs edges"])

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        return each(values, self._place)

    def _place(self, value: Any) -> Sequence[str]:
        if isinstance(value, bool | str) or not isinstance(value, int | float):
            raise BadInput(f"{value!r} is not a number")
        return [*(self._label(value, edges) for edges in self.levels), TOP]

    def _label(self, value: float, edges: Sequence[float]) -> str:
        whole = all(float(edge).is_integer() for edge in edges) if self.whole is None else self.whole
        if whole and not float(value).is_integer():
            raise BadInput(f"{value!r} lies between the whole numbers that its interval names: add a decimal edge")
        place = bisect_right(edges, value)
        if place == 0 or place == len(edges):
            if not self.open_ended:
                raise BadInput(f"{value!r} is outside [{edges[0]:g}, {edges[-1]:g}): add edges or open_ended=True")
            return f"<{edges[0]:.12g}" if place == 0 else f"≥{edges[-1]:.12g}"
        low, high = edges[place - 1], edges[place]
        if not whole:
            return f"[{low:.12g}, {high:.12g})"
        return f"{low:.0f}" if high - low == 1 else f"{low:.0f}-{high - 1:.0f}"

    @property
    def height(self) -> int:
        return len(self.levels) + 1

    def in_order(self, level: int, labels: Sequence[Any]) -> list[Any]:
        if not 1 <= level <= len(self.levels):
            return super().in_order(level, labels)
        place = {label: number for number, label in enumerate(self._labels(level))}
        return sorted(labels, key=lambda label: (place.get(label, len(place)), str(label)))

    def _labels(self, level: int) -> list[str]:
        """All labels of a level, from the lowest interval up."""
        edges = self.levels[level - 1]
        ends = ([edges[0] - 1], [edges[-1]]) if self.open_ended else ([], [])
        return [self._label(value, edges) for value in (*ends[0], *edges[:-1], *ends[1])]

    def admits(self, level: int, label: Any) -> bool:
        if level == 0 or level > len(self.levels):
            return super().admits(0, label) if level == 0 else label == TOP
        return label in self._labels(level)


def intervals(
    edges: Sequence[float],
    *,
    widths: Sequence[float] = (),
    levels: Sequence[Sequence[float]] = (),
    open_ended: bool = False,
) -> Intervals:
    """Edges of level 1, then coarser levels: given as edge lists, or as `widths` counted from the first edge.

    With `widths` the first one is level 1 too, so that `intervals([0, 100], widths=(5, 10, 20))` needs no more.
    """
    if widths:
        low, high = edges[0], edges[-1]
        if any(width <= 0 for width in widths):
            raise BadInput("interval widths must be positive")
        finest = (high - low) / min(widths)
        if not finest <= FINEST:
            raise BadInput(f"widths of {min(widths):g} give more than {FINEST:,} intervals: choose wider ones")
        edge_lists = []
        for width in widths:
            count = int((high - low) // width)
            edge_lists.append(
                (
                    *(low + width * i for i in range(count + 1)),
                    *([high] if low + width * count < high else []),
                )
            )
        return Intervals(tuple(edge_lists), open_ended)
    return Intervals((tuple(edges), *(tuple(level) for level in levels)), open_ended)
