"""What a measure is: a name, a direction, a range, one line of meaning, and a formula.

Most measures are formulas over a Summary, for all candidates at once. Some need the published table itself, such as
the accuracy of a classifier: those take their time, and are computed only when asked for by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fairveil.schema import Schema
from fairveil.summary import Summary
from fairveil.table import Table


@dataclass(frozen=True)
class _Scale:
    """What every measure says of itself, and how its values compare."""

    name: str
    family: Literal["loss", "risk", "fairness", "utility"]
    better: Literal["lower", "higher"]
    range: tuple[float, float]
    meaning: str

    def best(self, values: np.ndarray) -> int:
        """The position of the best value; the first one where several are equal, NaN never."""
        return int(np.nanargmin(values) if self.better == "lower" else np.nanargmax(values))

    def loses(self, values: np.ndarray) -> np.ndarray:
        """The values turned so that lower is better, for whoever compares several measures."""
        return values if self.better == "lower" else -values


@dataclass(frozen=True)
class Measure(_Scale):
    """One number about a release, computed for all candidates of a summary at once."""

    of: Callable[[Summary], np.ndarray]
    needs: frozenset[str] = frozenset()  # "decision", "gain", "levels"


@dataclass(frozen=True)
class TableMeasure(_Scale):
    """One number about a release, computed from its published table, schema and seed."""

    of: Callable[[Table, Schema, int], float]
    needs: frozenset[str] = frozenset()
