"""k-anonymity (Samarati and Sweeney): every combination of quasi values is shared by at least k records.

What it leaves open: all k records may have the same sensitive value (homogeneity), an attacker may know which
values are unlikely (background knowledge), and two releases of the same people may be intersected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairveil.cells import Classes
from fairveil.errors import BadInput
from fairveil.guards.base import ClassGuard, need_number
from fairveil.schema import Schema


@dataclass(frozen=True)
class KAnonymity(ClassGuard):
    """At least `k` records per class; up to the share `suppression` of the rows may be left out to get there."""

    kind: ClassVar[str] = "k-anonymity"
    monotone: ClassVar[bool] = True
    monotone_when_suppressing: ClassVar[bool] = True
    leaves_open: ClassVar[str] = (
        "all records that look alike may share one sensitive value (homogeneity); background knowledge; "
        "intersecting two releases"
    )

    k: int
    suppression: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 2:
            raise BadInput(f"k-anonymity: k must be a whole number of at least 2, not {self.k!r}")
        need_number(self.kind, "suppression", self.suppression, 0, 1)

    def promise(self) -> str:
        return (
            "In the columns by which a person could be recognized, every published record looks the same as at least "
            f"{self.k - 1:,} others: nobody is singled out among fewer than {self.k:,}."
        )

    @property
    def limit(self) -> float:
        return float(self.k)

    def budget(self, rows: int) -> int:
        """How many rows may be suppressed."""
        return int(self.suppression * rows + 1e-9)

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        return classes.rows.astype(float)

    def describe(self, worst: float) -> str:
        return f"the smallest class has {worst:,.0f} records (k={self.k})"
