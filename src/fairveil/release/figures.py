"""Figures about the source: the information lost by publishing, and the risk of the original values.

They must not depend on people who are not published. So they are computed as if the source had only the published
people: from their values, the publisher's hierarchies, and the *number* of suppressed rows. They have three decimal
places: nobody can check them from the files, and more digits would disclose counts of the original values.
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
    """Round to `digits` decimal places, after the last digits of a sum, which depend on the order of its terms."""
    return round(float(f"{value:.9g}"), digits)


@dataclass(frozen=True)
class PublishedPeople:
    """The published rows of the source: the number of rows with each distinct tuple of quasi values, and their
    outcome."""

    sizes: np.ndarray
    outcome: Outcome

    @classmethod
    def of(cls, table: Table, counts: np.ndarray | None, outcome: Outcome) -> PublishedPeople:
        """From rows, or from cells with their counts."""
        quasi = [name for name in outcome.full_entropy if name in table]
        return cls(Cells.of(table, quasi, counts=counts).counts, outcome)

    @cached_property
    def risks(self) -> dict[str, float]:
        """The risk measures of the original values, rounded."""
        return {name: coarse(value) for name, value in measures.risks(self.sizes).items()}


def kept_people(release: Release) -> PublishedPeople:
    """The published people, as if the source had no others."""
    change, source = release.judged.change, release.source
    recipe = change.recipe
    if change.staged:
        from fairveil.published.judge_groups import people_alike

        return PublishedPeople(people_alike(source, change), release.outcome)
    if change.groups is not None:
        table = source.table
        corrected = [replace(table.column(name), codes=codes) for name, codes in change.corrected.items()]
        rows = np.flatnonzero(change.groups >= 0)
        kept = table.with_columns(corrected).take(rows).compact()
        return PublishedPeople.of(
            table.take(rows).compact(), None, recipe.regroup(kept, change.groups[rows], change.positions)
        )
    if recipe.splits or recipe.groups_rows:  # such a recipe suppresses nobody
        return PublishedPeople.of(source.table, None, release.outcome)
    cells = source.count(change.columns or judged_columns(release.schema, release.guards, source.names))
    table, counts = cells.table(), cells.counts
    if change.suppressed is not None:
        table, counts = table.take(np.flatnonzero(~change.suppressed)), counts[~change.suppressed]
    table = table.compact()
    return PublishedPeople.of(table, counts, recipe.recode(table, counts))


def with_source(summary: Summary, release: Release) -> Summary:
    """The summary of the published data, with missing figures filled in from the published people's original values."""
    if not release.published.rows:
        nothing = np.zeros_like(summary.loss)
        return replace(summary, loss=nothing, entropy=nothing, full_entropy=nothing)
    # rows of a noisy table are not people of the source: the loss follows from the declared outcome
    outcome = release.outcome if release.recipe.invents else kept_people(release).outcome
    own = outcome.summary(release.schema)
    return replace(
        summary,
        loss=np.where(np.isnan(summary.loss), own.loss, summary.loss),
        entropy=own.entropy,
        full_entropy=own.full_entropy,
    )
