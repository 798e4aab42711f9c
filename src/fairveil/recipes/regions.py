"""Regions: what local recoding publishes instead of levels, one box per region of the quasi columns.

A box gives each column an interval of numbers or a node of its hierarchy. Rows of one region are published alike:

>>> Span(20, 40, whole=True).label(), Span(0.5, 1.5).label(), Span(None, 65, whole=True).label()
('20-39', '[0.5, 1.5)', '<65')
>>> Span(17.25, 17.25, through=True).label(), HierarchyNodeValue(1, "College").label()
('17.25', 'College')

The ends of an interval lie on a grid of round numbers (`data/interval_edges.py`), and the outermost intervals are open:
no end tells one person's value. A value that a whole region shares is published as it is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from fairveil.counting.summary import entropy_of, joint_bits
from fairveil.data.hierarchy import TOP, Levels
from fairveil.data.interval_edges import Edges, Number, from_json, text_of, to_json
from fairveil.data.numeric import is_number
from fairveil.data.table import Column, Table, narrow
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput
from fairveil.recipes.outcome import ONLY, Outcome, settle
from fairveil.recipes.recipe import GroupValues, Indices, Recipe
from fairveil.recipes.stored import Form
from fairveil.shapes import cell, either, integer, many, record

if TYPE_CHECKING:
    from fairveil.data.schema import Schema


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

    def holds(self, column: Column, levels: Levels | None = None) -> np.ndarray:
        """Return which values of a column are inside; a missing value is the last."""
        domain, inside = column.domain, np.zeros(len(column.values), dtype=bool)
        if not is_number(column) and column.values.null_count < len(inside):
            raise BadInput(f"column {column.name!r} holds {domain[0]!r}, but the recipe expects numbers")
        numbers = len(domain) - (None in domain[-1:])
        if not self.empty:
            inside[self.part_of(domain, numbers)] = True
        inside[numbers:] = self.missing
        return inside

    def part_of(self, domain: Sequence[Any], numbers: int) -> slice:
        """Return which of the first `numbers` entries of a list, which are ascending numbers, are inside."""
        start = 0 if self.low is None else bisect_left(domain, self.low, hi=numbers)
        end, closed = (self.high, self.through) if self._last is None else (self._last, True)
        stop = numbers if end is None else (bisect_right if closed else bisect_left)(domain, end, hi=numbers)
        return slice(start, stop)

    def to_json(self) -> list[Any]:
        flags = [of.name for of in fields(self)[2:] if getattr(self, of.name)]
        return [to_json(self.low), to_json(self.high), *flags]


@dataclass(frozen=True)
class HierarchyNodeValue:
    """A node of the column's hierarchy: a label at a level."""

    level: int
    name: Any

    def label(self) -> str | None:
        return text_or_none(self.name)

    def holds(self, column: Column, levels: Levels | None) -> np.ndarray:
        """Return which leaves of the hierarchy are below the node: all of them, if it is the top."""
        assert levels is not None
        if self.name == TOP and self.level >= levels.height:
            return np.ones(levels.leaves, dtype=bool)
        names = np.array([text_or_none(name) == self.label() for name in levels.labels[self.level]])
        below: np.ndarray = names[levels.codes[self.level]]
        return below

    def to_json(self) -> dict[str, Any]:
        return {"level": self.level, "name": self.label()}


Side = Span | HierarchyNodeValue
Box = Mapping[str, Side]
NOTHING = Span(None, None, missing=True, empty=True)
"""The side of a region whose values are all missing."""
_NODE, _ENDS = record({"level": integer(0, 1000), "name": cell}), many(cell, 2)


def _side(value: Any, where: str) -> Side:
    content = either(_NODE, _ENDS)(value, where)
    if isinstance(content, Mapping):
        return HierarchyNodeValue(**content)
    flags = {of.name: True for of in fields(Span)[2:] if of.name in content[2:]}
    return Span(from_json(content[0]), from_json(content[1]), **flags)


SIDE = Form(_side, lambda side: side.to_json())
"""One side of a box: a node of a hierarchy, or the two ends of an interval with its flags."""


def tight(side: Span, edges: Edges) -> Span:
    """Return the same span; the value itself if only one value inside occurs, so that everybody in the region has it.
    Not together with missing values: then it may be a single person's."""
    if side.empty or side.missing or side.low == side.high is not None:
        return side
    values = edges.numbers[side.part_of(edges.numbers, len(edges.numbers))]
    return Span(values[0], values[0], side.whole, through=True) if len(values) == 1 else side


def top_node(schema: Schema, column: Column) -> HierarchyNodeValue:
    """Return the top of a column's hierarchy."""
    levels = schema.hierarchy(column.name).bind(column.domain, column.name)
    return HierarchyNodeValue(levels.height, levels.labels[-1][0])


class Regions(Recipe):
    """A recipe whose groups are regions."""

    groups_rows: ClassVar[bool] = True

    @property
    def boxes(self) -> Sequence[Box]:
        """The box of each region."""
        raise NotImplementedError

    @property
    def numeric(self) -> dict[str, bool]:
        """Whether the values of each column are numbers; otherwise they follow its hierarchy."""
        raise NotImplementedError

    @property
    def climbing(self) -> list[str]:
        return [name for name, is_numeric in self.numeric.items() if not is_numeric]

    def labels_of(self, name: str) -> set[str | None]:
        return {side.label() for side in dict.fromkeys(box[name] for box in self.boxes)}

    def strays(self, column: Column) -> list[Any]:
        labels = self.labels_of(column.name) | {TOP, text_or_none(self.top_of(column.name))}
        return [value for value in column.domain if text_or_none(value) not in labels]

    def top_of(self, name: str) -> Any:
        """Return what a row outside all regions publishes of a column with a hierarchy, if known."""
        raise NotImplementedError

    def inside(self, column: Column, sides: Iterable[Side]) -> dict[Side, np.ndarray]:
        """Return which values of a column are inside each side; after them come leaves that its hierarchy adds."""
        distinct = dict.fromkeys(sides)
        named = any(isinstance(side, HierarchyNodeValue) for side in distinct)
        levels = self.schema.hierarchy(column.name).bind(column.domain, column.name) if named else None
        return {side: side.holds(column, levels) for side in distinct}

    def regroup(self, table: Table, groups: np.ndarray, positions: Indices) -> Outcome:
        """Return every row published like its region; the group after the last region has the rows outside all."""
        rows, source_rows = table.rows, None
        outside = self._outside(table) if self.boxes else {}
        if (groups < 0).any():
            source_rows = np.flatnonzero(groups >= 0)
            table, groups = table.take(source_rows), groups[source_rows]
        fresh, penalties, entropies = [], {}, {}
        for name in self.schema.quasi:
            column = table.column(name)
            published, sides = self._sides(name, outside.get(name))
            codes, size = published.codes[groups].astype(np.int64), len(published.values)
            penalties[name] = (self._losses(sides, size, column), joint_bits(codes, column, size))
            entropies[name] = entropy_of(np.bincount(column.codes, minlength=len(column.values)))
            fresh.append(replace(published, codes=narrow(codes, size)))
        tables = {ONLY: settle(table.with_columns(fresh), self.schema)}
        return Outcome(tables, rows, penalties, entropies, source_rows=source_rows)

    def _outside(self, table: Table) -> Box:
        """Return the box of a row outside all regions: it contains everything, in every column."""
        everything = Span(None, None, missing=True)
        return {
            name: everything if is_numeric else top_node(self.schema, table.column(name))
            for name, is_numeric in self.numeric.items()
        }

    def _losses(self, sides: Mapping[Side, int], size: int, column: Column) -> np.ndarray:
        """Return the loss of each published code, given the code of each side."""
        loss = np.zeros(size)
        for side, inside in self.inside(column, sides).items():
            share = max(int(inside.sum()) - 1, 0) / max(len(inside) - 1, 1)
            loss[sides[side]] = max(loss[sides[side]], share)
        return loss

    def _sides(self, name: str, outside: Side | None = None) -> tuple[Column, dict[Side, int]]:
        """Return what each region publishes of a column, then what is published `outside` of all, if that is given; and
        the code of what each side publishes."""
        if (name, outside) not in self._known_sides:
            sides = [*(box[name] for box in self.boxes), *([] if outside is None else [outside])]
            code_of: dict[str | None, int] = {}
            codes = {side: code_of.setdefault(side.label(), len(code_of)) for side in dict.fromkeys(sides)}
            of_region = np.array([codes[side] for side in sides], dtype=np.int64)
            column = Column(name, of_region, pa.array(list(code_of), pa.string()))
            self._known_sides[name, outside] = column, codes
        return self._known_sides[name, outside]

    @cached_property
    def _known_sides(self) -> dict[tuple[str, Side | None], tuple[Column, dict[Side, int]]]:
        return {}

    def shown_by_group(self, name: str) -> Column | None:
        return self._sides(name)[0] if name in self.schema.quasi else None

    def paid(self, pairs: GroupValues, positions: Indices) -> tuple[float, float]:
        published, sides = self._sides(pairs.column.name)
        codes, size = (
            published.codes[pairs.groups if positions is None else positions[pairs.groups]],
            len(published.values),
        )
        bits = joint_bits(codes, pairs.column, size, pairs.counts)
        loss = self._losses(sides, size, pairs.column)
        rows = np.bincount(codes, weights=pairs.counts, minlength=size)
        return float((rows * loss).sum()), float((rows * bits).sum())

    def covers(self, rows: Table, published: Table) -> dict[str, np.ndarray]:
        answers = {}
        for name in self.schema.quasi:
            column, published_column = rows.column(name), published.column(name)
            inside = np.zeros((len(published_column.values), len(column.values)), dtype=bool)
            code_of = {text_or_none(value): code for code, value in enumerate(published_column.domain)}
            for side, values in self.inside(column, (box[name] for box in self.boxes)).items():
                if side.label() in code_of:
                    inside[code_of[side.label()]] |= values[: len(column.values)]
            answers[name] = inside[published_column.codes, column.codes]
        return answers
