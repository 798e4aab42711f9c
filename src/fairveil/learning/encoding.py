"""Encoding: numbers standardized, categories one-hot, learnt on one table and used on any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.data.table import Table
from fairveil.recipes.space import is_numeric, numbers_of


@dataclass(frozen=True)
class Encoding:
    """Per column either (mean, standard deviation) or the categories, in column order."""

    columns: tuple[tuple[str, tuple[float, float] | tuple[Any, ...]], ...]
    numeric: frozenset[str]

    @classmethod
    def of(cls, table: Table, names: Sequence[str]) -> Encoding:
        made: list[tuple[str, Any]] = []
        numeric = set()
        for name in names:
            column = table.column(name)
            if is_numeric(column):
                held = numbers_of(column)[column.codes]
                mean, scale = float(np.nanmean(held)), float(np.nanstd(held))
                made.append((name, (mean, scale or 1.0)))
                numeric.add(name)
            else:
                counts = np.bincount(column.codes, minlength=len(column.values))
                made.append((name, tuple(v for v, n in zip(column.domain, counts, strict=True) if n)))
        return cls(tuple(made), frozenset(numeric))

    def matrix(self, table: Table) -> np.ndarray:
        """One row per record. A missing number is the mean, an unknown category is none of the known ones."""
        parts = []
        for name, known in self.columns:
            column = table.column(name)
            if name in self.numeric:
                mean, scale = known
                parts.append(np.nan_to_num((numbers_of(column) - mean) / scale)[column.codes][:, None])
            else:
                lookup = np.array([[value == other for other in known] for value in column.domain], dtype=float)
                parts.append(lookup.reshape(len(column.values), len(known))[column.codes])
        return np.column_stack(parts)

    def width(self, name: str) -> int:
        return 1 if name in self.numeric else len(dict(self.columns)[name])
