"""Scene: all that an attacker has, and the truth with which the data owner compares the guesses.

Everybody has the published table and its recipe. The data owner adds the original, a control group or a second release
to find out how far an attacker would get.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairveil.counting.cells import Classes, classes_of
from fairveil.counting.threads import side_by_side
from fairveil.counting.tuples import first_rows, group_of
from fairveil.data.coding import alike
from fairveil.data.table import Column, Table, narrow
from fairveil.engines.all_rows import rows_of
from fairveil.engines.open_data import is_on_engine
from fairveil.errors import BadInput, refuse, suggest
from fairveil.published.folder import Publishing, in_database, published_of
from fairveil.published.published import Published
from fairveil.recipes.outcome import ONLY, Outcome
from fairveil.shapes import columns

if TYPE_CHECKING:
    from fairveil.counting.class_histogram import ClassHistogram
    from fairveil.data.schema import Schema
    from fairveil.engines import PublishedTable
    from fairveil.progress import Progress
    from fairveil.recipes.recipe import Recipe


@dataclass(frozen=True)
class Scene:
    """What is published, under attack."""

    published: Published
    original: Table | None = None
    known: tuple[str, ...] = ()
    others: tuple[Scene, ...] = ()
    control: Table | None = None
    seed: int = 0
    judged: Classes | None = None
    """The published classes with who a record is about, as the publisher has them when a release is made."""

    @classmethod
    def of(
        cls,
        release: Publishing,
        *,
        original: Any = None,
        known: Sequence[str] | None = None,
        other: Publishing | Sequence[Publishing] | None = None,
        control: Any = None,
        seed: int = 0,
        database: Any = None,
        table: str | None = None,
        progress: Progress | None = None,
    ) -> Scene:
        """Return the scene of a release or its folder, with the owner's data; raises BadInput if they do not fit.

        The release is not verified here: `verify` does that. `database` and `table` say where its rows are
        (`published/folder.py`); those of `other` are there, too, if they are in a table.
        """
        others: Sequence[Publishing] = () if other is None else other if isinstance(other, list | tuple) else (other,)
        elsewhere = any(in_database(given) for given in others)
        here = {"database": database, "table": table} if in_database(release) or not elsewhere else {}
        published = published_of(release, progress, **here)
        schema = published.schema
        names = tuple(schema.quasi if known is None else columns(known, "known"))
        if original is not None and published.keeps_order and is_on_engine(original):
            raise BadInput(
                "the release keeps the order of its source, and rows of a database have none: give the original as a "
                "file or data frame"
            )
        needed = {*schema.published, *schema.quasi, *schema.protected, schema.person, *names}
        added = [
            None if given is None else rows_of(given, schema.read, needed=needed, progress=progress)
            for given in (original, control)
        ]
        if published.whole:
            refuse([suggest(name, published.names, "column") for name in names if name not in published.names])
            for people in added:
                if people is not None:
                    people.need([*schema.quasi, *names])
        beside = tuple(
            cls(published_of(given, progress, database=database if in_database(given) else None)) for given in others
        )
        return cls(published, added[0], names, beside, added[1], seed)

    @property
    def content(self) -> PublishedTable:
        """The only published table, as counts; attacks that need "rows" read `published.table`."""
        return self.published.content[ONLY]

    @property
    def classes(self) -> Classes:
        """The published equivalence classes."""
        classes = self.published.classes
        assert classes is not None, "an attack on classes needs one table"
        return classes

    @cached_property
    def sensitive(self) -> list[str]:
        return [name for name in self.published.schema.sensitive if name in self.published.names]

    @cached_property
    def person_of_row(self) -> Column | None:
        """Who each published row is about, in the order of the release's rows, or of rows that are equal but for the
        person; None where it is not known."""
        published, original, person = self.published, self.original, self.published.schema.person
        if person is None or not published.has_rows:
            return None
        if published.schema.links:
            return published.table.column(person)
        if original is None or person not in original:
            return None
        persons, rows = original.column(person), published.source_rows
        if rows is not None and original.rows == published.rows + published.suppressed:
            return persons.take(rows)
        if not self.recodes or self.people.rows != original.rows or int(self.members.sum()) != published.rows:
            return None
        mine, theirs, total = self.matched(self._shared)
        members = np.flatnonzero(self.members)
        if (np.bincount(mine[members], minlength=total)[mine[~self.members]] > 0).any():
            return None  # of people who look alike, some were left out: nobody knows who
        of_row = np.empty(published.rows, dtype=np.int64)
        of_row[np.argsort(theirs, kind="stable")] = members[np.argsort(mine[members], kind="stable")]
        return persons.take(of_row)

    @cached_property
    def described(self) -> Classes | None:
        """The published classes, described by who a record is about; None where that is not known."""
        schema = self.published.schema
        if schema.links and self.published.whole:
            return self.classes
        if self.judged is not None:
            return self.judged
        persons = self.person_of_row
        if persons is None:
            return None
        table = self.published.table
        return classes_of(replace(table, columns=(*table.columns, persons)), schema)[0]

    @cached_property
    def counted(self) -> tuple[Classes, Schema]:
        """The published classes and a schema to count them with: by persons where it is known who a record is about;
        if the release links a person's records, people with the same set of classes are a class."""
        classes, schema = self.described, self.published.schema
        if classes is None or schema.person is None:
            return self.classes, replace(schema, person=None)
        return (classes.linked(schema.person) if schema.links else classes), schema

    @property
    def unit(self) -> str:
        """What attacks count."""
        return "record" if self.counted[1].person is None else "person"

    def histograms(self) -> Iterator[tuple[str, ClassHistogram]]:
        """The sensitive columns with a known value, each with its values in the classes that have any; by persons where
        it is known who a record is about."""
        classes, schema = self.counted
        every = (
            (name, classes.histogram(name, not self.published.counts_missing(name), schema.person).occupied())
            for name in self.sensitive
        )
        return ((name, histogram) for name, histogram in every if len(histogram.rows))

    @cached_property
    def people(self) -> Table:
        """The original as the recipe would publish it, suppressing nothing."""
        assert self.original is not None
        return as_published(self.published.recipe, self.original)

    @property
    def has_control(self) -> bool:
        """Whether there are people like those in the data who are not in it.

        Suppressed rows alone are not such a group: they were left out because they are unlike the others.
        """
        return self.control is not None or (self.recodes and int((~self.members).sum()) > self.published.suppressed)

    @cached_property
    def strangers(self) -> Table:
        """The control group as the recipe would publish it."""
        if self.control is None:
            return self.people.take(np.flatnonzero(~self.members))
        return as_published(self.published.recipe, self.control)

    def matched(self, names: Sequence[str]) -> Matched:
        """The people of the original and the published rows, numbered by these columns (`matched`), in the smallest
        unsigned type; each set once. If they were numbered by more columns, only their distinct tuples are."""
        key = tuple(names)
        if key not in self._matched:
            finer = next((known for known in self._matched if {*key} <= {*known}), None)
            (table, counts), people = self.published.repeated, self.people
            if finer is None:
                (mine, theirs, total), firsts = _matched(people, table, key)
                mine, theirs = narrow(mine, total), narrow(theirs, total)
                self._matched[key] = (mine, theirs if counts is None else np.repeat(theirs, counts), total), firsts
            else:
                (mine, theirs, total), (my_firsts, their_firsts) = self._matched[finer]
                own, published, fewer = matched(people.take(my_firsts), table.take(their_firsts), key)
                coarser = np.empty(total, dtype=np.min_scalar_type(fewer))
                coarser[mine[my_firsts]] = own
                rows = their_firsts if counts is None else (np.cumsum(counts) - counts)[their_firsts]
                coarser[theirs[rows]] = published
                self._matched[key] = (coarser[mine], coarser[theirs], fewer), (my_firsts, their_firsts)
        return self._matched[key][0]

    @cached_property
    def _matched(self) -> dict[tuple[str, ...], tuple[Matched, tuple[np.ndarray, np.ndarray]]]:
        """Also a row with each number, of the people and of `published.repeated`: of equal ones the first."""
        return {}

    @cached_property
    def members(self) -> np.ndarray:
        """Which people of the original are in the release.

        People who are published alike cannot be told apart by any attack on the release, so it does not matter which
        of them were left out: of each group of equal published rows, as many are members as the release holds.
        """
        people, published, total = self.matched(self._shared)
        published_counts, own_counts = (np.bincount(ids, minlength=total) for ids in (published, people))
        whole = own_counts <= published_counts
        is_member: np.ndarray = whole[people]
        rest = np.flatnonzero((~whole & (published_counts > 0))[people])  # of these, the first ones
        order = rest[np.argsort(people[rest], kind="stable")]
        starts = np.searchsorted(people[order], people[order])
        is_member[order] = np.arange(len(order)) - starts < published_counts[people[order]]
        return is_member

    @property
    def _shared(self) -> list[str]:
        """The published columns by which rows of the original are compared with those of the release."""
        table, pseudonyms = self.published.repeated[0], self.published.schema.pseudonyms
        return [name for name in table.names if name in self.people and name not in pseudonyms]

    @cached_property
    def recodes(self) -> bool:
        """Whether the recipe says how each person was published.

        It does if it reproduces all published rows. It also does if it always publishes a value of a column in the same
        way, mostly as a value that the release has: then the original may have other people than the release.
        """
        if self.original is None or not self.published.has_rows:
            return False
        try:
            people = self.people
        except BadInput:
            return False
        if self.members.sum() == self.published.rows:
            return True
        return people.rows == self.original.rows and all(
            is_function(self.original.column(name).codes, people.column(name).codes)
            and share_known(people.column(name), self.published.repeated[0].column(name)) > 0.5
            for name in self.published.schema.quasi
        )


def as_published(recipe: Recipe, table: Table) -> Table:
    """A table as a recipe publishes it; rows with values that the recipe does not know are left out."""
    return outcome_of(recipe, table).table


def outcome_of(recipe: Recipe, table: Table) -> Outcome:
    """What `as_published` returns, with the rows of the table that it is made of."""
    fitting = table.select(publishable_columns(recipe.schema, table))
    try:
        return recipe.applied(fitting)
    except BadInput:
        return recipe.applied(fitting, unknown="suppress")


def publishable_columns(schema: Schema, table: Table) -> list[str]:
    """The columns of a table that a recipe with this schema publishes."""
    gone = {*schema.drop, *schema.identifier, schema.person, schema.household} - {*schema.plain}
    return [name for name in table.names if name in schema.columns and name not in gone]


Matched = tuple[NDArray[Any], NDArray[Any], int]
"""The number of each row of two tables, and how many there are."""


def matched(first: Table, second: Table, names: Sequence[str]) -> Matched:
    """Number the distinct tuples of two tables consistently. Values are compared between distinct tuples only."""
    return _matched(first, second, names)[0]


def _matched(first: Table, second: Table, names: Sequence[str]) -> tuple[Matched, tuple[np.ndarray, np.ndarray]]:
    """The same, and the first row of each distinct tuple of both tables."""
    (mine, my_firsts), (theirs, their_firsts) = side_by_side(
        lambda: _numbered(first, names), lambda: _numbered(second, names)
    )
    columns = []
    for name in names:
        (left, right), size = alike([first.column(name).take(my_firsts), second.column(name).take(their_firsts)])
        columns.append((np.concatenate([left, right]), size))
    ids, total = group_of(columns, len(my_firsts) + len(their_firsts))
    return (ids[: len(my_firsts)][mine], ids[len(my_firsts) :][theirs], total), (my_firsts, their_firsts)


def _numbered(table: Table, names: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return first_rows([(table.column(name).codes, len(table.column(name).values)) for name in names], table.rows)


def is_function(argument: np.ndarray, value: np.ndarray) -> bool:
    """Whether equal arguments always have equal values."""
    first = np.full(int(argument.max(initial=0)) + 1, -1, dtype=np.int64)
    first[argument] = value
    return bool((first[argument] == value).all())


def share_known(column: Column, published: Column, counts: np.ndarray | None = None) -> float:
    """The share of a column's rows, which may stand for `counts` rows each, whose value the published one has."""
    (codes, published_codes), size = alike([column, published])
    return float(np.average((np.bincount(published_codes, minlength=size) > 0)[codes], weights=counts))
