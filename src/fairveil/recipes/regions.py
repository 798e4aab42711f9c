"""Regions: what local recoding publishes instead of levels, one box per region of the quasi columns.

A box gives each column an interval of numbers or a node of its hierarchy. Rows of one region are published alike:

>>> Span(17, 39).label(), Span(0.5, 1.5, above=True).label(), Place(1, "College").label()
('17-39', '(0.5, 1.5]', 'College')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.data.hierarchy import TOP, Levels
from fairveil.data.numeric import numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table, narrow
from fairveil.recipes.base import ONLY, Outcome, settle


@dataclass(frozen=True)
class Span:
    """Numbers from low to high, both included; `above` leaves low itself out, `missing` lets missing values in."""

    low: float
    high: float
    above: bool = False
    missing: bool = False

    def label(self) -> str | None:
        whole = float(self.low).is_integer() and float(self.high).is_integer() and not self.above
        if self.low > self.high:
            return None  # missing values only
        if np.isinf(self.low):
            return TOP  # anything
        if self.low == self.high:
            text = f"{self.low:.12g}"
        elif whole and self.low >= 0:
            text = f"{self.low:.0f}-{self.high:.0f}"
        else:
            text = f"{'(' if self.above else '['}{self.low:.12g}, {self.high:.12g}]"
        return text + " or missing" if self.missing else text

    def holds(self, numbers: np.ndarray) -> np.ndarray:
        """Which of these numbers are inside; a missing one is NaN."""
        inside = (numbers > self.low if self.above else numbers >= self.low) & (numbers <= self.high)
        result: np.ndarray = inside | np.isnan(numbers) if self.missing else inside
        return result

    def to_list(self) -> list[Any]:
        return [self.low, self.high, *(["above"] if self.above else []), *(["missing"] if self.missing else [])]


@dataclass(frozen=True)
class Place:
    """A node of the column's hierarchy: a value at a level."""

    level: int
    name: Any

    def label(self) -> str | None:
        return _text(self.name)

    def to_list(self) -> dict[str, Any]:
        return {"level": self.level, "name": self.name}


Side = Span | Place
Box = Mapping[str, Side]


def side_from(spec: Any) -> Side:
    """What `to_list` wrote."""
    if isinstance(spec, Mapping):
        return Place(int(spec["level"]), spec["name"])
    return Span(spec[0], spec[1], "above" in spec[2:], "missing" in spec[2:])


def plain_number(value: Any) -> Any:
    """A number as JSON keeps it: whole ones whole, all others with the fraction that a float has."""
    return value if isinstance(value, int) else float(value)


def hierarchy_columns(box: Box) -> list[str]:
    """The columns that follow their hierarchy."""
    return [name for name, side in box.items() if isinstance(side, Place)]


def recode_regions(table: Table, schema: Schema, boxes: Sequence[Box], region: np.ndarray) -> Outcome:
    """The table with every quasi value replaced by its region's, and what each published value costs.

    Rows of region -1 are left out.
    """
    rows, source_rows = table.rows, None
    if (region < 0).any():
        source_rows = np.flatnonzero(region >= 0)
        table, region = table.take(source_rows), region[source_rows]
    fresh, penalties, entropies = [], {}, {}
    for name in schema.quasi:
        column = table.column(name)
        sides = [box[name] for box in boxes]
        distinct = list(dict.fromkeys(sides))
        code_of: dict[str | None, int] = {}
        place = {side: code_of.setdefault(side.label(), len(code_of)) for side in distinct}
        labels = list(code_of)
        code_of_region = np.array([place[side] for side in sides], dtype=np.int64)
        codes = code_of_region[region]
        named = any(isinstance(side, Place) for side in distinct)
        levels = schema.hierarchy(name).bind(column.domain, name) if named else None
        numbers = None if named else numbers_per_value(column)
        leaves = levels.leaves if levels else len(column.values)
        loss = np.zeros(len(labels))
        for side in distinct:
            inside = int(holds(side, numbers, levels).sum())
            loss[place[side]] = max(loss[place[side]], max(inside - 1, 0) / max(leaves - 1, 1))
        penalties[name] = (loss, _hidden(codes, column, len(labels)))
        entropies[name] = float(_hidden(np.zeros(table.rows, dtype=np.int64), column, 1)[0])
        fresh.append(_column(name, codes, labels))
    published = settle(table.with_columns(fresh), schema)
    return Outcome({ONLY: published}, rows, penalties, entropies, source_rows=source_rows)


def _column(name: str, codes: np.ndarray, labels: list[str | None]) -> Column:
    return Column(name, narrow(codes, len(labels)), pa.array(labels, pa.string()))


def holds(side: Side, numbers: np.ndarray | None, levels: Levels | None) -> np.ndarray:
    """Which values of a column (or leaves of its hierarchy) are inside; one of `numbers` and `levels` is there."""
    if isinstance(side, Span):
        assert numbers is not None
        return side.holds(numbers)
    assert levels is not None
    names = np.array([_text(name) == side.label() for name in levels.labels[side.level]])
    return names[levels.codes[side.level]]


def _text(name: Any) -> str | None:
    return None if name is None else str(name)


def _hidden(codes: np.ndarray, column: Column, size: int) -> np.ndarray:
    """H(value | published value) for each published value, from the rows themselves."""
    width = len(column.values)
    pairs, counts = np.unique(codes * width + column.codes, return_counts=True)
    groups = pairs // width
    total = np.bincount(groups, weights=counts, minlength=size)
    share = counts / total[groups]
    return np.bincount(groups, weights=-share * np.log2(share), minlength=size)


def published_labels(boxes: Sequence[Box], name: str) -> set[str | None]:
    return {box[name].label() for box in boxes}


def strays(boxes: Sequence[Box], column: Column, top: Any) -> list[Any]:
    """Values that no region publishes; `top` is the value of a row outside all regions."""
    labels = published_labels(boxes, column.name) | {TOP, _text(top)}
    return [value for value in column.domain if value not in labels]


def outside(table: Table, schema: Schema, box: Box) -> Box:
    """The box of a row outside all regions: it holds everything, in every column. `box` tells numbers from names."""
    sides: dict[str, Side] = {}
    for name, side in box.items():
        if isinstance(side, Span):
            sides[name] = Span(-np.inf, np.inf, missing=True)
        else:
            levels = schema.hierarchy(name).bind(table.column(name).domain, name)
            sides[name] = Place(levels.height, levels.labels[-1][0])
    return sides
