"""Fields of widespread systems and standards: GESCH is a sex in a file whose other columns are fields of SAP, too.

>>> said_by_standards(["PERNR", "GESCH", "BUKRS", "BET01"])[3][:2]
('money', 9)
>>> said_by_standards(["pd", "x"]), said_by_standards(["sitelongitud", "x"])
({}, {})

A file is taken to follow a standard if some of its columns are fields of it. In other files, only longer names say what
they are. The fields are in `fields_offices.py`, `fields_studies.py` and `fields_surveys.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fairveil.run.suggestions.column_words import folded
from fairveil.run.suggestions.fields_offices import OFFICES
from fairveil.run.suggestions.fields_studies import STUDIES
from fairveil.run.suggestions.fields_surveys import SURVEYS

FOLLOWED, OWN = 4, 3
"""From this number of fields on, a file follows a standard; so many of them have to be names that nothing else has."""
SURE, LIKELY, COMMON = 9, 5, 3
"""What a field is worth in a file that follows its standard, what its name is worth alone, and what one is worth that
other files have, too."""
LONG = 4
"""The fewest letters of a name that says something alone."""
ANYWHERE = "~"
"""Before a field whose name other files have, too, for other things."""


@dataclass(frozen=True)
class Standard:
    """A standard, and the names of its fields by kind of column, without signs; a # stands for a number at the end."""

    name: str
    listed: Mapping[str, str]

    @cached_property
    def fields(self) -> Mapping[str, tuple[str, bool]]:
        """The kind of each field, and whether no other standard calls other things so."""
        return {
            field.removeprefix(ANYWHERE): (kind, field[0] != ANYWHERE)
            for kind, fields in self.listed.items()
            for field in fields.split()
        }

    def field(self, name: str) -> tuple[str, bool] | None:
        """The kind of the field of this name, and whether nothing else is called so; None if there is none."""
        stem = name.rstrip("0123456789")
        return self.fields.get(name) or (self.fields.get(f"{stem}#") if stem != name else None)


STANDARDS = tuple(Standard(name, fields) for name, fields in {**OFFICES, **STUDIES, **SURVEYS}.items())


def said_by_standards(names: Sequence[str]) -> dict[int, tuple[str, float, str]]:
    """The kind of those columns that are fields of a standard, by their position, with a weight and the reason."""
    plain = ["".join(letter for letter in folded(name) if letter.isalnum()) for name in names]
    said: dict[int, tuple[str, float, str]] = {}
    fields_in = [(standard, _fields_of(standard, plain)) for standard in STANDARDS]
    for standard, fields in sorted(fields_in, key=lambda entry: -len(entry[1])):
        followed = len(fields) >= FOLLOWED and sum(is_own for _, is_own in fields.values()) >= OWN
        for place, (kind, is_own) in fields.items():
            alone = LIKELY if is_own and len(plain[place]) >= LONG else 0
            weight = (SURE if is_own else COMMON) if followed else alone
            if weight > (said[place][1] if place in said else 0):
                said[place] = _clue(kind, weight, standard)
    return said


def _fields_of(standard: Standard, names: Sequence[str]) -> dict[int, tuple[str, bool]]:
    return {place: field for place, name in enumerate(names) if (field := standard.field(name)) is not None}


def _clue(kind: str, weight: float, standard: Standard) -> tuple[str, float, str]:
    if kind == "person":
        return "number", weight, "its name says numbers of people"
    return kind, weight, f"its name is that of a field of {standard.name}"
