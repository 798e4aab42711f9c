"""Persons with several rows: if promises count rows, they are protected less than promised.

If the schema names the column that says who a row is about, persons are counted. Otherwise, if the identifiers of a
source show that a person has several rows, the source is rejected. A missing identifier identifies nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairveil.errors import Unpublishable
from fairveil.messages import counted, option

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.engines.relation import Source


def person_problems(source: Source, schema: Schema) -> list[str]:
    """Why the source does not have one row per person, according to its identifiers; nothing if persons are counted,
    but for pseudonyms that would link a person's rows."""
    identifiers = [name for name in schema.identifier if name in source.names]
    problems: list[str] = []
    for name in identifiers:
        if name in schema.pseudonyms:
            max_rows, rows = _repetitions(source, [name])
            if max_rows > 1:
                problems.append(_sentence(f"the pseudonyms of {name!r} repeat", [name], max_rows, rows))
    if not problems and schema.person is None and len(identifiers) == len(schema.identifier) and identifiers:
        max_rows, rows = _repetitions(source, identifiers)
        if max_rows > 1:
            every = " and ".join(map(repr, identifiers))
            problems.append(_sentence(f"rows agree in {every}", identifiers, max_rows, rows))
    return problems


def person_notes(source: Source, schema: Schema) -> tuple[str, ...]:
    """Notes for the publisher on identifiers that have duplicates, although all identifiers together do not."""
    identifiers = [name for name in schema.identifier if name in source.names and schema.person is None]
    max_rows = {name: _repetitions(source, [name])[0] for name in identifiers}
    unread = (f"{name!r} cannot be read, so persons with several rows are not noticed by it" for name in identifiers
              if max_rows[name] < 0)  # fmt: skip
    repeating = {name: rows for name, rows in max_rows.items() if rows > 1} if len(identifiers) > 1 else {}
    return (*unread, *(
        f"{name!r} is the same in up to {counted(rows, 'row')}; no two rows agree in all identifiers, so each "
        "counts as a person of its own"
        for name, rows in repeating.items()
    ))  # fmt: skip


def unseen_persons(schema: Schema) -> tuple[str, ...]:
    """A note for the publisher where no record may decide what is said, so identifiers are not examined."""
    identifiers = " and ".join(map(repr, schema.identifier))
    return (f"ε is that of a record; whether rows agree in {identifiers} was not checked",) if identifiers else ()


def _sentence(what: str, names: Sequence[str], max_rows: int, rows: int) -> str:
    column = "the column" if len(names) == 1 else "these columns"
    naming = "does not name" if len(names) == 1 else "do not name"
    return (
        f"{what}: up to {counted(max_rows, 'row')} are one person's ({counted(rows, 'row')} of persons with several), "
        f"and every promise counts rows; declare who a row is about ({option('person', names[0])}), or "
        f"take {column} out of the identifiers if {'it' if len(names) == 1 else 'they'} {naming} persons"
    )


def _repetitions(source: Source, names: Sequence[str]) -> tuple[int, int]:
    """The maximum number of rows with the same values in these columns, and the number of rows that are not unique; -1
    if the values cannot be read, and so not be published."""
    try:
        sizes = source.sizes(names, named=True)
    except Unpublishable:
        return -1, 0
    return sizes.largest, sizes.together
