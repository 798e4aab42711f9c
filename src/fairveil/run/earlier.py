"""Publishing again: in which classes of earlier releases the people of the data are, so that k holds across them all.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> first = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(2)])
>>> again = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(2)], earlier=[first.best("loss")])
>>> len(first), len(again)
(6, 4)

The attacker matches people across releases: they know a person's class in each of them, and in which the person is not.
People are matched by a key that the data and the source of the earlier release share, or by their place if the rows are
the same. Without that source, the earlier recipe is applied to the data as it is now: who was in the release follows
from its rows. Suppressed rows count as not released.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairveil.attacks.scene import Scene, matched
from fairveil.counting.cells import group_of
from fairveil.data.coding import alike
from fairveil.data.dialect import Dialect
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.engines import Source
from fairveil.engines.joined import JoinedTable
from fairveil.errors import BadInput, suggest
from fairveil.guards import Guard
from fairveil.guards.together import Together, ValuesTogether
from fairveil.messages import counted, option, verb
from fairveil.published.folder import load_evidence, published_of
from fairveil.run.sections import Earlier

NOWHERE = -1
"""The class of somebody who is not in a release."""


@dataclass(frozen=True)
class PastClasses:
    """The class in an earlier release of each row of the data, NOWHERE if none, and how many classes there are. `gone`
    has the people of each of its classes who are not in the data."""

    name: str
    classes: np.ndarray
    total: int
    gone: np.ndarray
    guessed: bool

    def notes(self, k: int) -> list[str]:
        """What the owner should know: nothing of this is published."""
        inside = int((self.classes != NOWHERE).sum())
        notes = [
            f"earlier release {self.name}: {counted(inside, 'record')} of the data {verb(inside, 'is', 'are')} in it"
        ]
        if self.guessed:
            notes.append(
                f"earlier release {self.name}: its source is not given, so its recipe was applied to the data, as if "
                "no value had changed since; with its source and a key, people are matched"
            )
        small = int(self.gone[(self.gone > 0) & (self.gone < k)].sum())
        if small:
            notes.append(
                f"earlier release {self.name}: {counted(small, 'record')} of people who are not in the data "
                f"{verb(small, 'is', 'are')} among fewer than {k} such: anybody who knows who left can tell; "
                "no new release changes that"
            )
        return notes


def joined(
    source: Source, schema: Schema, guards: Sequence[Guard], earlier: Sequence[Any], folder: Path = Path()
) -> tuple[JoinedTable, list[Guard], tuple[str, ...]]:
    """The source with the earlier classes of its rows, the guards on all releases together, and notes for the owner."""
    k = max((guard.least_rows for guard in guards), default=1)
    if k < 2:
        raise BadInput("earlier releases need k-anonymity on all quasi columns: its k then also holds on all together")
    table, dialect = source.table, getattr(source, "dialect", None) or schema.read
    given = [one if isinstance(one, Earlier) else Earlier(one) for one in earlier]
    pasts = [_past(one, table, schema, folder, dialect) for one in given]
    combined, _ = group_of([(past.classes + 1, past.total + 1) for past in pasts], table.rows)
    people = np.bincount(combined)
    if schema.person is not None:
        persons = table.column(schema.person)
        people = np.bincount(np.unique(combined * len(persons.values) + persons.codes) // len(persons.values))
    alone = int((people[combined] < k).sum())
    notes = [note for past in pasts for note in past.notes(k)]
    if alone:
        notes.append(
            f"{counted(alone, 'record')} {verb(alone, 'shares', 'share')} their earlier classes with fewer than "
            f"{k}: no generalization hides them, they can only be left out ({option('suppression', ...)})"
        )
    names = tuple(past.name for past in pasts)
    values = [ValuesTogether(guard, names) for guard in guards if guard.covers and not guard.across]
    return JoinedTable(table, earlier=combined), [Together(k, names), *values], tuple(notes)


def _past(one: Earlier, table: Table, schema: Schema, folder: Path, dialect: Dialect) -> PastClasses:
    given: Any = one.release
    if isinstance(given, str):
        given = folder / given
    published = published_of(given)
    name = str(load_evidence(Path(given)).get("seal", ""))[:16] if isinstance(given, Path) else "given in memory"
    if not published.whole or published.recipe.invents:
        raise BadInput(
            f"earlier release {one.release}: its rows are not rows of people that classes could be compared of"
        )
    old = _old_source(one, folder, dialect)
    people = table if old is None else old
    if published.source_rows is not None and old is not None:  # a release in memory says it itself
        rows, classes = published.source_rows, matched(published.table, published.table, published.schema.quasi)[0]
    else:
        scene = Scene(published, people)
        if not scene.recodes or scene.people.rows != people.rows:
            raise BadInput(
                f"earlier release {one.release}: its recipe does not say how each person was published: give the "
                f"source it was made of ({option('source', ...)})"
            )
        rows = np.flatnonzero(scene.members)
        classes = matched(scene.people, scene.people, published.schema.quasi)[0][rows]
    of_old = np.full(people.rows, NOWHERE, dtype=np.int64)
    of_old[rows] = classes
    total = int(classes.max(initial=NOWHERE)) + 1
    if old is None:
        return PastClasses(name, of_old, total, np.zeros(0, dtype=np.int64), True)
    of_new, gone = _matched(one, old, table, of_old, total, schema)
    return PastClasses(name, of_new, int(of_new.max(initial=NOWHERE)) + 1, gone, False)


def _old_source(one: Earlier, folder: Path, dialect: Dialect) -> Table | None:
    if one.source is None:
        return getattr(one.release, "original", None)
    return Table.read(folder / one.source, dialect=dialect) if isinstance(one.source, str) else Table.of(one.source)


def _matched(
    one: Earlier, old: Table, table: Table, of_old: np.ndarray, total: int, schema: Schema
) -> tuple[np.ndarray, np.ndarray]:
    """The earlier class of each row of the data, and the people of each class who are not in the data.

    Where somebody has several rows in the earlier release, the set of their classes is their class.
    """
    key = one.key or schema.person
    if key is None:
        shared = [name for name in schema.quasi if name in old]
        same = old.rows == table.rows and all(_equal(old, table, name) for name in shared)
        if not same:
            raise BadInput(
                f"earlier release {one.release}: the rows of its source are not those of the data, so people cannot be "
                f"matched by their place; name a column that both have ({option('key', ...)})"
            )
        return of_old, np.zeros(0, dtype=np.int64)
    for side in (old, table):
        if key not in side:
            raise BadInput(f"earlier release {one.release}: {suggest(key, side.names, 'column')}")
        if side.column(key).has_missing and (side.column(key).codes == len(side.column(key).values) - 1).any():
            raise BadInput(f"earlier release {one.release}: {key!r} has missing values, so it does not match people")
    (before, now), size = alike([old.column(key), table.column(key)])
    inside = np.flatnonzero(of_old != NOWHERE)
    pairs = np.unique(before[inside].astype(np.int64) * max(total, 1) + of_old[inside])
    sets: dict[int, list[int]] = {}
    for person, past in zip((pairs // max(total, 1)).tolist(), (pairs % max(total, 1)).tolist(), strict=True):
        sets.setdefault(person, []).append(past)
    numbers: dict[tuple[int, ...], int] = {}
    of_person = np.full(size, NOWHERE, dtype=np.int64)
    for person, classes in sets.items():
        of_person[person] = numbers.setdefault(tuple(classes), len(numbers))
    here = np.zeros(size, dtype=bool)
    here[now] = True
    left = of_person[(of_person != NOWHERE) & ~here]
    return of_person[now], np.bincount(left, minlength=len(numbers))


def _equal(old: Table, table: Table, name: str) -> bool:
    (left, right), _ = alike([old.column(name), table.column(name)])
    return bool((left == right).all())
