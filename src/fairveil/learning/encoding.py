"""Encodings: columns as the numbers that a classifier takes, learnt from one table and used on any other.

>>> import pyarrow as pa
>>> from fairveil.data.table import Table
>>> known = Table.from_frame(pa.table({"age": [20, 40], "job": ["cook", "nurse"]}))
>>> fresh = Table.from_frame(pa.table({"age": [60, 20], "job": ["pilot", "nurse"]}))
>>> OneHot.of(known, ["age", "job"]).matrix(fresh).tolist()
[[3.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]

All have `of(table, names)` and `matrix(table)`. They differ in ways that figures depend on:

OneHot    numbers and points in time standardized, missing at the mean; every category a column of its own. Columns of
          more than 200 categories are, where a target is given, as many numbers as it has classes (`Shares`), so that
          memory does not grow with the categories. For classifiers that look at distances (utility, tuning, the
          comparison of interventions)
Compact   numbers as they are, missing below the smallest; up to 64 categories one-hot, the first of them left out,
          beyond that one column in the order of the codes. For many rows that are few distinct ones (accuracy)
Blocks    numbers as they are, missing at the median and flagged; the 200 most frequent categories one-hot; or, for a
          classifier that is `coded`, one column each, NaN where missing, suppressed or never seen (projections)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairveil.data.hierarchy import TOP
from fairveil.data.numeric import is_measurable, is_number, numbers_per_value
from fairveil.data.text_form import as_text

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table

FEW_CATEGORIES = 64
"""Columns of more categories than these are one number in a `Compact` encoding."""
MAX_CATEGORIES = 200
"""Categories beyond the most frequent ones of a column share one column of a `Block`; a `OneHot` column of more than
these is encoded by the target."""
SHARES_FOLDS, SHARES_PRIOR = 5, 10.0
"""Training rows are encoded by the other folds; the table as a whole counts as this many rows of each category."""


Hidden = Literal["category", "missing"]
"""What a missing or suppressed cell ("*") of a column of categories is: a category like others, or in none of them."""


@dataclass(frozen=True)
class Scaled:
    """A number as its distance from the mean; a missing number is at the mean."""

    mean: float
    scale: float
    width = 1

    @classmethod
    def of(cls, column: Column) -> Scaled:
        numbers = numbers_per_value(column)[column.codes]
        if np.isnan(numbers).all():
            return cls(0.0, 1.0)
        return cls(float(np.nanmean(numbers)), float(np.nanstd(numbers)) or 1.0)

    def matrix(self, column: Column) -> np.ndarray:
        numbers = numbers_per_value(column) if is_measurable(column) else np.full(len(column.values), np.nan)
        return np.nan_to_num((numbers - self.mean) / self.scale)[column.codes][:, None]


@dataclass(frozen=True)
class Categories:
    """One column per category; an unknown category is in none, and a hidden one only if it is in the index."""

    index: dict[str | None, int]

    @property
    def width(self) -> int:
        return len(self.index)

    def indices(self, column: Column) -> list[int]:
        """Return the index of the category of each code; -1 for none."""
        return [self.index.get(_text(value), -1) for value in column.domain]

    def matrix(self, column: Column) -> np.ndarray:
        return _one_hot(self.indices(column), column.codes, self.width)


@dataclass(frozen=True)
class Shares:
    """A category as the share of each class of the target; an unknown category has the shares of the whole table.

    The shares of rare categories are shrunk towards those of the whole table. The training rows are encoded by the
    other folds (`training`): otherwise a category with one row would reveal that row's class.
    """

    index: dict[str | None, int]
    shares: np.ndarray
    prior: np.ndarray
    training: np.ndarray

    @classmethod
    def of(cls, column: Column, target: np.ndarray, classes: int, seed: int, hidden: Hidden = "category") -> Shares:
        counts = np.zeros((SHARES_FOLDS, len(column.values), classes))
        fold = np.random.default_rng(seed).permutation(len(column)) % SHARES_FOLDS
        np.add.at(counts, (fold, column.codes, target), 1)
        total = counts.sum(axis=0)
        training = np.zeros((len(column), classes))
        for number, outside in enumerate(total - counts):
            inside = np.flatnonzero(fold == number)
            training[inside] = cls._smoothed(outside)[column.codes[inside]]
        index, prior = _index(column, hidden), total.sum(axis=0) / max(len(column), 1)
        known = np.array([_text(value) in index for value in column.domain])
        training[~known[column.codes]] = prior
        return cls(index, cls._smoothed(total[known]), prior, training)

    @staticmethod
    def _smoothed(counts: np.ndarray) -> np.ndarray:
        prior = counts.sum(axis=0) / max(counts.sum(), 1)
        return np.asarray((counts + SHARES_PRIOR * prior) / (counts.sum(axis=1, keepdims=True) + SHARES_PRIOR))

    @property
    def width(self) -> int:
        return len(self.prior)

    def matrix(self, column: Column) -> np.ndarray:
        rows = np.vstack([self.shares, self.prior])  # unknown categories have the last index, -1
        return rows[[self.index.get(_text(value), -1) for value in column.domain]][column.codes]


@dataclass(frozen=True)
class OneHot:
    """The columns by name, each with its encoding."""

    columns: tuple[tuple[str, Scaled | Categories | Shares], ...]

    @classmethod
    def of(
        cls, table: Table, names: Sequence[str], target: np.ndarray | None = None, *, seed: int = 0,
        hidden: Hidden = "category",
    ) -> OneHot:  # fmt: skip
        """Learn the encoding from a table; `target` has the classes (0, 1, …) of its rows, if known."""

        def learnt(column: Column) -> Scaled | Categories | Shares:
            if is_measurable(column):
                return Scaled.of(column)
            if target is None or len(np.unique(column.codes)) <= MAX_CATEGORIES:
                return Categories(_index(column, hidden))
            return Shares.of(column, target, int(target.max()) + 1, seed, hidden)

        return cls(tuple((name, learnt(table.column(name))) for name in names))

    def matrix(self, table: Table) -> np.ndarray:
        """Return the matrix of other rows than the training rows."""
        return np.column_stack([learnt.matrix(table.column(name)) for name, learnt in self.columns])

    def training(self, table: Table) -> np.ndarray:
        """Return the matrix of the training rows."""
        blocks = [
            learnt.training if isinstance(learnt, Shares) else learnt.matrix(table.column(name))
            for name, learnt in self.columns
        ]
        return np.column_stack(blocks)

    def width(self, name: str) -> int:
        return dict(self.columns)[name].width


@dataclass(frozen=True)
class Compact:
    """Per column the number that stands for a missing value, or the indices of the categories."""

    columns: tuple[tuple[str, float | dict[str | None, int]], ...]

    @classmethod
    def of(cls, table: Table, names: Sequence[str]) -> Compact:
        def learnt(column: Column) -> float | dict[str | None, int]:
            if is_number(column):
                return float(np.nanmin(numbers_per_value(column), initial=0.0)) - 1
            return _index(column)

        return cls(tuple((name, learnt(table.column(name))) for name in names))

    def matrix(self, table: Table) -> np.ndarray:
        """Return the matrix; an unknown category is encoded as the first if one-hot, and before it otherwise."""
        blocks = [np.zeros((table.rows, 0 if self.columns else 1))]
        for name, learnt in self.columns:
            column = table.column(name)
            if not isinstance(learnt, dict):
                lookup: np.ndarray = np.nan_to_num(numbers_per_value(column), nan=learnt)[:, None]
            else:
                index = np.array([learnt.get(_text(value), -1) for value in column.domain], dtype=np.int64)[:, None]
                one_hot = len(learnt) <= FEW_CATEGORIES
                # the first category needs no column; a single category keeps an empty one
                lookup = index == np.arange(1, max(len(learnt), 2)) if one_hot else index
            blocks.append(lookup.astype(float)[column.codes])
        return np.hstack(blocks)


@dataclass(frozen=True)
class Block:
    """The encoding of one column, learnt from the training rows; `coded` as the classifier needs it."""

    index: dict[str | None, int] | None  # category -> column, None for a number
    width: int
    median: float = 0.0
    coded: bool = False

    @classmethod
    def of(cls, column: Column, *, coded: bool = False) -> Block:
        if is_number(column):
            numbers = numbers_per_value(column)[column.codes]
            present = numbers[~np.isnan(numbers)]
            holes = len(present) < len(numbers)
            return cls(None, 2 if holes else 1, float(np.median(present)) if len(present) else 0.0, coded)
        order = np.argsort(-np.bincount(column.codes, minlength=len(column.values)), kind="stable")
        values = [value for value in map(column.domain.__getitem__, order) if not (coded and is_hidden(value))]
        index = {_text(value): min(i, MAX_CATEGORIES - 1) for i, value in enumerate(values)}
        return cls(index, min(len(index), MAX_CATEGORIES), coded=coded)

    @property
    def shape(self) -> tuple[int, bool]:
        """Width and whether the column is categorical, as `C45` and `NaiveBayes` expect it."""
        return self.width, self.index is not None

    def matrix(self, column: Column) -> np.ndarray:
        """Return the columns; if `coded`, one: the index of each category, or the number; NaN where there is none."""
        if self.index is not None:
            categories = [self.index.get(_text(value), -1) for value in column.domain]
            if not self.coded:
                return _one_hot(categories, column.codes, self.width, np.float32)
            return np.where(np.array(categories) < 0, np.nan, categories)[column.codes][:, None]
        numbers = numbers_per_value(column)[column.codes][:, None]
        if self.coded:
            return numbers
        missing = np.isnan(numbers)
        return np.hstack([np.where(missing, self.median, numbers), missing][: self.width]).astype(np.float32)


@dataclass(frozen=True)
class Blocks:
    """Columns side by side, one block each; `coded` as the classifier needs them (`learning.classifiers.is_coded`)."""

    columns: tuple[tuple[str, Block], ...]

    @classmethod
    def of(cls, table: Table, names: Sequence[str], *, coded: bool = False) -> Blocks:
        return cls(tuple((name, Block.of(table.column(name), coded=coded)) for name in names))

    @property
    def shape(self) -> tuple[tuple[int, bool], ...]:
        return tuple(block.shape for _, block in self.columns)

    def matrix(self, table: Table) -> np.ndarray:
        return np.hstack([block.matrix(table.column(name)) for name, block in self.columns])


def is_hidden(value: Any) -> bool:
    """Whether a value is missing, or suppressed: "*", which a file for Weka has as "?"."""
    return value is None or value == TOP


def texts(table: Table, name: str) -> np.ndarray:
    """Return the values of a column by row, as text: this is how values of different tables are compared."""
    column = table.column(name)
    return np.array([as_text(value) for value in column.domain])[column.codes]


def labels_of(*columns: Column) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return all values of several columns as sorted texts, and the index of each column's rows among them."""
    domains = [np.array([as_text(value) for value in column.domain]) for column in columns]
    labels = np.unique(np.concatenate(domains))
    pairs = zip(domains, columns, strict=True)
    return labels, [np.searchsorted(labels, domain)[column.codes] for domain, column in pairs]


def _index(column: Column, hidden: Hidden = "category") -> dict[str | None, int]:
    """Return the index of each category that occurs; as text, because a number beside "*" is published as text."""
    values = [column.domain[code] for code in np.unique(column.codes)]
    return {_text(value): i for i, value in enumerate(v for v in values if hidden == "category" or not is_hidden(v))}


def _one_hot(categories: Sequence[int], codes: np.ndarray, width: int, dtype: type = np.float64) -> np.ndarray:
    """Return one column per category, from the index of each code's category; -1 is in none."""
    category = np.array(categories, dtype=np.int64)[codes]
    encoded: np.ndarray = np.zeros((len(codes), width), dtype)
    known = np.flatnonzero(category >= 0)
    encoded[known, category[known]] = 1.0
    return encoded


def _text(value: Any) -> str | None:
    return None if value is None else as_text(value)
