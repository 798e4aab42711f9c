"""TDR, top-down refinement (Fung, Wang and Yu, TKDE 2007): TDS that also suppresses single values.

Like TDS, but a column without a hierarchy starts with all its values suppressed and discloses them one by one, so it
needs no taxonomy. The score is information gain over anonymity lost plus one, and a refinement must gain something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fairveil.methods import top_down
from fairveil.methods.method import Method, Proposal
from fairveil.methods.task import Task


@dataclass(frozen=True)
class TDR(Method):
    """The most specific state a greedy top-down search with suppression reaches, and the steps before it."""

    kind: ClassVar[str] = "tdr"
    says: ClassVar[str] = "Starts with everything hidden and reveals single values that help to predict the decision."
    reaches_top: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "decision")

    def search(self, task: Task) -> Proposal:
        return top_down.search(self, task, disclose=True, score=_score, needs_gain=True)


def _score(gain: float, lost: int) -> float:
    """Return InfoGain / (AnonyLoss + 1); if suppression leaves larger classes than before, nothing is lost."""
    return gain / (max(lost, 0) + 1)
