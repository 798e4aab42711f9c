"""Domains: what a column can hold, known without looking at the data.

A method that promises differential privacy may not learn from the data which values there are, how they are spelled or
of which type they are. A Domain says it once, from what the owner has declared; each value of the data then finds
its place in it, or none. Where a value's row goes depends on that value alone, never on other rows: one row with a
text among numbers turns the whole column into text, so 17, 17.0 and "17" have the same place.

>>> ages = Domain.listed("age", ["17", "18"], suppress())
>>> ages.places([17.0, "18", 19, None]).tolist()
[0, 1, -1, -1]
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.data.hierarchy import TOP, Hierarchy, Levels, suppress
from fairveil.errors import BadInput

UNKNOWN = (TOP, "…")
"""Stand-ins for the values of a column that nobody may know; with two of them, publishing its top loses everything."""
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d{1,4})?")


@dataclass(frozen=True)
class Domain:
    """The values of a column in a fixed order, and its hierarchy. `known`: some are published, not only the top."""

    name: str
    values: pa.Array
    rule: Hierarchy
    known: bool = True

    @classmethod
    def hidden(cls, name: str) -> Domain:
        """A column of which nothing is declared: any value is in it, and only its top is published."""
        return cls(name, pa.array(UNKNOWN), suppress(), known=False)

    @classmethod
    def listed(cls, name: str, values: Sequence[Any], rule: Hierarchy) -> Domain:
        """These values, each once."""
        distinct = list({(type(value), value): value for value in values}.values())
        if not distinct:
            raise BadInput(f"the public values of {name!r} are none: list what the column can hold")
        return cls(name, _typed(distinct), rule)

    @cached_property
    def levels(self) -> Levels:
        return self.rule.bind(self.values.to_pylist(), self.name)

    def places(self, values: Sequence[Any]) -> np.ndarray:
        """The place of each value; -1 where it has none, so that its rows are not counted."""
        if not self.known:
            return np.zeros(len(values), dtype=np.int64)
        leaves = self.values.to_pylist()
        exact = {None if leaf is None else str(leaf): place for place, leaf in enumerate(leaves)}
        alike: dict[Hashable, int] = {}
        for place, leaf in enumerate(leaves):
            key = _key(leaf)
            alike[key] = -1 if key in alike else place  # "7" and "07" are both listed: only the exact text decides
        found = [exact.get(None if v is None else str(v), alike.get(_key(v), -1)) for v in values]
        return np.array(found, dtype=np.int64)


def _typed(values: Sequence[Any]) -> pa.Array:
    """The values in one type, which follows from them alone; of several types as text."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return pa.nulls(len(values), pa.string())
    if len(kinds) > 1:
        return pa.array([None if value is None else str(value) for value in values])
    return pa.array(values)


def _key(value: Any) -> Hashable:
    """The same for all ways in which one value may be read from a file or a frame."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime) and value.tzinfo is None and value.time() == time():
        return value.date().isoformat()
    text = str(value)
    if text.lower() in ("true", "false"):
        return text.lower()
    return Decimal(text) if _NUMBER.fullmatch(text) else text
