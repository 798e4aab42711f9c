"""Persons with several rows. Promises count rows, so k rows of a class may be fewer than k people.

If nobody has more than m rows, k times m rows belong to at least k people. So a first plan asks for that many, and
leaves the repeating identifiers out.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from fairveil.engines import Source
from fairveil.errors import BadInput
from fairveil.plural import counted
from fairveil.run.profile import ColumnProfile, Profile
from fairveil.run.suggestions.column_words import NUMBERED, NUMBERING, PEOPLE, PERSON_NUMBERS, words_of

_OWN: Set[str] = {"e-mail addresses", "UUIDs", "bank account numbers", "card numbers", "social security numbers"}
"""Looks of identifiers that are unique to a person; a name, phone or ticket may be shared."""
CLASSES = 4
"""Minimum number of classes; with fewer, nothing is left to publish."""


@dataclass(frozen=True)
class Persons:
    """Identifiers that repeat, and the most rows that one person may have."""

    repeating: tuple[str, ...] = ()
    most: int = 1


def persons_of(source: Source, profile: Profile, identifiers: Sequence[str]) -> Persons:
    """What the identifiers say about persons with several rows."""
    most = {name: source.spread([name], named=True).most for name in identifiers}
    repeating = tuple(name for name in identifiers if most[name] > 1)
    naming = [name for name in repeating if _is_own(profile.column(name))]
    if naming:
        return Persons(repeating, max(most[name] for name in naming))
    if len(repeating) < len(identifiers) or not repeating:
        return Persons()  # one of them is unique per row
    together = source.spread(identifiers, named=True).most if len(identifiers) > 1 else 1
    return Persons(repeating, max(together, 1))


def _is_own(column: ColumnProfile) -> bool:
    """Whether rows with equal values are one person's."""
    words = words_of(column.name)
    return column.look in _OWN or bool(
        words & NUMBERING or words & PERSON_NUMBERS or (words & PEOPLE and words & NUMBERED)
    )


def people_to_promise(rows: int, persons: Persons) -> int:
    """The k to promise, in people, that the size of the file allows."""
    usual = 5 if rows >= 1000 else 3
    for people in (usual, 3):
        if people * persons.most * (CLASSES if persons.most > 1 else 2) <= rows:
            return people
    if persons.most == 1:
        raise BadInput(f"{counted(rows, 'row')} are too few to hide anybody among 3: there is no plan for this file")
    raise BadInput(
        f"up to {counted(persons.most, 'row')} of {rows:,} are one person's ({', '.join(persons.repeating)}), so no "
        "promise about people can be kept by counting rows: keep one row per person, or give a value that only stands "
        "for nobody in particular as --missing-values"
    )
