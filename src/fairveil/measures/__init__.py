"""Measures: numbers about a release. This list is the registry that the command line, report and docs read."""

from __future__ import annotations

from fairveil.errors import BadInput, suggest
from fairveil.measures import accuracy, loss, risk, utility
from fairveil.measures.accuracy import accuracy_of, cross_validated
from fairveil.measures.base import Measure
from fairveil.measures.risk import contributions, risks

MEASURES: tuple[Measure, ...] = (*loss.MEASURES, *risk.MEASURES, *utility.MEASURES)

TABLE_MEASURES: tuple[Measure, ...] = accuracy.MEASURES
"""Measures that train on the published table: they take long, and are never computed unasked."""

__all__ = ["MEASURES", "TABLE_MEASURES", "Measure", "accuracy_of", "contributions", "cross_validated", "get", "risks"]


def get(name: str | Measure) -> Measure:
    """The measure of that name; a measure itself is handed back."""
    if isinstance(name, Measure):
        return name
    for measure in (*MEASURES, *TABLE_MEASURES):
        if measure.name == name:
            return measure
    raise BadInput(suggest(name, [measure.name for measure in (*MEASURES, *TABLE_MEASURES)], "measure"))
