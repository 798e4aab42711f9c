"""Alternatives: the candidates that a release was chosen from, by a few measures.

They help those who decide, but they also help an attacker. Minimality and downcoding attacks start from the other
generalizations that kept the guards, and the plot shows at a glance whether the release is minimal. So they are
written into a release only where its owner asks for it, and then as a sketch: two digits of each measure, no levels,
equal points once, and not more than a few hundred.

>>> from fairveil.release.alternatives import Alternatives
>>> alternatives = Alternatives.of({"loss": np.array([0.4321, 0.25]), "average-risk": np.array([0.01, 0.0333])}, 1)
>>> sketch = alternatives.to_dict()
>>> sketch["measures"]["loss"], sketch["chosen"]
([0.25, 0.43], 0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

MOST = 300
"""Points that a release keeps."""


@dataclass(frozen=True)
class Alternatives:
    """Measures of all candidates, which one is the release, and the method of each where several were compared."""

    measures: Mapping[str, np.ndarray]
    chosen: int
    methods: tuple[str, ...] = ()

    @classmethod
    def of(cls, measures: Mapping[str, np.ndarray], chosen: int, methods: Sequence[str] = ()) -> Alternatives | None:
        """The first three measures that say something of every candidate; None where there is nothing to compare."""
        finite = [(name, values) for name, values in measures.items() if np.isfinite(values).all()]
        known = dict(finite[:3])
        if len(known) < 2 or len(next(iter(known.values()))) < 2:
            return None
        return cls(known, chosen, tuple(methods))

    def __len__(self) -> int:
        return len(next(iter(self.measures.values())))

    def to_dict(self) -> dict[str, Any]:
        """The sketch that may be published."""
        owners = self.methods or ("",) * len(self)
        points = list(zip(*(map(_two_digits, values) for values in self.measures.values()), owners, strict=True))
        chosen = points[self.chosen]
        distinct = sorted(set(points))
        if len(distinct) > MOST:
            spread = np.linspace(0, len(distinct) - 1, MOST).round().astype(int)
            distinct = sorted({chosen, *(distinct[i] for i in spread)})
        sketch: dict[str, Any] = {
            "candidates": len(self),
            "measures": {name: [point[i] for point in distinct] for i, name in enumerate(self.measures)},
            "chosen": distinct.index(chosen),
        }
        return {**sketch, "methods": [point[-1] for point in distinct]} if self.methods else sketch


def _two_digits(value: float) -> float:
    return float(f"{value:.2g}")
