"""The shape of evidence.json that a report can be made from. Unknown keys are allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.shapes import anything, cell, each, either, flag, many, number, optional, record, text, whole

_COUNT = whole(0, (1 << 63) - 1)
_FIGURE = optional(number())
_FINDING = record(
    {},
    {
        "attack": text, "column": optional(text), "level": text, "verdict": text, "sentence": text, "best": _FIGURE,
        "average": _FIGURE, "baseline": _FIGURE, "against": optional(text), "affected": optional(_COUNT),
        "records": optional(_COUNT), "details": each(anything),
    },
    more=True,
)  # fmt: skip
_CLAIM = record(
    {"kind": text, "holds": flag, "sentence": text},
    {"worst": _FIGURE, "limit": _FIGURE, "broken_classes": _COUNT, "broken_rows": _COUNT},
    more=True,
)
_SKETCH = record(
    {"candidates": _COUNT, "measures": each(many(number(), 1)), "chosen": _COUNT}, {"methods": many(text, 1)}
)
EVIDENCE = record(
    {"rows": each(_COUNT), "guards": many(_CLAIM)},
    {
        "format": whole(1, 1), "fairveil": text, "versions": each(text), "seed": _COUNT, "holds": flag,
        "measures": each(number()), "loss_per_column": each(_FIGURE), "types": each(either(text, each(text))),
        "attacks": many(_FINDING), "weaknesses": each(text), "notes": many(text), "about": each(text),
        "levels": each(many(_COUNT, 2)), "risk_before": each(number()), "files": each(text), "seal": text,
        "facts": each(anything), "claims": each(anything), "alternatives": _SKETCH,
        "utility": optional(record({}, {"guess": cell}, more=True)),
    },
    more=True,
)  # fmt: skip


def readable(evidence: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the evidence; raises BadInput with the place that no report can be made from."""
    checked: Mapping[str, Any] = EVIDENCE(evidence, "evidence")
    return checked
