"""TDS, top-down specialization (Fung, Wang and Yu, ICDE 2005): generalization that keeps what predicts the decision.

All quasi columns start at their top. Each step makes the specialization with the highest information gain per
anonymity lost, as long as every class keeps k records. Columns with a hierarchy follow it, value by value. Numbers
without one are split where that tells most about the decision. Other columns are published as they are or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fairveil.methods.method import Picture
from fairveil.methods.top_down import TopDownMethod


@dataclass(frozen=True)
class TDS(TopDownMethod):
    """Top-down specialization: a free cut through each hierarchy that preserves what predicts the decision.

    The steps before it are candidates, too.
    """

    kind: ClassVar[str] = "tds"
    title: ClassVar[str] = "revealed step by step (TDS)"
    picture: ClassVar[Picture] = "steps"
    says: ClassVar[str] = "Starts with everything hidden and reveals, step by step, what helps to predict the decision."

    def score(self, gain: float, lost: int) -> float:
        """Return InfoGain / AnonyLoss; the gain itself if nothing is lost."""
        return gain / lost if lost > 0 else gain
