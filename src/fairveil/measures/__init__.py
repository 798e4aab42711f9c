"""Measures: numbers about a release. This list is the registry that the command line, report and docs read."""

from __future__ import annotations

from fairveil.errors import BadInput, suggest
from fairveil.measures import accuracy, loss, risk, utility
from fairveil.measures.accuracy import accuracy_of, cross_validated, scores_of
from fairveil.measures.base import Measure
from fairveil.measures.risk import contributions, risks

MEASURES: tuple[Measure, ...] = (*loss.MEASURES, *risk.MEASURES, *utility.MEASURES)

TRAINED: tuple[Measure, ...] = accuracy.MEASURES
"""Measures that train on what is published: they take long, and are never computed unasked."""

__all__ = [
    "MEASURES",
    "TRAINED",
    "Measure",
    "accuracy_of",
    "contributions",
    "cross_validated",
    "get",
    "risks",
    "scores_of",
]


def get(name: str | Measure) -> Measure:
    """The measure of that name; a measure itself is handed back."""
    if isinstance(name, Measure):
        return name
    for measure in (*MEASURES, *TRAINED):
        if measure.name == name:
            return measure
    raise BadInput(suggest(name, [measure.name for measure in (*MEASURES, *TRAINED)], "measure"))
