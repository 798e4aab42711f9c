"""Measures: numbers about a release. This list is the registry that the command line, report and docs read."""

from __future__ import annotations

from fairveil.errors import BadInput, suggest
from fairveil.measures import loss, risk, utility
from fairveil.measures.base import Measure
from fairveil.measures.risk import contributions

MEASURES: tuple[Measure, ...] = (*loss.MEASURES, *risk.MEASURES, *utility.MEASURES)

__all__ = ["MEASURES", "Measure", "contributions", "get"]


def get(name: str | Measure) -> Measure:
    """The measure of that name; a measure itself is handed back."""
    if isinstance(name, Measure):
        return name
    for measure in MEASURES:
        if measure.name == name:
            return measure
    raise BadInput(suggest(name, [measure.name for measure in MEASURES], "measure"))
