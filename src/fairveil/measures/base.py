"""What a measure is: a name, a direction, a range, one line of meaning, and a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.counting.summary import Summary
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import BadInput

if TYPE_CHECKING:
    pass


def not_in_summary(summary: Summary) -> np.ndarray:
    return np.full(len(summary), np.nan)


@dataclass(frozen=True)
class Measure:
    """One number about a release, computed for all candidates of a summary at once, or from its classes."""

    name: str
    family: Literal["loss", "risk", "fairness", "utility"]
    better: Literal["lower", "higher"]
    range: tuple[float, float]
    meaning: str
    of: Callable[[Summary], np.ndarray] = not_in_summary
    needs: frozenset[str] = frozenset()  # "decision", "levels", "full" (a full summary)
    of_classes: Callable[[Classes, Schema], float] | None = None  # for what no summary tells: one release at a time
    of_published: Callable[[Any, Table], Mapping[str, float]] | None = None
    """From a release and its source to this measure, by name, and to others that come with it; may take long."""

    @property
    def cost(self) -> str:
        """What it takes: "summary" next to nothing, "classes" a look at the candidate, "published" its rows."""
        return "published" if self.of_published is not None else "classes" if self.of_classes is not None else "summary"

    @property
    def trains(self) -> bool:
        return self.of_published is not None

    def best(self, values: np.ndarray) -> int:
        """The position of the best value; the first one where several are equal, NaN never."""
        if np.isnan(values).all():
            raise BadInput(f"measure {self.name!r} says nothing about these candidates")
        return int(np.nanargmin(values) if self.better == "lower" else np.nanargmax(values))

    def loses(self, values: np.ndarray) -> np.ndarray:
        """The values turned so that lower is better, for whoever compares several measures."""
        return values if self.better == "lower" else -values
