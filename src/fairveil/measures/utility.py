"""What can still be learnt from a release."""

from __future__ import annotations

import numpy as np

from fairveil.measures.base import Measure

_NEEDS = frozenset({"decision", "full"})

MEASURES = (
    Measure("ig", "utility", "higher", (0, float("inf")),
            "information gain: bits about the decision in each published quasi column, averaged",
            lambda s: s.gain.mean(axis=1), _NEEDS),
    Measure("joint-ig", "utility", "higher", (0, float("inf")),
            "joint information gain: bits about the decision in all published quasi columns together",
            lambda s: s.joint_gain, _NEEDS),
    Measure("accuracy", "utility", "higher", (0, 1),
            "share of records classified rightly in the method's own cross-validation, where it has one",
            lambda s: np.full(len(s), np.nan), frozenset({"decision"})),
)  # fmt: skip
