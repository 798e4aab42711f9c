"""Figures about the source: how much was lost below the published values, and how risky the people's own values were.

Whoever is not published must not show in them. So they are computed as if only the published people had been given:
their values, the hierarchies of the owner, and the *number* of suppressed rows. They have three digits, because nobody
can check them from the files, and more digits would give away the counts below the published values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairveil import measures
from fairveil.counting.cells import Cells
from fairveil.counting.summary import Summary
from fairveil.data.table import Table
from fairveil.published.judge import judged_columns
from fairveil.recipes.outcome import Outcome

if TYPE_CHECKING:
    from fairveil.release.release import Release

DIGITS = 3


def coarse(value: float, digits: int = DIGITS) -> float:
    """So many digits after the point. The last digits of a sum depend on the order of its terms: they go first."""
    return round(float(f"{value:.9g}"), digits)


@dataclass(frozen=True)
class PublishedPeople:
    """The rows of the source that are published: how many are alike in their quasi columns, of each distinct tuple, and
    what became of them."""

    sizes: np.ndarray
    outcome: Outcome

    @classmethod
    def of(cls, table: Table, counts: np.ndarray | None, outcome: Outcome) -> PublishedPeople:
        """From rows, or cells with their counts."""
        quasi = [name for name in outcome.full_entropy if name in table]
        return cls(Cells.of(table, quasi, counts=counts).counts, outcome)

    @cached_property
    def risks(self) -> dict[str, float]:
        """The risk measures of their own values."""
        return {name: coarse(value) for name, value in measures.risks(self.sizes).items()}


def kept_people(release: Release) -> PublishedPeople:
    """The published people, as if there had been no others."""
    change, source = release.judged.change, release.source
    recipe = change.recipe
    if change.staged:
        from fairveil.published.judge_groups import people_alike

        return PublishedPeople(people_alike(source, change), release.outcome)
    if change.groups is not None:
        [table] = source.blocks()
        corrected = [replace(table.column(name), codes=codes) for name, codes in change.corrected.items()]
        rows = np.flatnonzero(change.groups >= 0)
        kept = table.with_columns(corrected).take(rows).compact()
        return PublishedPeople.of(
            table.take(rows).compact(), None, recipe.regroup(kept, change.groups[rows], change.places)
        )
    if recipe.splits or recipe.groups_rows:  # such a recipe leaves nobody out
        [table] = source.blocks()
        return PublishedPeople.of(table, None, release.outcome)
    cells = source.count(change.columns or judged_columns(release.schema, release.guards, source.names))
    table, counts = cells.table(), cells.counts
    if change.suppressed is not None:
        table, counts = table.take(np.flatnonzero(~change.suppressed)), counts[~change.suppressed]
    table = table.compact()
    return PublishedPeople.of(table, counts, recipe.recode(table, counts))


def with_source(summary: Summary, release: Release) -> Summary:
    """The summary of what is published; what it does not know is told by the published people's own values."""
    if not release.published.rows:
        nothing = np.zeros_like(summary.loss)
        return replace(summary, loss=nothing, entropy=nothing, full_entropy=nothing)
    # no people of the source are behind the rows of a noisy table: what is declared says what was lost
    outcome = release.outcome if release.recipe.invents else kept_people(release).outcome
    own = outcome.summary(release.schema)
    return replace(
        summary,
        loss=np.where(np.isnan(summary.loss), own.loss, summary.loss),
        entropy=own.entropy,
        full_entropy=own.full_entropy,
    )
