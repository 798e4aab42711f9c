"""Intervals of numbers with clear edges: a value belongs to the interval whose label contains it.

Integer edges have labels for integers, both ends included ("20-39"). Other edges, and all edges where not all numbers
are integers, have half-open labels ("[0.5, 1.0)"); `whole` decides where that is ambiguous. A later fraction falls into
the expected interval: 17.25 into 10-19 if the next interval starts at 20. Values below the first edge or from the last
edge on get an open interval ("<20", "≥60") if `open_ended`, and are refused otherwise.

Edges learnt from the data (`from_data`) lie between its values, and a release has those between the values of its own
rows.

>>> ages = intervals([0, 10, 20, 30, 40], widths=(10, 20))
>>> [ages.bind([9, 10, 39]).labels[level] for level in (1, 2, 3)]
[('0-9', '10-19', '30-39'), ('0-19', '20-39'), ('*',)]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise, repeat
from math import isfinite, isinf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, each
from fairveil.data.interval_edges import Edges, Number, from_json, text_of, to_json
from fairveil.errors import BadInput, refuse
from fairveil.messages import option
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.data.table import Column

FINEST = 1_000_000
"""Intervals of one level."""


@dataclass(frozen=True, repr=False)
class Intervals(Hierarchy):
    """`levels[i]` are the ascending edges of level i+1; each level's edges are among those of the level below."""

    kind: ClassVar[str] = "intervals"
    says: ClassVar[str] = "Ranges of numbers, wider at each level."
    levels: tuple[tuple[Number, ...], ...] = field(metadata=setting("edges of each level, the finest first"))
    open_ended: bool = field(
        default=False,
        metadata=setting("also accept values outside the edges (top and bottom coding)"),
    )
    whole: bool | None = field(default=None, metadata=setting("whether the values are integers"))
    from_data: bool | None = field(
        default=None, metadata=setting("in saved plans: whether the edges were derived from the data")
    )

    def __post_init__(self) -> None:  # without the check of every field, as there may be a million edges
        if self.from_data:  # a level may have lost all its edges: it is one interval
            object.__setattr__(self, "levels", tuple(tuple(map(from_json, level)) for level in self.levels))
            return
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

    @property
    def learnt(self) -> bool:
        return bool(self.from_data)

    @property
    def range(self) -> tuple[Any, Any] | None:
        return None if self.open_ended else (self.levels[0][0], self.levels[0][-1])

    def opened(self) -> Intervals:
        """The same intervals with the first and the last of each level open, so that every number is covered.

        >>> intervals([0, 100], widths=(25, 50)).opened().bind([-3, 24, 60, 104]).labels[1]
        ('<25', '50-74', '≥75')
        """
        levels = self.levels if self.open_ended else tuple(edges[1:-1] for edges in self.levels)
        levels = tuple(edges for edges in levels if edges)
        if not levels:
            raise BadInput("one interval tells nothing: give it an edge in between")
        whole = all(_is_whole(edge) for edges in levels for edge in edges) if self.whole is None else self.whole
        return Intervals(levels, open_ended=True, whole=whole)

    def stand_ins(self) -> list[int] | list[float]:
        """One number in each finest interval, where the first and the last are open, in ascending order."""
        edges = self.levels[0]
        numbers = [edges[0] - max(1, abs(int(edges[0]))), *edges]
        return [int(n) for n in numbers] if all(map(_is_whole, edges)) else [float(n) for n in numbers]

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "levels": [[to_json(edge) for edge in level] for level in self.levels]}

    def narrowed(self, column: Column, counts: np.ndarray | None = None) -> Hierarchy:
        if not self.from_data:
            return self
        edges = Edges.of(column, counts)
        levels = [sorted({near for edge in level if (near := edges.near(edge)) is not None}) for level in self.levels]
        return replace(self, levels=tuple(map(tuple, levels)), whole=edges.whole)

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        numbers = exact_floats(values)
        whole = self.whole
        if whole is None:
            plain = filter(_is_number, values)
            whole = all(map(_is_whole, plain)) if numbers is None else bool((numbers == np.floor(numbers)).all())
        marks = self._marks[whole]
        if numbers is None:
            return each(values, lambda value: self._place(value, marks))
        columns = []
        for _, edges, labels in marks:
            if edges is None:
                return each(values, lambda value: self._place(value, marks))
            places = np.searchsorted(edges, numbers, side="right")
            if (
                len(edges)
                and not self.open_ended
                and (places.min(initial=1) == 0 or places.max(initial=0) == len(edges))
            ):
                return each(values, lambda value: self._place(value, marks))
            columns.append([labels[place] for place in places.tolist()])
        return list(zip(*columns, repeat(TOP, len(values)), strict=True)), []

    def _place(self, value: Any, marks: _Marks) -> Sequence[str]:
        if not _is_number(value):
            raise BadInput(f"{value!r} is not a number")
        path = []
        for edges, _, labels in marks:
            place = bisect_right(edges, value)
            if edges and not self.open_ended and place in (0, len(edges)):
                raise BadInput(
                    f"{value!r} is outside [{edges[0]:g}, {edges[-1]:g}): add edges or {option('open_ended', True)}"
                )
            path.append(labels[place])
        return [*path, TOP]

    @cached_property
    def _marks(self) -> Mapping[bool, _Marks]:
        """For each level its edges, also as floats where those are exact, and the labels below, between and above them;
        for integers and for all other numbers."""
        return {
            whole: [(edges, exact_floats(edges), self._named(edges, whole)) for edges in self.levels]
            for whole in (True, False)
        }

    def _named(self, edges: Sequence[Number], whole: bool) -> list[str]:
        if not edges:
            return [TOP]
        whole = whole and all(map(_is_whole, edges))
        inner = [_between(low, high, whole) for low, high in pairwise(edges)]
        return [f"<{text_of(edges[0])}", *inner, f"≥{text_of(edges[-1])}"]

    @property
    def height(self) -> int:
        return len(self.levels) + 1

    def in_order(self, level: int, labels: Sequence[Any]) -> list[Any]:
        if not 1 <= level <= len(self.levels):
            return super().in_order(level, labels)
        place = {label: number for number, label in enumerate(self._labels(level))}
        return sorted(labels, key=lambda label: (place.get(label, len(place)), str(label)))

    def _labels(self, level: int) -> list[str]:
        """All labels of a level, in ascending order of the intervals."""
        styles = (True, False) if self.whole is None else (self.whole,)
        named = [self._marks[style][level - 1][2] for style in styles]
        if len(named[0]) > 1 and not self.open_ended:
            named = [labels[1:-1] for labels in named]
        return [label for alike in zip(*named, strict=True) for label in alike]

    def admits(self, level: int, label: Any) -> bool:
        if level == 0 or level > len(self.levels):
            return super().admits(0, label) if level == 0 else label == TOP
        return label in self._labels(level)


_Marks = list[tuple[Sequence[Number], np.ndarray | None, list[str]]]


def exact_floats(numbers: Sequence[Any]) -> np.ndarray | None:
    """Numbers as floats; None if one is not a number or not exactly a float."""
    kinds = set(map(type, numbers))
    if not kinds <= {int, float}:
        return None
    try:
        floats = np.array(numbers, dtype=np.float64)
    except OverflowError:
        return None
    return floats if int not in kinds or np.abs(floats).max() <= 1 << 53 else None


def _between(low: Any, high: Any, whole: bool) -> str:
    if not whole:
        return f"[{text_of(low)}, {text_of(high)})"
    return text_of(low) if high - low == 1 else f"{text_of(low)}-{text_of(high - 1)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _is_whole(value: Number) -> bool:
    return isinf(value) or value == value // 1


def intervals(
    edges: Sequence[float],
    *,
    widths: Sequence[float] = (),
    levels: Sequence[Sequence[float]] = (),
    open_ended: bool = False,
) -> Intervals:
    """`edges` of level 1, then coarser `levels`: given as edge lists, or as `widths` counted from the first edge. With
    `open_ended`, values below the first and above the last edge have an interval, too.

    With `widths` the first one is level 1 too, so that `intervals([0, 100], widths=(5, 10, 20))` is enough.
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
