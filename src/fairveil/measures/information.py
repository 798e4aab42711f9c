"""What can still be learnt from a release."""

from __future__ import annotations

from fairveil.measures.measure import Measure

_NEEDS = frozenset({"decision", "full"})

MEASURES = (
    Measure("ig", "utility", "higher", (0, float("inf")),
            "information gain: bits about the decision in each published quasi column, averaged",
            lambda s: s.gain.mean(axis=1), _NEEDS),
    Measure("joint-ig", "utility", "higher", (0, float("inf")),
            "joint information gain: bits about the decision in all published quasi columns together",
            lambda s: s.joint_gain, _NEEDS),
)  # fmt: skip
