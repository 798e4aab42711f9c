"""The canonical form of a published column: only values that occur, in their narrowest type, sorted. A published
column and the one read back from its file are then equal, code by code. Identifiers are published as pseudonyms.

>>> age = Column("age", np.array([2, 0], dtype=np.uint8), pa.array([1.0, 2.5, 30.0]))
>>> column = canonical(age)
>>> column.domain, column.codes.tolist()
([1, 30], [1, 0])
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import numbers, plain, texts
from fairveil.data.coding import Coder, typed
from fairveil.data.table import Column, Table, narrow
from fairveil.data.types import narrowest
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.data.schema import Schema


KEY_VARIABLE = "FAIRVEIL_KEY"
MIN_KEY = 16
"""Minimum number of characters of the secret key."""


def published_table(table: Table, schema: Schema, as_read: Collection[str] = ()) -> Table:
    """The table in its canonical form. `as_read` are columns that are published as read from a text file.

    Their type is inferred again from their published texts: a text that is not published may be the only reason why
    such a column was not read as numbers.
    """
    typed_columns = (
        _typed(column.compact(), table.decimal) if column.name in as_read else column for column in table.columns
    )
    columns = tuple(in_order(canonical(column), schema) for column in typed_columns)
    return replace(table, columns=columns, inferred=frozenset())


def canonical(column: Column) -> Column:
    """The column with only values that occur, in the narrowest type, sorted; missing comes last."""
    column = column.readable().compact()
    values = narrowest(column.values)
    order = plain(pc.sort_indices(values)).astype(np.int64)
    if values is column.values and (np.diff(order) > 0).all():
        return column
    return _reordered(replace(column, values=values), order)


def in_order(column: Column, schema: Schema) -> Column:
    """A column at a fixed level with its labels in the order of its hierarchy: 5-9 before 10-14."""
    level = schema.levels.get(column.name)
    if level is None:
        return column
    labels = schema.hierarchy(column.name).in_order(level, [value for value in column.domain if value is not None])
    rank = {label: position for position, label in enumerate(labels)}
    order = sorted(range(len(column.values)), key=lambda code: rank.get(column.domain[code], len(rank)))
    return column if order == list(range(len(order))) else _reordered(column, np.array(order, dtype=np.int64))


def _reordered(column: Column, order: np.ndarray) -> Column:
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return Column(column.name, narrow(rank, len(order))[column.codes], column.values.take(numbers(order)))


def _typed(column: Column, decimal: str | None) -> Column:
    """A column of texts in the inferred type, unless two texts would become one value; timestamps that are all midnight
    become dates."""
    if pa.types.is_timestamp(column.values.type):
        days = column.values.cast(pa.date32(), safe=False)
        return replace(column, values=days) if days.cast(column.values.type).equals(column.values) else column
    if not pa.types.is_string(column.values.type):
        return column
    coder = Coder(column.name)
    coder.add(column.values)
    try:
        retyped = typed(coder, decimal=decimal)
    except BadInput:  # numbers among words
        return column
    if len(retyped.values) < len(column.values):
        return column
    return Column(column.name, retyped.codes[column.codes], retyped.values)


def pseudonymize(column: Column) -> Column:
    """The column with each value replaced by its keyed pseudonym, HMAC-SHA-256; missing stays missing.

    Equal values get equal pseudonyms, which only the owner of the key can link. The values keep the order of the
    originals, until `published_table` sorts them.
    """
    key = key_for(column.name)

    def pseudonym(value: object) -> str:
        return hmac.new(key, f"{column.name}\0{value}".encode(), hashlib.sha256).hexdigest()[:32]

    names = [None if value is None else pseudonym(value) for value in column.domain]
    return Column(column.name, column.codes, texts(names))


def key_for(name: str) -> bytes:
    """The secret key, which is never written anywhere; raises BadInput if it is missing or too short."""
    key = os.environ.get(KEY_VARIABLE, "").encode()
    if len(key) < MIN_KEY:
        raise BadInput(
            f"pseudonyms for {name!r} need a secret key of at least {MIN_KEY} characters in the "
            f"environment variable {KEY_VARIABLE}"
        )
    return key
