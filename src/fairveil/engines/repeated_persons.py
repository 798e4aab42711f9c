"""Persons with several rows: every promise counts rows, so they would be protected less than promised.

If the identifiers of a source show that a person has several rows, the source is rejected. A missing identifier
identifies nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairveil.data.schema import Schema
from fairveil.engines.relation import Source
from fairveil.messages import counted


def person_problems(source: Source, schema: Schema) -> list[str]:
    """Why the source does not have one row per person, according to its identifiers."""
    known = [name for name in schema.identifier if name in source.names]
    problems = []
    for name in known:
        if name in schema.pseudonyms:
            most, rows = _most(source, [name])
            if most > 1:
                problems.append(_sentence(f"the pseudonyms of {name!r} repeat", [name], most, rows))
    if not problems and len(known) == len(schema.identifier) and known:
        most, rows = _most(source, known)
        if most > 1:
            every = " and ".join(map(repr, known))
            problems.append(_sentence(f"rows agree in {every}", known, most, rows))
    return problems


def person_notes(source: Source, schema: Schema) -> tuple[str, ...]:
    """Notes for the publisher on identifiers that have duplicates, although all identifiers together do not."""
    known = [name for name in schema.identifier if name in source.names]
    if len(known) < 2:
        return ()
    repeating = {name: most for name in known if (most := _most(source, [name])[0]) > 1}
    return tuple(
        f"{name!r} is the same in up to {counted(most, 'row')}; no two rows agree in all identifiers, so each counts "
        "as a person of its own"
        for name, most in repeating.items()
    )


def _sentence(what: str, names: Sequence[str], most: int, rows: int) -> str:
    column = "the column" if len(names) == 1 else "these columns"
    naming = "does not name" if len(names) == 1 else "do not name"
    return (
        f"{what}: up to {counted(most, 'row')} are one person's ({counted(rows, 'row')} of persons with several), and "
        f"every promise counts rows; keep one row per person, or take {column} out of the identifiers if "
        f"{'it' if len(names) == 1 else 'they'} {naming} persons"
    )


def _most(source: Source, names: Sequence[str]) -> tuple[int, int]:
    """The maximum number of rows with the same values in these columns, and the number of rows that are not unique."""
    sizes = source.sizes(names, named=True)
    return sizes.most, sizes.together
