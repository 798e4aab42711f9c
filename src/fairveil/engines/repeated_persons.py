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
    identifiers = [name for name in schema.identifier if name in source.names]
    problems = []
    for name in identifiers:
        if name in schema.pseudonyms:
            max_rows, rows = _repetitions(source, [name])
            if max_rows > 1:
                problems.append(_sentence(f"the pseudonyms of {name!r} repeat", [name], max_rows, rows))
    if not problems and len(identifiers) == len(schema.identifier) and identifiers:
        max_rows, rows = _repetitions(source, identifiers)
        if max_rows > 1:
            every = " and ".join(map(repr, identifiers))
            problems.append(_sentence(f"rows agree in {every}", identifiers, max_rows, rows))
    return problems


def person_notes(source: Source, schema: Schema) -> tuple[str, ...]:
    """Notes for the publisher on identifiers that have duplicates, although all identifiers together do not."""
    identifiers = [name for name in schema.identifier if name in source.names]
    if len(identifiers) < 2:
        return ()
    repeating = {name: max_rows for name in identifiers if (max_rows := _repetitions(source, [name])[0]) > 1}
    return tuple(
        f"{name!r} is the same in up to {counted(max_rows, 'row')}; no two rows agree in all identifiers, so each "
        "counts as a person of its own"
        for name, max_rows in repeating.items()
    )


def _sentence(what: str, names: Sequence[str], max_rows: int, rows: int) -> str:
    column = "the column" if len(names) == 1 else "these columns"
    naming = "does not name" if len(names) == 1 else "do not name"
    return (
        f"{what}: up to {counted(max_rows, 'row')} are one person's ({counted(rows, 'row')} of persons with several), "
        f"and every promise counts rows; keep one row per person, or take {column} out of the identifiers if "
        f"{'it' if len(names) == 1 else 'they'} {naming} persons"
    )


def _repetitions(source: Source, names: Sequence[str]) -> tuple[int, int]:
    """The maximum number of rows with the same values in these columns, and the number of rows that are not unique."""
    sizes = source.sizes(names, named=True)
    return sizes.largest, sizes.together
