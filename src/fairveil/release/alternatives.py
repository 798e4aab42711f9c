"""Alternatives: the candidates that a release was chosen from, by a few measures.

They help the publisher to decide, but they also help an attacker: minimality and downcoding attacks start from the
other generalizations that kept the guards, and the plot shows whether the release is minimal. They are written into a
release only on request, and then as a sketch: two significant digits of each measure, no levels, no duplicate points,
and a few hundred points at most.

>>> from fairveil.release.alternatives import Alternatives
>>> values = {"loss": np.array([0.4321, 0.25]), "average-risk": np.array([0.01, 0.0333])}
>>> sketch = Alternatives(values.get, tuple(values), chosen=1).to_dict()
>>> sketch["measures"]["loss"], sketch["chosen"]
([0.25, 0.43], 0)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

MAX_POINTS = 300
"""Maximum number of points in a sketch, the chosen one aside."""


@dataclass(frozen=True)
class Alternatives:
    """All candidates that a release was chosen from. Nothing is measured before `to_dict` is called.

    `values` returns one measure of every candidate, `names` are the measures to show, `chosen` is the position of the
    release, and `methods` has the method of each candidate where several were compared.
    """

    values: Callable[[str], np.ndarray]
    names: tuple[str, ...]
    chosen: int
    methods: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any] | None:
        """Return the sketch that may be published: the first three measures that every candidate has.

        None where there are fewer than two such measures, or fewer than two candidates.
        """
        measures: dict[str, np.ndarray] = {}
        for name in self.names:
            values = self.values(name)
            if len(measures) < 3 and np.isfinite(values).all():
                measures[name] = values
        total = len(next(iter(measures.values()), ()))
        if len(measures) < 2 or total < 2:
            return None
        owners = self.methods or ("",) * total
        points = list(zip(*(map(_two_digits, values) for values in measures.values()), owners, strict=True))
        chosen = points[self.chosen]
        distinct = sorted(set(points))
        if len(distinct) > MAX_POINTS:
            spread = np.linspace(0, len(distinct) - 1, MAX_POINTS).round().astype(int)
            distinct = sorted({chosen, *(distinct[i] for i in spread)})
        sketch: dict[str, Any] = {
            "candidates": total,
            "measures": {name: [point[i] for point in distinct] for i, name in enumerate(measures)},
            "chosen": distinct.index(chosen),
        }
        return {**sketch, "methods": [point[-1] for point in distinct]} if self.methods else sketch


def _two_digits(value: float) -> float:
    return float(f"{value:.2g}")
