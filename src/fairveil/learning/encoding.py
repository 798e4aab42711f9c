"""Encodings: columns as the numbers that a classifier takes, learnt from one table and used on any other.

>>> import pyarrow as pa
>>> known = Table.from_frame(pa.table({"age": [20, 40], "job": ["cook", "nurse"]}))
>>> fresh = Table.from_frame(pa.table({"age": [60, 20], "job": ["pilot", "nurse"]}))
>>> OneHot.of(known, ["age", "job"]).matrix(fresh).tolist()
[[3.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]

All have `of(table, names)` and `matrix(table)`. They differ in ways that figures depend on:

OneHot    numbers and points in time standardized, missing at the mean; every category a column of its own. For
          classifiers that look at distances (utility, tuning, the comparison of interventions)
Compact   numbers as they are, missing below the smallest; up to 64 categories one-hot, the first of them left out,
          beyond that one column in the order of the codes. For many rows that are few distinct ones (accuracy)
Blocks    numbers as they are, missing at the median and flagged; the 200 most frequent categories one-hot; or, for a
          classifier that is `coded`, one column each, NaN where missing or never seen (projections)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fairveil.data.numeric import is_measurable, is_number, numbers_per_value
from fairveil.data.table import Column, Table
from fairveil.data.texts import as_text

FEW_CATEGORIES = 64
"""Columns of more categories than these are one number in a `Compact` encoding."""
MOST_CATEGORIES = 200
"""Categories beyond the most frequent ones of a column share one place in a `Block`."""


class Encoding(Protocol):
    """What was learnt from one table, and turns tables of the same columns into matrices, a row per record."""

    def matrix(self, table: Table) -> np.ndarray: ...


@dataclass(frozen=True)
class OneHot:
    """Per column either (mean, standard deviation) or the categories, in column order."""

    columns: tuple[tuple[str, tuple[float, float] | tuple[Any, ...]], ...]
    numeric: frozenset[str]

    @classmethod
    def of(cls, table: Table, names: Sequence[str]) -> OneHot:
        columns: list[tuple[str, Any]] = []
        numeric = set()
        for name in names:
            column = table.column(name)
            if is_measurable(column):
                numbers = numbers_per_value(column)[column.codes]
                mean, scale = float(np.nanmean(numbers)), float(np.nanstd(numbers))
                columns.append((name, (mean, scale or 1.0)))
                numeric.add(name)
            else:
                counts = np.bincount(column.codes, minlength=len(column.values))
                columns.append((name, tuple(v for v, n in zip(column.domain, counts, strict=True) if n)))
        return cls(tuple(columns), frozenset(numeric))

    def matrix(self, table: Table) -> np.ndarray:
        """A missing number is the mean, an unknown category is none of the known ones."""
        blocks = []
        for name, learnt in self.columns:
            column = table.column(name)
            if name in self.numeric:
                mean, scale = learnt
                blocks.append(np.nan_to_num((numbers_per_value(column) - mean) / scale)[column.codes][:, None])
            else:
                lookup = np.array([[value == category for category in learnt] for value in column.domain], dtype=float)
                blocks.append(lookup.reshape(len(column.values), len(learnt))[column.codes])
        return np.column_stack(blocks)

    def width(self, name: str) -> int:
        return 1 if name in self.numeric else len(dict(self.columns)[name])


@dataclass(frozen=True)
class Compact:
    """Per column the number that stands for a missing one, or the places of the categories."""

    columns: tuple[tuple[str, float | dict[Any, int]], ...]

    @classmethod
    def of(cls, table: Table, names: Sequence[str]) -> Compact:
        columns: list[tuple[str, float | dict[Any, int]]] = []
        for name in names:
            column = table.column(name)
            if is_number(column):
                columns.append((name, float(np.nanmin(numbers_per_value(column), initial=0.0)) - 1))
            else:
                columns.append(
                    (name, {column.domain[code]: place for place, code in enumerate(np.unique(column.codes))})
                )
        return cls(tuple(columns))

    def matrix(self, table: Table) -> np.ndarray:
        """An unknown category is as the first one where categories are one-hot, and before it where they are not."""
        blocks = [np.zeros((table.rows, 0 if self.columns else 1))]
        for name, learnt in self.columns:
            column = table.column(name)
            if not isinstance(learnt, dict):
                lookup = np.nan_to_num(numbers_per_value(column), nan=learnt)[:, None]
            else:
                places = np.array([learnt.get(value, -1) for value in column.domain], dtype=np.int64)
                one_hot = len(learnt) <= FEW_CATEGORIES
                # the first category needs no column; the only one keeps an empty one
                lookup = places[:, None] == np.arange(1, max(len(learnt), 2)) if one_hot else places[:, None]
            blocks.append(lookup.astype(float)[column.codes])
        return np.hstack(blocks)


@dataclass(frozen=True)
class Block:
    """One column as numbers, learnt from training rows and the same for rows to classify."""

    places: dict[str | None, int] | None  # category -> column, None for a number
    width: int
    median: float = 0.0

    @classmethod
    def of(cls, column: Column) -> Block:
        if is_number(column):
            numbers = numbers_per_value(column)[column.codes]
            present = numbers[~np.isnan(numbers)]
            holes = len(present) < len(numbers)
            return cls(None, 2 if holes else 1, float(np.median(present)) if len(present) else 0.0)
        order = np.argsort(-np.bincount(column.codes, minlength=len(column.values)), kind="stable")
        places = {_text(column.domain[code]): min(i, MOST_CATEGORIES - 1) for i, code in enumerate(order)}
        return cls(places, min(len(places), MOST_CATEGORIES))

    @property
    def categorical(self) -> bool:
        return self.places is not None

    @property
    def shape(self) -> tuple[int, bool]:
        """Width and whether it is categorical: what `C45` and `NaiveBayes` ask for."""
        return self.width, self.categorical

    def matrix(self, column: Column, *, coded: bool = False) -> np.ndarray:
        return self._codes(column) if coded else self._one_hot(column)

    def _codes(self, column: Column) -> np.ndarray:
        """One column: the place of each category, or the number; NaN where there is none."""
        if self.places is None:
            return numbers_per_value(column)[column.codes][:, None]
        places = [np.nan if value is None else self.places.get(_text(value), np.nan) for value in column.domain]
        return np.array(places, dtype=float)[column.codes][:, None]

    def _one_hot(self, column: Column) -> np.ndarray:
        encoded = np.zeros((len(column), self.width), dtype=np.float32)
        if self.places is None:
            numbers = numbers_per_value(column)[column.codes]
            missing = np.isnan(numbers)
            encoded[:, 0] = np.where(missing, self.median, numbers)
            if self.width == 2:
                encoded[:, 1] = missing
            return encoded
        place = np.array([self.places.get(_text(value), -1) for value in column.domain])[column.codes]
        placed = np.flatnonzero(place >= 0)
        encoded[placed, place[placed]] = 1.0
        return encoded


@dataclass(frozen=True)
class Blocks:
    """Columns side by side, a block each; `coded` as the classifier wants them (`learning.classifiers.is_coded`)."""

    blocks: tuple[Block, ...]
    names: tuple[str, ...]
    coded: bool = False

    @classmethod
    def of(cls, table: Table, names: Sequence[str], *, coded: bool = False) -> Blocks:
        return cls(tuple(Block.of(table.column(name)) for name in names), tuple(names), coded)

    @property
    def shape(self) -> tuple[tuple[int, bool], ...]:
        return tuple(block.shape for block in self.blocks)

    def matrix(self, table: Table) -> np.ndarray:
        pairs = zip(self.blocks, self.names, strict=True)
        return np.hstack([block.matrix(table.column(name), coded=self.coded) for block, name in pairs])


def texts(table: Table, name: str) -> np.ndarray:
    """What each row holds in a column, as text: how values of different tables are compared."""
    column = table.column(name)
    return np.array([as_text(value) for value in column.domain])[column.codes]


def labels_of(*columns: Column) -> tuple[np.ndarray, list[np.ndarray]]:
    """All values of several columns as sorted texts, and each column's rows as places among them."""
    domains = [np.array([as_text(value) for value in column.domain]) for column in columns]
    labels = np.unique(np.concatenate(domains))
    pairs = zip(domains, columns, strict=True)
    return labels, [np.searchsorted(labels, domain)[column.codes] for domain, column in pairs]


def _text(value: Any) -> str | None:
    return None if value is None else as_text(value)
