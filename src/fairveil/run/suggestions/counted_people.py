"""Persons with several rows, as a first plan finds them: which column says who a row is about, and how many people can
be promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairveil.errors import BadInput
from fairveil.messages import counted
from fairveil.run.suggestions.column_words import word_set, words_of

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.run.profile import ColumnProfile, Profile
    from fairveil.run.suggestions.suggested_roles import Audience

CLASSES = 4
"""Minimum number of classes; with fewer, nothing is left to publish."""
OFTEN = 4
"""From this number of rows that agree in all that names or numbers people, names say who rows are about. People who
share one count as one person, so that no promise is about fewer people than it says."""
PROMISED: Mapping[Audience, tuple[int, int, float, float]] = {
    "public": (11, 3, 0.2, 0.05), "partners": (5, 3, 0, 0.02), "internal": (3, 2, 0, 0.02),
}  # fmt: skip
"""For each audience k, ℓ, t (0 for none) and the share of the rows that may be left out (docs/choosing.md)."""
RARE_T = 0.3
"""The t of sensitive columns in which nearly everybody has the same value, for audiences without a t: of four people
who look alike, one may have another."""

_OWN: Set[str] = {"e-mail addresses", "UUIDs", "bank account numbers", "card numbers", "social security numbers"}
"""Looks of identifiers that are unique to a person; a name, phone or ticket may be shared."""
_FIRST = word_set("first given vorname prenom firstname forename givenname fname nombres initials")
"""Words of names that many people share."""
_LAST = word_set("surname surnames last lastname family familyname nachname apellido apellidos cognome achternaam")
"""Words of names that families share."""
EXAMINED = 1_000
"""Values that are examined."""
_AROUND = word_set(
    "doctor physician nurse surgeon manager supervisor boss teacher tutor officer agent director author seller "
    "interviewer contact guardian parent mother father spouse"
)
"""Words of people whom a record is not about."""


@dataclass(frozen=True)
class Persons:
    """Persons with several rows: identifiers that repeat, and the most rows that one person may have.

    With a `column` that says who a row is about, promises count persons. Otherwise they count rows: if nobody has more
    than m rows, k times m rows belong to at least k people, so a first plan asks for that many. Repeating identifiers
    are left out.
    """

    repeating: tuple[str, ...] = ()
    max_rows: int = 1
    column: str | None = None
    people: int = 0
    """How many the column names."""

    @property
    def rows_each(self) -> int:
        """By what k is multiplied where promises count rows."""
        return 1 if self.column is not None else self.max_rows


def several_rows(persons: Persons) -> str:
    if persons.column is not None:
        return ""
    if persons.max_rows == 1:
        return "; some rows share a value: if they belong to one person, name it as --person"
    rows = counted(persons.max_rows, "row")
    return f"; up to {rows} are one person's, so it is no identifier of rows, and k is larger"


def persons_of(source: Source, profile: Profile, identifiers: Sequence[str], person: str | None = None) -> Persons:
    """What the identifiers say about persons with several rows; `person` is their column, if the owner says so."""
    max_rows = {name: source.sizes([name], named=True).largest for name in identifiers}
    repeating = tuple(name for name in identifiers if max_rows[name] > 1)
    naming = [name for name in repeating if (_is_own(profile.column(name)) if person is None else name == person)]
    if naming:
        column = _who(source, [name for name in naming if profile.column(name).kind == "person"] or naming, max_rows)
        people = source.sizes([column], named=True).distinct
        numbers = [name for name in repeating if person is None and profile.column(name).kind in ("person", "number")
                   and source.sizes([name], named=True).distinct == people]  # fmt: skip
        column = (numbers or [column])[0]  # of an address and a number, the number
        return Persons(tuple(name for name in repeating if name != column), max_rows[column], column, people)
    if len(repeating) < len(identifiers) or not repeating:
        return Persons()  # one of them is unique per row
    alone = len(identifiers) == 1 and not _is_full_name(source, profile.column(identifiers[0]))
    together = 1 if alone else source.sizes(identifiers, named=True).largest
    named = [name for name in repeating if profile.column(name).kind == "name" and not profile.column(name).missing
             and profile.column(name).distinct >= CLASSES * 3 and not words_of(name) & _FIRST]  # fmt: skip
    if together >= OFTEN and named and person is None:
        column = max(named, key=lambda name: profile.column(name).distinct)
        others = tuple(name for name in repeating if name != column)
        return Persons(others, max_rows[column], column, profile.column(column).distinct)
    return Persons(repeating, max(together, 1))


def _is_full_name(source: Source, column: ColumnProfile) -> bool:
    """Whether the values of a column are names of people in full, which few share, and not of people around."""
    if column.look != "names of people" or words_of(column.name) & {*_AROUND, *_LAST}:
        return False
    values = source.domain(column.name).values[:EXAMINED].drop_null().to_pylist()
    return sum(" " in str(value).strip() for value in values) > 0.5 * len(values)


def _who(source: Source, naming: Sequence[str], max_rows: Mapping[str, int]) -> str:
    """The column to count persons by: the coarsest of which everybody has one value, by each of the others, so that no
    promise is about fewer people than it says; the finest if there is none."""
    distinct = {name: source.sizes([name], named=True).distinct for name in naming}
    for name in sorted(naming, key=lambda name: -max_rows[name]):
        others = [other for other in naming if other != name]
        if all(source.sizes([name, other], named=True).distinct == distinct[other] for other in others):
            return name
    return max(naming, key=lambda name: distinct[name])


def _is_own(column: ColumnProfile) -> bool:
    """Whether rows with equal values are one person's."""
    return column.look in _OWN or column.kind == "person"


def people_to_promise(rows: int, persons: Persons, audience: Audience = "partners") -> int:
    """The k to promise, in people, that the size of the file allows."""
    usual = PROMISED[audience][0] if rows >= 1000 or audience == "public" else 3
    room = min(rows, persons.people) if persons.column is not None else rows
    for people in (usual, 3):
        if people * persons.rows_each * (CLASSES if persons.max_rows > 1 else 2) <= room:
            return people
    if persons.column is not None:
        raise BadInput(
            f"{counted(persons.people, 'person')} are too few to hide anybody among 3: there is no plan for this file"
        )
    if persons.max_rows == 1:
        raise BadInput(f"{counted(rows, 'row')} are too few to hide anybody among 3: there is no plan for this file")
    raise BadInput(
        f"up to {counted(persons.max_rows, 'row')} of {rows:,} are one person's ({', '.join(persons.repeating)}), so "
        "no promise about people can be kept by counting rows: keep one row per person, or, if the repeated value is a "
        "placeholder, give it as --missing-values"
    )
