"""Intervals of numbers with clear edges: a value belongs to the interval whose label contains it.

Integer edges have labels for integers, both ends included ("20-39"). Other edges, and all edges where not all numbers
are integers, have half-open labels ("[0.5, 1.0)"); `whole` decides where that is ambiguous. A later fraction falls into
the expected interval: 17.25 into 10-19 if the next interval starts at 20. Values below the first edge or from the last
edge on get an open interval ("<20", "≥60") if `open_ended`, and are refused otherwise.

Edges learnt from the data (`from_data`) lie on its grid (`data/interval_edges.py`), and a release has those of the grid
of its own rows.

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

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, LeveledHierarchy, each
from fairveil.data.interval_edges import Edges, Number, from_json, text_of, to_json
from fairveil.errors import BadInput, refuse
from fairveil.messages import option
from fairveil.settings import required, setting

if TYPE_CHECKING:
    from fairveil.data.table import Column

MAX_INTERVALS = 1_000_000
"""Maximum number of intervals of one level."""


@dataclass(frozen=True, repr=False)
class Intervals(LeveledHierarchy):
    """Intervals of numbers: `levels[i]` are the ascending edges of level i+1, all among those of the level below."""

    kind: ClassVar[str] = "intervals"
    says: ClassVar[str] = "Ranges of numbers, wider at each level."
    per_level: ClassVar[str] = "levels"
    levels: tuple[tuple[Number, ...], ...] = field(metadata=required("edges of each level, the finest first"))
    open_ended: bool = setting(False, "also accept values outside the edges (top and bottom coding)")
    whole: bool | None = setting(None, "whether the values are integers")
    from_data: bool | None = setting(None, "in saved plans: whether the edges were derived from the data")

    def __post_init__(self) -> None:  # without the check of every field, as there may be a million edges
        if self.from_data:  # a level may have lost all its edges: it is one interval
            object.__setattr__(self, "levels", tuple(tuple(map(from_json, level)) for level in self.levels))
            return
        problems = []
        for number, edges in enumerate(self.levels, start=1):
            minimum, words = (1, "one") if self.open_ended else (2, "two")
            if not all(map(isfinite, edges)):
                problems.append(f"level {number} of an intervals hierarchy has an edge that is not a finite number")
            elif len(edges) < minimum or list(edges) != sorted(set(edges)):
                problems.append(f"level {number} of an intervals hierarchy needs at least {words} ascending edges")
            elif number > 1 and (stray := sorted(set(edges) - set(self.levels[number - 2]))):
                problems.append(f"edge {stray[0]:g} of level {number} splits an interval of level {number - 1}")
        refuse(problems if self.levels else ["an intervals hierarchy needs edges"])

    @property
    def learnt(self) -> bool:
        return bool(self.from_data)

    @property
    def range(self) -> tuple[Any, Any] | None:
        return None if self.open_ended else (self.levels[0][0], self.levels[0][-1])

    @property
    def edges(self) -> Sequence[Number]:
        return () if self.from_data else self.levels[0]

    def opened(self) -> Intervals:
        """The same intervals with the first and the last of each level open, so that every number is covered.

        >>> intervals([0, 100], widths=(25, 50)).opened().bind([-3, 24, 60, 104]).labels[1]
        ('<25', '50-74', '≥75')
        """
        levels = self.levels if self.open_ended else tuple(edges[1:-1] for edges in self.levels)
        levels = tuple(edges for edges in levels if edges)
        if not levels:
            raise BadInput("a single interval carries no information: add an edge inside it")
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
        edges = Edges.of(column)
        levels = [sorted({near for edge in level if (near := edges.near(edge)) is not None}) for level in self.levels]
        return replace(self, levels=tuple(map(tuple, levels)), whole=edges.whole)

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        numbers = exact_floats(values)
        whole = self.whole
        if whole is None:
            plain = filter(_is_number, values)
            whole = all(map(_is_whole, plain)) if numbers is None else bool((numbers == np.floor(numbers)).all())
        scales = self._scales[whole]
        columns = [None if numbers is None else self._labelled(numbers, scale) for scale in scales]
        if None in columns:
            return each(values, lambda value: self._position(value, scales))
        return list(zip(*filter(None, columns), repeat(TOP, len(values)), strict=True)), []

    def _labelled(self, numbers: np.ndarray, scale: _Scale) -> list[str] | None:
        """The labels of all numbers at one level; None if an edge is not exactly a float, or a number is outside."""
        _, edges, labels = scale
        if edges is None:
            return None
        positions = np.searchsorted(edges, numbers, side="right")
        outside = positions.min(initial=1) == 0 or positions.max(initial=0) == len(edges)
        if len(edges) and not self.open_ended and outside:
            return None
        return [labels[position] for position in positions.tolist()]

    def _position(self, value: Any, scales: Sequence[_Scale]) -> Sequence[str]:
        if not _is_number(value):
            raise BadInput(f"{value!r} is not a number")
        path = []
        for edges, _, labels in scales:
            position = bisect_right(edges, value)
            if edges and not self.open_ended and position in (0, len(edges)):
                raise BadInput(
                    f"{value!r} is outside [{edges[0]:g}, {edges[-1]:g}): add edges or {option('open_ended', True)}"
                )
            path.append(labels[position])
        return [*path, TOP]

    @cached_property
    def _scales(self) -> Mapping[bool, Sequence[_Scale]]:
        """The scale of each level, for integers and for all other numbers."""
        return {
            whole: [(edges, exact_floats(edges), _named(edges, whole)) for edges in self.levels]
            for whole in (True, False)
        }

    def listed_labels(self, level: int) -> list[str]:
        if not 1 <= level <= len(self.levels):
            return []
        styles = (True, False) if self.whole is None else (self.whole,)
        named = [self._scales[style][level - 1][2] for style in styles]
        if len(named[0]) > 1 and not self.open_ended:
            named = [labels[1:-1] for labels in named]
        return [label for alike in zip(*named, strict=True) for label in alike]

    def fits(self, level: int, label: Any) -> bool:
        return label in self.listed_labels(level)

    def stand_in(self, level: int, label: Any) -> Any:
        edges = self.levels[level - 1]
        listed = self._stand_ins.setdefault(level, {})
        if not listed and edges:
            for whole in (True, False):
                listed |= dict(zip(self._scales[whole][level - 1][2], [edges[0] - 1, *edges], strict=True))
        if label not in listed:
            raise BadInput(f"{label!r} is not an interval of level {level}")
        return listed[label]


_Scale = tuple[Sequence[Number], np.ndarray | None, list[str]]
"""The edges of a level, also as floats where those are exact, and the labels below, between and above them."""


def _named(edges: Sequence[Number], whole: bool) -> list[str]:
    if not edges:
        return [TOP]
    inner = [f"[{text_of(low)}, {text_of(high)})" for low, high in pairwise(edges)]
    if whole and all(map(_is_whole, edges)):
        ends = [(text_of(low), text_of(high - 1)) for low, high in pairwise(edges)]
        inner = [low if low == high else f"{low}-{high}" for low, high in ends]
    return [f"<{text_of(edges[0])}", *inner, f"≥{text_of(edges[-1])}"]


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
        if not (high - low) / min(widths) <= MAX_INTERVALS:
            raise BadInput(f"widths of {min(widths):g} give more than {MAX_INTERVALS:,} intervals: choose wider ones")
        regular = [[low + width * i for i in range(int((high - low) // width) + 1)] for width in widths]
        return Intervals(tuple((*level, high) if level[-1] < high else tuple(level) for level in regular), open_ended)
    return Intervals((tuple(edges), *(tuple(level) for level in levels)), open_ended)
