"""PublishedColumn: the values of one column of a source, and what is published for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import numbers, plain
from fairveil.data.canonical import published_table
from fairveil.data.table import Column, Table
from fairveil.engines.value_dictionary import ValueDictionary
from fairveil.recipes.change import GROUP, Change
from fairveil.recipes.outcome import settle

if TYPE_CHECKING:
    from fairveil.engines.lazy import LazySource

LookedUp = Mapping[str, Mapping[str, tuple[np.ndarray, int]]]
"""For columns of the source, by name of the new column: the number of each spelling, and of a missing value or -1."""


def of_spellings(spelled: ValueDictionary, of_code: np.ndarray) -> tuple[np.ndarray, int]:
    """What is looked up for a column, from the number of each code."""
    return of_code[spelled.codes], int(of_code[spelled.missing]) if spelled.missing >= 0 else -1


def of_codes(source: LazySource, name: str, factor: int) -> tuple[np.ndarray, int]:
    """The codes of a column, multiplied by a factor."""
    spelled = source.spelled(name)
    return of_spellings(spelled, np.arange(len(spelled.values), dtype=np.int64) * factor)


@dataclass(frozen=True)
class PublishedColumn:
    """One published column: `lookup` has the published code of each source code, or -1 if no published row has it."""

    spelled: ValueDictionary
    lookup: np.ndarray
    values: pa.Array

    @cached_property
    def ranks(self) -> np.ndarray:
        """The rank of each published value in the order of rows."""
        return plain(pc.rank(self.values, sort_keys="ascending", tiebreaker="dense")).astype(np.int64) - 1

    @cached_property
    def ordered(self) -> pa.Array:
        """The published values sorted by rank."""
        return self.values.take(numbers(np.argsort(self.ranks)))

    @cached_property
    def rank_of_code(self) -> np.ndarray:
        """The rank of the published value of each code; the number of values where no published row has the code."""
        ranks: np.ndarray = np.append(self.ranks, len(self.values))[self.lookup]
        return ranks


def recoded_columns(
    source: LazySource, change: Change, present: Mapping[str, np.ndarray], by_group: Mapping[str, Column]
) -> dict[str, PublishedColumn]:
    """The published columns, derived from a table that contains each published value once. `present` has the codes of
    each column that occur in published rows, or the groups, where `by_group` has its value in each."""
    recipe = change.recipe
    rows = max(len(codes) for codes in present.values())
    columns = []
    for name, codes in present.items():
        padded = np.append(codes, np.full(rows - len(codes), codes[-1]))
        grouped = by_group.get(name)
        column = Column(name, padded, source.spelled(name).values) if grouped is None else grouped.take(padded)
        columns.append(column.compact())
    given = Table(tuple(columns), inferred=source.cell_reader.inferred, decimal=source.cell_reader.decimal)
    recoded = settle(given, recipe.schema) if change.staged else recipe.recode(given).table
    table = published_table(recoded, recipe.schema, published_as_read(source, change, list(present)))
    published = {}
    for column in table.columns:
        spelled, codes = source.spelled(GROUP if column.name in by_group else column.name), present[column.name]
        lookup = np.full(len(spelled.values), -1, dtype=np.int64)
        lookup[codes] = column.codes[: len(codes)]
        published[column.name] = PublishedColumn(spelled, lookup, column.values)
    return published


def values_of_groups(change: Change, names: Sequence[str]) -> dict[str, Column]:
    """The published value of each group, for the columns that are computed by group."""
    recoded = {name: change.recipe.shown_by_group(name) for name in names} if change.staged else {}
    positions = slice(None) if change.positions is None else change.positions
    return {name: replace(c, codes=c.codes[positions]) for name, c in recoded.items() if c is not None}


def published_as_read(source: LazySource, change: Change, names: Sequence[str]) -> list[str]:
    """The columns whose type is inferred from text, and that are published as they are."""
    inferred = source.cell_reader.inferred
    return [name for name in names if name in inferred and change.recipe.publishes_as_read(name)]
