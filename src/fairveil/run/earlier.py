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

Everything is counted: the cells of the columns that a recipe looks at, and the keys. So the rows may stay on an engine,
where they get one more column (`engines/joined.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.attacks.scene import matched
from fairveil.counting.cells import Cells
from fairveil.data.coding import alike
from fairveil.engines import Source, source_of
from fairveil.engines.joined import joined_source, pairs_with
from fairveil.errors import BadInput, suggest
from fairveil.guards.guard import EARLIER
from fairveil.guards.together import Together, ValuesTogether
from fairveil.messages import counted, option, verb
from fairveil.published.folder import load_evidence, published_of
from fairveil.run.past_members import NOWHERE, classes_then
from fairveil.run.sections import Earlier

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table
    from fairveil.guards import Guard


@dataclass(frozen=True)
class PastClasses:
    """The class in an earlier release of each distinct tuple of some `columns` of the data, of each row if there are
    none; NOWHERE if none. `gone` has the people of each of its classes who are not in the data."""

    name: str
    columns: tuple[str, ...]
    classes: np.ndarray
    rows: np.ndarray
    gone: np.ndarray
    guessed: bool

    def notes(self, k: int) -> list[str]:
        """What the owner should know: nothing of this is published."""
        inside = int(self.rows[self.classes != NOWHERE].sum())
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
) -> tuple[Source, list[Guard], tuple[str, ...]]:
    """The source with the earlier classes of its rows, the guards on all releases together, and notes for the owner."""
    k = max((guard.least_rows for guard in guards), default=1)
    if k < 2:
        raise BadInput("earlier releases need k-anonymity on all quasi columns: its k then also holds on all together")
    dialect = getattr(source, "dialect", None) or schema.read
    given = [one if isinstance(one, Earlier) else Earlier(one) for one in earlier]
    pasts = [_past(one, source, schema, folder, dialect) for one in given]
    together = joined_source(source, [(past.columns, past.classes + 1) for past in pasts])
    alone = _alone(together.count([EARLIER] if schema.person is None else [EARLIER, schema.person]), schema, k)
    notes = [note for past in pasts for note in past.notes(k)]
    if alone:
        notes.append(
            f"{counted(alone, 'record')} {verb(alone, 'shares', 'share')} their earlier classes with fewer than "
            f"{k}: no generalization hides them, they can only be left out ({option('suppression', ...)})"
        )
    names = tuple(past.name for past in pasts)
    values = [ValuesTogether(guard, names) for guard in guards if guard.covers and not guard.across]
    return together, [Together(k, names), *values], tuple(notes)


def _alone(cells: Cells, schema: Schema, k: int) -> int:
    """The records whose earlier classes fewer than k people share, given the cells by these classes and persons."""
    past, size = cells.codes[EARLIER], cells.sizes[EARLIER]
    people = np.bincount(past, weights=cells.counts if schema.person is None else None, minlength=size)
    return int(cells.counts[people[past] < k].sum())


def _past(one: Earlier, source: Source, schema: Schema, folder: Path, dialect: Dialect) -> PastClasses:
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
    if old is None:
        columns, cells, classes = classes_then(published, source, str(one.release))
        return PastClasses(name, columns, classes, cells.counts, np.zeros(0, dtype=np.int64), True)
    if published.source_rows is not None and _made_of(one.release, old):  # a release in memory says it itself
        columns, of_rows = (), np.full(old.rows, NOWHERE, dtype=np.int64)
        shown = matched(published.table, published.table, published.schema.quasi)[0]
        of_rows[published.source_rows] = shown
    else:
        columns, _, of_rows = classes_then(published, old, str(one.release))
    key = one.key or schema.person
    if key is None:
        return PastClasses(name, *_by_place(one, source, old, columns, of_rows, schema), np.zeros(0, np.int64), False)
    cells, of_key, gone = _matched(one, key, old, source, columns, of_rows)
    return PastClasses(name, (key,), of_key, cells.counts, gone, False)


def _made_of(release: Any, old: Source) -> bool:
    """Whether a release was made of the rows of `old`, in their order."""
    source = getattr(release, "source", None)
    if source is None or not source.has_rows or old.engine is not None or source.rows != old.rows:
        return False
    return all(_equal(old.table, source.table, name) for name in source.names if name in old.names)


def _old_source(one: Earlier, folder: Path, dialect: Dialect) -> Source | None:
    given = getattr(one.release, "original", None) if one.source is None else one.source
    if given is None:
        return None
    return source_of(folder / given if isinstance(given, str) else given, dialect=dialect)


def _by_place(
    one: Earlier, source: Source, old: Source, columns: tuple[str, ...], classes: np.ndarray, schema: Schema
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """The earlier class of each row of the data, which must be the rows of the earlier source."""
    shared = [name for name in schema.quasi if name in old.names]
    in_memory = source.engine is None and old.engine is None and source.rows == old.rows
    if not in_memory or not all(_equal(old.table, source.table, name) for name in shared):
        raise BadInput(
            f"earlier release {one.release}: the rows of its source are not those of the data, so people cannot be "
            f"matched by their place; name a column that both have ({option('key', ...)})"
        )
    of_rows = classes[Cells.numbered(old.table, columns)[1]] if columns else classes
    return (), of_rows, np.ones(old.rows, dtype=np.int64)


def _matched(
    one: Earlier, key: str, old: Source, source: Source, columns: tuple[str, ...], classes: np.ndarray
) -> tuple[Cells, np.ndarray, np.ndarray]:
    """The cells of the data's keys, the earlier class of each, and the people of each class who are not in the data.

    Where somebody has several rows in the earlier release, the set of their classes is their class.
    """
    for side in (old, source):
        if key not in side.names:
            raise BadInput(f"earlier release {one.release}: {suggest(key, side.names, 'column')}")
        column = side.domain(key)
        if column.has_missing:
            raise BadInput(f"earlier release {one.release}: {key!r} has missing values, so it does not match people")
    cells, (keys_then, of_pair) = source.count([key]), pairs_with(old, key, columns, classes)
    (before, now), size = alike([keys_then, cells.table().column(key)])
    inside, total = np.flatnonzero(of_pair != NOWHERE), int(of_pair.max(initial=NOWHERE)) + 1
    persons = before[inside].astype(np.int64)
    pairs = np.unique(persons * max(total, 1) + of_pair[inside])
    sets: dict[int, list[int]] = {}
    for person, past in zip((pairs // max(total, 1)).tolist(), (pairs % max(total, 1)).tolist(), strict=True):
        sets.setdefault(person, []).append(past)
    numbers: dict[tuple[int, ...], int] = {}
    of_person = np.full(size, NOWHERE, dtype=np.int64)
    for person, of_each in sets.items():
        of_person[person] = numbers.setdefault(tuple(of_each), len(numbers))
    here = np.zeros(size, dtype=bool)
    here[now] = True
    left = of_person[(of_person != NOWHERE) & ~here]
    return cells, of_person[now], np.bincount(left, minlength=len(numbers))


def _equal(old: Table, table: Table, name: str) -> bool:
    (left, right), _ = alike([old.column(name), table.column(name)])
    return bool((left == right).all())
