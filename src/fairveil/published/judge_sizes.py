"""Judging a change by the number of persons of each class, where nothing else matters: no cell says who it is about.

There are nearly as many pairs of a cell and a person as records. Where every guard asks for sizes alone and holds, the
cells without persons are published and described, and the pairs are read once, to count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells, Classes, numbered_classes
from fairveil.guards.guard import EARLIER
from fairveil.recipes.outcome import PersonCounts

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.guards import Guard
    from fairveil.recipes.change import Change
    from fairveil.recipes.outcome import Outcome


def only_sizes(schema: Schema, guards: Sequence[Guard], change: Change, cells: Cells) -> bool:
    """Whether only the number of persons of each class decides, and nobody is left out so far."""
    counted = schema.person is not None and not schema.links and not schema.learns
    alone = change.suppressed is None and schema.household not in cells.codes and EARLIER not in cells.codes
    return counted and alone and bool(guards) and all(guard.by_size for guard in guards)


def judge_sizes(
    schema: Schema, guards: Sequence[Guard], change: Change, cells: Cells, described: Sequence[str]
) -> tuple[Outcome, Classes] | None:
    """Return what a change would publish of cells that say who they are about, and the classes with the number of their
    persons; None if a class breaks a guard."""
    assert schema.person is not None
    from fairveil.counting.kernels.person_counts import people_of_classes

    part = cells.without(schema.person)
    outcome = change.outcome(part.cells.table(), part.cells.counts)
    published = [name for name in described if name != schema.person]
    classes, cell_of_row = numbered_classes(outcome.table, schema, part.cells.counts, published)
    people = people_of_classes(*part.by_value, classes.ids[cell_of_row].astype(np.int32), len(classes))
    counts = np.bincount(cell_of_row, weights=part.shares, minlength=len(classes.ids))
    classes = replace(classes, counts=counts, persons=people)
    if any(guard.breaking(classes, schema).any() for guard in guards):
        return None
    everybody = PersonCounts(part.persons, 0, part.persons)
    return replace(outcome, shares=part.shares, persons=everybody), classes
