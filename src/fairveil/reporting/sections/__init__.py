"""The sections of a report, in their order. A section is a function of the context; None leaves it out.

To add one, write `def mine(c: ReportContext) -> Html | None` and list it here. Sections of `INTERNAL` see the source
through `c.inside` and are never written into a release.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fairveil.markup import Html
from fairveil.reporting.context import ReportContext
from fairveil.reporting.sections.changes import columns, frontier, loss, measures, records
from fairveil.reporting.sections.findings import attacks, details, rules
from fairveil.reporting.sections.in_population import population
from fairveil.reporting.sections.internal import before, sample, shares_of_risk
from fairveil.reporting.sections.promises import not_covered, notes, promises, proof, summary
from fairveil.reporting.sections.singling_out import classes, key_sets, risk
from fairveil.reporting.sections.usefulness import utility


@dataclass(frozen=True)
class Section:
    """`name` is its anchor in the page."""

    name: str
    title: str
    build: Callable[[ReportContext], Html | None]


SECTIONS: tuple[Section, ...] = (
    Section("summary", "In short", summary),
    Section("promises", "The promises", promises),
    Section("columns", "The columns", columns),
    Section("risk", "Re-identification risk", risk),
    Section("population", "Risk in the population", population),
    Section("key-sets", "Risk by what attackers know", key_sets),
    Section("classes", "Records that look alike", classes),
    Section("attacks", "Attacks that were tried", attacks),
    Section("rules", "Discriminatory rules", rules),
    Section("loss", "What each column lost", loss),
    Section("records", "Records left out", records),
    Section("utility", "What can still be learnt", utility),
    Section("frontier", "The choice", frontier),
    Section("measures", "All measures", measures),
    Section("details", "What the method reports", details),
    Section("notes", "Notes", notes),
    Section("not-covered", "What is not covered", not_covered),
    Section("verify", "How to verify", proof),
)

INTERNAL: tuple[Section, ...] = (
    Section("sample", "Before and after, record by record", sample),
    Section("guards-before", "The promises on the source", before),
    Section("risk-shares", "Which columns contribute to the risk", shares_of_risk),
)
