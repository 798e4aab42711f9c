"""Measures: numbers about a release. `MEASURES` is the registry that command line, plans, reports and docs read.

>>> get("loss").cost, get("disparate-impact").cost, get("accuracy").cost
('summary', 'classes', 'published')

`register(Measure(...))` adds one from outside; it can be used wherever the built-in ones can.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from fairveil.data.numeric import significant
from fairveil.measures import summarized
from fairveil.measures.measure import Measure, MeasuredRelease
from fairveil.measures.summarized import contributions, risks
from fairveil.registry import Registry, postponed

if TYPE_CHECKING:
    from fairveil.counting.summary import Summary
    from fairveil.measures.accuracy import accuracy_of, cross_validated, scores_of


def _further() -> tuple[Measure, ...]:
    """The others: few plans name one of them, and together they load all that trains and draws."""
    from fairveil.measures import (
        accuracy,
        fairness,
        known_decision,
        population_risk,
        population_uniqueness,
        suda,
        truth,
    )

    return (
        *known_decision.MEASURES,
        *population_risk.MEASURES,
        *population_uniqueness.MEASURES,
        *suda.MEASURES,
        *truth.MEASURES,
        *accuracy.MEASURES,
        *fairness.MEASURES,
        *accuracy.FAIRNESS,
    )


MEASURES: Registry[Measure] = Registry("measure", summarized.MEASURES, further=_further)
register = MEASURES.register
__getattr__ = postponed(__name__, [f"accuracy.{name}" for name in ("accuracy_of", "cross_validated", "scores_of")])

__all__ = [
    "MEASURES", "Measure", "MeasuredRelease", "accuracy_of", "contributions", "cross_validated", "get", "of_summary",
    "register", "risks", "scores_of",
]  # fmt: skip


def get(name: str | Measure) -> Measure:
    """The measure of that name; a measure itself is returned unchanged."""
    return name if isinstance(name, Measure) else MEASURES.get(name)


def of_summary(summary: Summary, names: Sequence[str] | None = None) -> dict[str, float]:
    """The cheap measures of the first candidate of `summary`, by name; of other packages only `names`, if given."""
    cheap = [measure for measure in MEASURES.among(names) if measure.cost == "summary"]
    values = significant([measure.of(summary)[0] for measure in cheap])
    return {measure.name: float(value) for measure, value in zip(cheap, values, strict=True) if isfinite(value)}
