"""attacker_risks: the risk of a release as three attackers see it, and how many records are above a threshold.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> release = fv.search(credit.table, credit.schema, guards=fv.KAnonymity(3)).best("loss")
>>> prosecutor = fv.attacker_risks(release, threshold=0.3)[0]
>>> prosecutor.attacker, round(prosecutor.highest, 2), prosecutor.above, prosecutor.above_before
('prosecutor', 0.33, 6, 10)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairveil import measures
from fairveil.counting.cells import Cells, Classes
from fairveil.data.table import Table
from fairveil.display import Displayable
from fairveil.engines import TooManyCells
from fairveil.errors import BadInput
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.release.release import Release

ASSUMES = {
    "prosecutor": "knows that a certain person is in the data, and looks for their record",
    "journalist": "looks for the record of anybody, without knowing who is in the data",
    "marketer": "links as many records as possible, and does not mind that some are wrong",
}
"""What each attacker knows and wants."""


@dataclass(frozen=True, repr=False)
class AttackerRisk(Displayable):
    """The risk that an attacker picks out a person, at most and on average, before and after: over persons first, where
    these are counted. `above` counts the records whose risk is above the threshold. None where it is not known: a
    journalist needs a population."""

    attacker: str
    assumes: str
    highest: float | None
    average: float | None
    above: int | None
    highest_before: float | None = None
    average_before: float | None = None
    above_before: int | None = None

    def _headline(self) -> str:
        highest = "not known" if self.highest is None else f"at most {self.highest:.4g}"
        return f"{self.attacker}: {highest}, {self.above if self.above is not None else '–'} above the threshold"


def attacker_risks(release: Release, threshold: float = 0.2) -> list[AttackerRisk]:
    """Return the risk of a release for a prosecutor, a journalist and a marketer. A risk above `threshold` counts."""
    return risks_by_attacker(release, classes_before(release), classes_after(release), threshold)


class CountedClasses(NamedTuple):
    """The size of each class, in persons if the schema says who a record is about, the number of its records, and how
    much these count in a mean: a person counts once, shared by their records."""

    sizes: np.ndarray
    records: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, classes: Classes, person: str | None) -> CountedClasses:
        weights = np.bincount(classes.ids, weights=classes.shares(person), minlength=len(classes))
        return cls(classes.people(person), classes.rows, weights)


def classes_before(release: Release) -> CountedClasses | None:
    """Return the classes of the source, counted where its rows are; None if they are too many to be counted."""
    schema = release.schema
    needed = [*schema.quasi, *([] if schema.person is None else [schema.person])]
    try:
        classes = Classes.of(release.source.count(needed), schema.quasi)
    except TooManyCells:
        return None
    return CountedClasses.of(classes, schema.person)


def classes_after(release: Release) -> CountedClasses | None:
    """Return the published classes; None if several tables are published."""
    if release.recipe.splits:
        return None
    if release.schema.person is not None and release.judged.sized is not None:
        return CountedClasses.of(release.judged.sized, release.schema.person)
    content = release.published.content[ONLY]
    rows = content.count([name for name in release.schema.quasi if name in content.names]).counts
    return CountedClasses(rows, rows, rows)


def risks_by_attacker(
    release: Release, before: CountedClasses | None, after: CountedClasses | None, threshold: float
) -> list[AttackerRisk]:
    """Like `attacker_risks`, given the classes before and after."""
    if not 0 < threshold <= 1:
        raise BadInput(f"threshold must be above 0 and at most 1, not {threshold:g}")

    def figures(classes: CountedClasses | None) -> tuple[float | None, float | None, int | None]:
        if classes is None or not len(classes.sizes):
            return None, None, None
        risks, weights = 1 / classes.sizes, classes.weights
        above = int(classes.records[risks > threshold + 1e-12].sum())
        return float(risks.max()), float((risks * weights).sum() / weights.sum()), above

    (highest, average, above), (highest_before, average_before, above_before) = figures(after), figures(before)
    prosecutor = AttackerRisk(
        "prosecutor", ASSUMES["prosecutor"], highest, average, above, highest_before, average_before, above_before
    )
    journalist = AttackerRisk("journalist", ASSUMES["journalist"], _measured(release, "journalist-risk"), None, None)
    in_population = _measured(release, "marketer-risk")
    marketer = replace(
        prosecutor, attacker="marketer", assumes=ASSUMES["marketer"], highest=None, highest_before=None, above=None,
        above_before=None, average=average if in_population is None else in_population,
        average_before=average_before if in_population is None else None,
    )  # fmt: skip
    return [prosecutor, journalist, marketer]


def _measured(release: Release, name: str) -> float | None:
    measure, schema = measures.get(name), release.schema
    if measure.of_classes is None or measure.lacks(schema):
        return None
    classes = release.judged_classes(measure.columns(schema))
    return None if classes is None else float(measure.of_classes(classes, schema))


def class_size_of_rows(table: Table, release: Release, rows: np.ndarray | None = None) -> np.ndarray:
    """Return the size of the equivalence class of each row of a table, in persons if the schema says who a row is
    about; `rows` are those of the source behind them, if not all."""
    quasi, person = [name for name in release.schema.quasi if name in table], release.schema.person
    if person is None:
        cells, cell_of_row = Cells.numbered(table, quasi)
        sizes: np.ndarray = cells.counts[cell_of_row]
        return sizes
    persons = release.original.column(person)
    others = [table.column(name) for name in quasi]
    counted = Table((*others, persons if rows is None else persons.take(rows)))
    cells, cell_of_row = Cells.numbered(counted, counted.names)
    classes = Classes.of(cells, quasi)
    of_row: np.ndarray = classes.people(person)[classes.ids][cell_of_row]
    return of_row
