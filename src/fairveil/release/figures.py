"""Figures about the source: the information lost by publishing, and the risk of the original values.

They must not depend on people who are not published. So they are computed as if the source had only the published
people: from their values, the publisher's hierarchies, and the *number* of suppressed rows. They are rounded
(`counting/rounding.py`): nobody can check them from the files, and more digits would disclose original values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures
from fairveil.counting.cells import Cells, Classes
from fairveil.counting.rounding import coarse_count, coarse_share
from fairveil.counting.summary import Summary
from fairveil.measures.summarized import risks_by
from fairveil.published.judge import judged_columns, without_hidden
from fairveil.recipes.outcome import Outcome

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table
    from fairveil.release.release import Release

DIGITS = 3
EXACT_FACTS = frozenset({
    "blocks", "composition", "groups", "k", "largest_group", "left_over", "positive_ratios", "smallest_group", "tau",
    "t_closeness_of_protected",
})  # fmt: skip
"""Facts of a method that are settings, follow from the published rows, or are already rounded."""


def coarse(value: float, digits: int = DIGITS) -> float:
    """Round to `digits` decimal places, after the last digits of a sum, which depend on the order of its terms."""
    return round(float(f"{value:.9g}"), digits)


def public_facts(facts: Mapping[str, Any], rows: int) -> dict[str, Any]:
    """The facts of a method as published: all numbers are rounded, except those in `EXACT_FACTS`."""

    def public(value: Any) -> Any:
        if isinstance(value, Mapping):
            return public_facts(value, rows)
        if isinstance(value, list | tuple):
            return [public(inner) for inner in value]
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        return coarse_count(value) if isinstance(value, int) else coarse_share(value, rows)

    return {name: value if name in EXACT_FACTS else public(value) for name, value in facts.items()}


@dataclass(frozen=True)
class PublishedPeople:
    """The published rows of the source: the risk measures of their original values, which few ask for, and their
    outcome."""

    risks_before: Callable[[], Mapping[str, float]]
    outcome: Outcome

    @classmethod
    def of(cls, table: Table, counts: np.ndarray | None, outcome: Outcome, schema: Schema) -> PublishedPeople:
        """From rows, or from cells with their counts."""
        quasi, persons = [name for name in outcome.full_entropy if name in table], []
        if schema.person is not None:
            persons, outcome = [schema.person], outcome.by_person(table.column(schema.person))
        unlinked = replace(schema, pseudonyms=(), plain=())

        def risks_before() -> Mapping[str, float]:
            return risks_by(Classes.of(Cells.of(table, [*quasi, *persons], counts=counts), quasi), unlinked)

        return cls(risks_before, outcome)

    @property
    def risks(self) -> dict[str, float]:
        """The risk measures of the original values, rounded."""
        return {name: coarse(value) for name, value in self.risks_before().items()}


def kept_people(release: Release) -> PublishedPeople:
    """The published people, as if the source had no others."""
    change, source = release.judged.change, release.source
    recipe, schema = change.recipe, release.schema
    if change.staged:
        from fairveil.published.judge_groups import people_alike

        alike = people_alike(source, change)
        sizes, tuples = (np.array(list(each), dtype=np.int64) for each in (alike, alike.values()))
        return PublishedPeople(lambda: measures.risks(sizes, tuples), release.outcome)
    if change.groups is not None:
        table = source.table
        corrected = [replace(table.column(name), codes=codes) for name, codes in change.corrected.items()]
        rows = np.flatnonzero(change.groups >= 0)
        kept = table.with_columns(corrected).take(rows).compact()
        outcome = recipe.regroup(kept, change.groups[rows], change.positions)
        return PublishedPeople.of(table.take(rows).compact(), None, outcome, schema)
    if recipe.splits or recipe.groups_rows:  # such a recipe suppresses nobody
        return PublishedPeople.of(source.table, None, release.outcome, schema)
    cells = source.count(change.columns or judged_columns(schema, release.guards, source.names))
    table, counts = without_hidden(cells.table()), cells.counts
    if change.suppressed is not None:
        table, counts = table.take(np.flatnonzero(~change.suppressed)), counts[~change.suppressed]
    table = table.compact()
    return PublishedPeople.of(table, counts, recipe.recode(table, counts), schema)


def with_source(summary: Summary, release: Release) -> Summary:
    """The summary of the published data, with missing figures filled in from the published people's original values."""
    if not release.published.rows:
        nothing = np.zeros_like(summary.loss)
        return replace(summary, loss=nothing, entropy=nothing, full_entropy=nothing)
    # rows of a noisy table are not people of the source: the loss follows from the declared outcome
    outcome = release.outcome if release.recipe.invents else release.published_people.outcome
    if release.schema.person is not None:
        own = replace(outcome, persons=release.outcome.persons).summary(release.schema, release.judged.classes)
        named = [f.name for f in fields(Summary) if f.name not in ("levels", "heights")]
        known = {name: (getattr(summary, name), getattr(own, name)) for name in named}
        return replace(summary, **{name: np.where(np.isnan(a), b, a) for name, (a, b) in known.items()})
    own = outcome.summary(release.schema)
    return replace(
        summary,
        loss=np.where(np.isnan(summary.loss), own.loss, summary.loss),
        entropy=own.entropy,
        full_entropy=own.full_entropy,
    )
