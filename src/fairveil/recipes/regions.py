"""Regions: what local recoding publishes instead of levels, one box per region of the quasi columns.

A box gives each column an interval of numbers or a node of its hierarchy. Rows of one region are published alike:

>>> Span(20, 40, whole=True).label(), Span(0.5, 1.5).label(), Span(None, 65, whole=True).label()
('20-39', '[0.5, 1.5)', '<65')
>>> Span(17.25, 17.25, through=True).label(), HierarchyNodeValue(1, "College").label()
('17.25', 'College')

The ends of an interval lie between values (`data/interval_edges.py`), and the outermost intervals are open: an end
is never one person's value. A value that a whole region shares is published as it is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.data.hierarchy import TOP, Levels
from fairveil.data.interval_edges import Edges, Number, from_json, text_of, to_json
from fairveil.data.numeric import is_number
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table, narrow
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput
from fairveil.recipes.group_values import GroupValues
from fairveil.recipes.new_data import settle
from fairveil.recipes.outcome import ONLY, Outcome

FLAGS = ("whole", "through", "missing", "empty")


@dataclass(frozen=True)
class Span:
    """Numbers from low up to, not including, high; None is an open end.

    whole    all numbers are whole, so that the label may name the last one inside
    through  high itself is inside, too
    missing  missing values are inside
    empty    no numbers are inside
    """

    low: Number | None
    high: Number | None
    whole: bool = False
    through: bool = False
    missing: bool = False
    empty: bool = False

    @property
    def _last(self) -> Number | None:
        """The last integer inside, if the label names it."""
        if self.whole and isinstance(self.low, int) and isinstance(self.high, int) and self.low >= 0:
            return self.high if self.through else self.high - 1
        return None

    def label(self) -> str | None:
        if self.empty:
            return None  # missing values only
        low, high, last = self.low, self.high, self._last
        if low is None and high is None:
            return TOP  # anything
        if low is None:
            text = f"{'≤' if self.through else '<'}{text_of(high)}"
        elif high is None:
            text = f"≥{text_of(low)}"
        elif low in (high, last):
            text = text_of(low)
        elif last is not None:
            text = f"{text_of(low)}-{text_of(last)}"
        else:
            text = f"[{text_of(low)}, {text_of(high)}{']' if self.through else ')'}"
        return f"{text} or missing" if self.missing else text

    def holds(self, domain: Sequence[Any]) -> np.ndarray:
        """Return which of these ascending values are inside; a missing value is the last."""
        inside = np.zeros(len(domain), dtype=bool)
        numbers = len(domain) - (None in domain[-1:])
        if not self.empty:
            start = 0 if self.low is None else bisect_left(domain, self.low, hi=numbers)
            end, closed = (self._last, True) if self._last is not None else (self.high, self.through)
            stop = numbers if end is None else (bisect_right if closed else bisect_left)(domain, end, hi=numbers)
            inside[start:stop] = True
        inside[numbers:] = self.missing
        return inside

    def to_list(self) -> list[Any]:
        return [to_json(self.low), to_json(self.high), *(flag for flag in FLAGS if getattr(self, flag))]


@dataclass(frozen=True)
class HierarchyNodeValue:
    """A node of the column's hierarchy: a label at a level."""

    level: int
    name: Any

    def label(self) -> str | None:
        return text_or_none(self.name)

    def to_list(self) -> dict[str, Any]:
        return {"level": self.level, "name": self.label()}


Side = Span | HierarchyNodeValue
Box = Mapping[str, Side]
NOTHING = Span(None, None, missing=True, empty=True)
"""The side of a region whose values are all missing."""


def side_from(spec: Any) -> Side:
    """Return the side that `to_list` wrote."""
    if isinstance(spec, Mapping):
        return HierarchyNodeValue(int(spec["level"]), spec["name"])
    return Span(from_json(spec[0]), from_json(spec[1]), **{flag: True for flag in spec[2:] if flag in FLAGS})


def hierarchy_columns(box: Box) -> list[str]:
    """Return the columns that follow their hierarchy."""
    return [name for name, side in box.items() if isinstance(side, HierarchyNodeValue)]


def tight(side: Span, edges: Edges) -> Span:
    """Return the same span; the value itself if only one value inside occurs, so that everybody in the region has it.

    Not together with missing values: then it may be a single person's.
    """
    if side.empty or side.missing or side.low == side.high is not None:
        return side
    start = 0 if side.low is None else bisect_left(edges.numbers, side.low)
    stop = len(edges.numbers)
    if side.high is not None:
        stop = (bisect_right if side.through else bisect_left)(edges.numbers, side.high)
    if stop - start != 1:
        return side
    value = edges.numbers[start]
    return Span(value, value, side.whole, through=True, missing=side.missing)


def numbers_of(column: Column) -> list[Any]:
    """Return the values of a column that the recipe treats as numbers."""
    if not is_number(column) and column.values.null_count < len(column.values):
        raise BadInput(f"column {column.name!r} holds {column.domain[0]!r}, but the recipe expects numbers")
    return column.domain


def recode_regions(table: Table, schema: Schema, boxes: Sequence[Box], region: np.ndarray) -> Outcome:
    """Return the table with every quasi value replaced by its region's, and what each published value costs.

    Rows of region -1 are suppressed.
    """
    rows, source_rows = table.rows, None
    if (region < 0).any():
        source_rows = np.flatnonzero(region >= 0)
        table, region = table.take(source_rows), region[source_rows]
    fresh, penalties, entropies = [], {}, {}
    for name in schema.quasi:
        column = table.column(name)
        published_column, sides = _sides(boxes, name)
        codes = published_column.codes[region].astype(np.int64)
        penalties[name] = (
            _losses(published_column, sides, column, schema),
            _hidden(codes, column, len(published_column.values)),
        )
        entropies[name] = float(_hidden(np.zeros(table.rows, dtype=np.int64), column, 1)[0])
        fresh.append(replace(published_column, codes=narrow(codes, len(published_column.values))))
    published = settle(table.with_columns(fresh), schema)
    return Outcome({ONLY: published}, rows, penalties, entropies, source_rows=source_rows)


def _sides(boxes: Sequence[Box], name: str) -> tuple[Column, dict[Side, int]]:
    """Return what each region publishes of a column, and the code of what each side publishes."""
    sides = [box[name] for box in boxes]
    code_of: dict[str | None, int] = {}
    place = {side: code_of.setdefault(side.label(), len(code_of)) for side in dict.fromkeys(sides)}
    codes = np.array([place[side] for side in sides], dtype=np.int64)
    return Column(name, codes, pa.array(list(code_of), pa.string())), place


def _losses(published: Column, sides: Mapping[Side, int], column: Column, schema: Schema) -> np.ndarray:
    """Return the loss of each published code."""
    named = any(isinstance(side, HierarchyNodeValue) for side in sides)
    levels = schema.hierarchy(column.name).bind(column.domain, column.name) if named else None
    leaves = levels.leaves if levels else len(column.values)
    loss = np.zeros(len(published.values))
    for side, code in sides.items():
        inside = int(holds(side, column, levels).sum())
        loss[code] = max(loss[code], max(inside - 1, 0) / max(leaves - 1, 1))
    return loss


def shown_by_region(boxes: Sequence[Box], name: str) -> Column:
    """Return what each region publishes of a column."""
    return _sides(boxes, name)[0]


def paid_by_region(
    boxes: Sequence[Box], schema: Schema, pairs: GroupValues, places: np.ndarray | None
) -> tuple[float, float]:
    """Return loss and hidden bits of one column, summed over all rows; `places` are the regions of the groups."""
    published, sides = _sides(boxes, pairs.column.name)
    codes = published.codes[pairs.groups if places is None else places[pairs.groups]]
    bits = _hidden(codes, pairs.column, len(published.values), pairs.counts)
    loss = _losses(published, sides, pairs.column, schema)
    rows = np.bincount(codes, weights=pairs.counts, minlength=len(loss))
    return float((rows * loss).sum()), float((rows * bits).sum())


def holds(side: Side, column: Column, levels: Levels | None) -> np.ndarray:
    """Which values of a column, or leaves of its hierarchy, are inside."""
    if isinstance(side, Span):
        return side.holds(numbers_of(column))
    assert levels is not None
    names = np.array([text_or_none(name) == side.label() for name in levels.labels[side.level]])
    return names[levels.codes[side.level]]


def _hidden(codes: np.ndarray, column: Column, size: int, counts: np.ndarray | None = None) -> np.ndarray:
    """Return H(value | published value) for each published value, from rows or from pairs with counts."""
    width = len(column.values)
    if counts is None:
        pairs, rows = np.unique(codes * width + column.codes, return_counts=True)
    else:
        pairs, place = np.unique(codes * width + column.codes, return_inverse=True)
        rows = np.bincount(place, weights=counts)
    groups = pairs // width
    total = np.bincount(groups, weights=rows, minlength=size)
    share = rows / total[groups]
    return np.bincount(groups, weights=-share * np.log2(share), minlength=size)


def published_labels(boxes: Sequence[Box], name: str) -> set[str | None]:
    return {side.label() for side in dict.fromkeys(box[name] for box in boxes)}


def covers(boxes: Sequence[Box], schema: Schema, rows: Table, published: Table) -> dict[str, np.ndarray]:
    """Return per quasi column whether the published value of each row is that of a region with its true value."""
    answers = {}
    for name in schema.quasi:
        column, published_column = rows.column(name), published.column(name)
        sides = dict.fromkeys(box[name] for box in boxes)
        named = any(isinstance(side, HierarchyNodeValue) for side in sides)
        levels = schema.hierarchy(name).bind(column.domain, name) if named else None
        inside = np.zeros((len(published_column.values), len(column.values)), dtype=bool)
        place = {text_or_none(value): code for code, value in enumerate(published_column.domain)}
        for side in sides:
            if side.label() in place:
                inside[place[side.label()]] |= holds(side, column, levels)[: len(column.values)]
        answers[name] = inside[published_column.codes, column.codes]
    return answers


def strays(boxes: Sequence[Box], column: Column, top: Any) -> list[Any]:
    """Return the values that no region publishes; `top` is the value of a row outside all regions."""
    labels = published_labels(boxes, column.name) | {TOP, text_or_none(top)}
    return [value for value in column.domain if text_or_none(value) not in labels]


def outside(table: Table, schema: Schema, box: Box) -> Box:
    """Return the box of a row outside all regions: it contains everything, in every column. `box` distinguishes numbers
    from names."""
    sides: dict[str, Side] = {}
    for name, side in box.items():
        if isinstance(side, Span):
            sides[name] = Span(None, None, missing=True)
        else:
            levels = schema.hierarchy(name).bind(table.column(name).domain, name)
            sides[name] = HierarchyNodeValue(levels.height, levels.labels[-1][0])
    return sides
