"""How many people of a register each published class stands for: those whose values its labels cover.

A label covers a value if the column's hierarchy generalizes the value to it. Where the labels of a column are all of
one level, as in full-domain generalization, each value has one label; otherwise (local recoding) labels may overlap,
and every pair of a label and a value is compared. A label that no level has is read as an interval of numbers.

Every row of a register is a person, unless it has the column that says who a row of the data is about: then different
persons are counted, as they are in the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.tuples import first_rows, group_of
from fairveil.data.hierarchy import TOP, Hierarchy
from fairveil.data.table import Column
from fairveil.data.text_form import as_text, interval_of, position
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.data.population import Population
    from fairveil.data.schema import Schema

UNLABELLED = (
    "a register is compared with published values, and this method forms groups of records before it knows those: use "
    "incognito, best-first, datafly or roll-up, or declare the size of the population instead"
)
BLOCK = 1 << 24
"""Pairs of classes and people of the register that are compared at a time."""


def register_sizes(classes: Classes, schema: Schema, population: Population) -> np.ndarray:
    """The number of people in the register whom each class stands for; `classes` have the codes of the quasi
    columns."""
    key = (schema.person, *((name, id(schema.hierarchies.get(name))) for name in schema.quasi))
    if key not in population.matches:
        table = population.table
        missing = [repr(name) for name in schema.quasi if name not in table]
        if missing:
            raise BadInput(
                f"the register has no column {', '.join(missing)}: it needs every quasi column of the data, under the "
                "same name"
            )
        columns = {name: RegisterColumn(table.column(name), schema.hierarchy(name)) for name in schema.quasi}
        whose = [schema.person] if schema.person is not None and schema.person in table else []
        cells = Cells.of(table, [*schema.quasi, *whose])
        population.matches[key] = cells, cells.codes[whose[0]] if whose else None, columns, schema  # keeps the ids
    cells, persons, columns, _ = population.matches[key]
    example = np.zeros(len(classes), dtype=np.int64)  # of each class, one of its cells
    example[classes.ids] = np.arange(len(classes.ids))
    if any(name not in classes.codes or isinstance(classes.labels[name], range) for name in schema.quasi):
        raise BadInput(UNLABELLED)
    codes_of_class = {name: classes.codes[name][example] for name in schema.quasi}
    if any((codes_of_class[name][classes.ids] != classes.codes[name]).any() for name in schema.quasi):
        raise BadInput(UNLABELLED)
    covers = {name: columns[name].covered(classes.labels[name]) for name in schema.quasi}
    if all(cover.label is not None for cover in covers.values()):
        return _looked_up(cells, persons, covers, codes_of_class, len(classes))
    return _compared(cells, persons, covers, codes_of_class, len(classes))


def register_people(schema: Schema, population: Population) -> int:
    """The number of people in the register."""
    table = population.table
    if schema.person is None or schema.person not in table:
        return table.rows
    return int((np.bincount(table.column(schema.person).codes) > 0).sum())


@dataclass(frozen=True, eq=False)
class Cover:
    """Which values of the register each label covers: `label` has the only one of each value (-1: none), or `pairs`
    has a row per label and a column per value."""

    labels: Sequence[Any]
    label: np.ndarray | None
    pairs: np.ndarray | None = None

    @property
    def matrix(self) -> np.ndarray:
        if self.label is None:
            assert self.pairs is not None
            return self.pairs
        covers: np.ndarray = np.arange(len(self.labels))[:, None] == self.label[None, :]
        return covers


@dataclass(frozen=True, eq=False)
class RegisterColumn:
    """A quasi column of a register with its hierarchy."""

    column: Column
    rule: Hierarchy
    covers: dict[int, Cover] = field(default_factory=dict)

    @cached_property
    def levels(self) -> list[list[str | None]]:
        """Per level, the label of each value; a value that the hierarchy does not cover has none above level 0."""
        present = [value for value in self.column.domain if value is not None]
        paths = [[as_text(label) for label in path] for path in self.rule.paths(present)[0]]
        height = max(map(len, paths), default=0)
        rows: list[list[str | None]] = [
            [as_text(value), *(path or ["\0"] * height), TOP] for value, path in zip(present, paths, strict=True)
        ]
        if self.column.has_missing:
            tops = {row[-2] for row in rows} if height else set()
            last = [tops.pop()] if len(tops) == 1 else [None] * min(height, 1)  # a single top covers missing values
            rows.append([None, *[None] * (height - 1), *last, TOP])
        return [list(level) for level in zip(*rows, strict=True)]

    def covered(self, labels: Any) -> Cover:
        """Which values these published labels cover; computed once for the same labels."""
        cover = self.covers.get(id(labels))
        if cover is None or cover.labels is not labels:
            cover = self.covers[id(labels)] = self._covered(labels)
        return cover

    def _covered(self, labels: Any) -> Cover:
        values = labels.to_pylist() if hasattr(labels, "to_pylist") else list(labels)
        texts = [None if value is None else as_text(value) for value in values]
        levels = [set(level) for level in self.levels]
        at = [next((number for number, level in enumerate(levels) if text in level), None) for text in texts]
        known = {text for text, number in zip(texts, at, strict=True) if number is not None}
        together = next((number for number, level in enumerate(levels) if known <= level), None)
        if together is not None and not any(self._interval(text) is not None for text in {*texts} - known):
            code = {text: number for number, text in enumerate(texts)}
            return Cover(labels, np.array([code.get(text, -1) for text in self.levels[together]], dtype=np.int64))
        pairs = np.zeros((len(texts), len(self.column.values)), dtype=bool)
        for row, (text, number) in enumerate(zip(texts, at, strict=True)):
            if number is not None:
                pairs[row] = [label == text for label in self.levels[number]]
            elif (interval := self._interval(text)) is not None:
                pairs[row] = interval
        return Cover(labels, None, pairs)

    def _interval(self, text: str | None) -> np.ndarray | None:
        """Which values an interval of numbers covers; None if the label is not one, or covers none."""
        if text is None:
            return None
        ends = interval_of(text.removesuffix(" or missing"), dates=True)
        if ends is None:
            return None
        numbers = np.array([position(value) for value in self.column.domain], dtype=float)
        inside = ends.holds(numbers)
        if text.endswith(" or missing") and self.column.has_missing:
            inside[-1] = True
        return inside if inside.any() else None


def _looked_up(
    cells: Cells, persons: np.ndarray | None, covers: dict[str, Cover], codes_of_class: dict[str, np.ndarray],
    total: int,
) -> np.ndarray:  # fmt: skip
    """The sizes where every value of the register has at most one label."""
    codes = {name: cover.label[cells.codes[name]] for name, cover in covers.items() if cover.label is not None}
    inside = np.logical_and.reduce([column >= 0 for column in codes.values()])
    columns = [
        (np.concatenate([codes_of_class[name], column[inside]]), len(covers[name].labels))
        for name, column in codes.items()
    ]
    groups, number = group_of(columns, total + int(inside.sum()))
    people = np.bincount(groups[total:], weights=cells.counts[inside], minlength=number)
    if persons is not None:
        of_cell, who = groups[total:], persons[inside]
        once = first_rows([(of_cell, number), (who, int(persons.max(initial=0)) + 1)], len(who))[1]
        people = np.bincount(of_cell[once], minlength=number).astype(float)
    sizes: np.ndarray = people[groups[:total]]
    return sizes


def _compared(
    cells: Cells, persons: np.ndarray | None, covers: dict[str, Cover], codes_of_class: dict[str, np.ndarray],
    total: int,
) -> np.ndarray:  # fmt: skip
    """The sizes where labels may overlap: every class is compared with every distinct person of the register."""
    sizes, step = np.zeros(total), max(BLOCK // max(len(cells), 1), 1)
    matrices = {name: cover.matrix for name, cover in covers.items()}
    order = np.arange(len(cells)) if persons is None else np.argsort(persons, kind="stable")
    starts = None if persons is None else np.flatnonzero(np.diff(persons[order], prepend=-1))
    for start in range(0, total, step):
        block = slice(start, start + step)
        inside = np.ones((len(sizes[block]), len(cells)), dtype=bool)
        for name, matrix in matrices.items():
            inside &= matrix[codes_of_class[name][block]][:, cells.codes[name][order]]
        if starts is None:
            sizes[block] = inside @ cells.counts.astype(float)
        else:
            sizes[block] = np.logical_or.reduceat(inside, starts, axis=1).sum(axis=1)
    return sizes
