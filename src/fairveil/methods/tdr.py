"""TDR, top-down refinement (Fung, Wang and Yu, TKDE 2007): TDS that also suppresses single values.

Like TDS, but a column without a hierarchy starts with all its values suppressed and discloses them one by one, so it
needs no taxonomy. The score is information gain over anonymity lost plus one, and a refinement must gain something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fairveil.methods.method import Picture
from fairveil.methods.top_down import TopDownMethod


@dataclass(frozen=True)
class TDR(TopDownMethod):
    """Top-down refinement: as `tds`, and suppresses single values where there is no hierarchy."""

    kind: ClassVar[str] = "tdr"
    title: ClassVar[str] = "values revealed one by one (TDR)"
    picture: ClassVar[Picture] = "steps"
    says: ClassVar[str] = "Starts with everything hidden and reveals single values that help to predict the decision."
    discloses: ClassVar[bool] = True
    must_gain: ClassVar[bool] = True

    def score(self, gain: float, lost: int) -> float:
        """Return InfoGain / (AnonyLoss + 1); if suppression leaves larger classes than before, nothing is lost."""
        return gain / (max(lost, 0) + 1)
