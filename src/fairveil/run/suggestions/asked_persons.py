"""Columns that number people with several records, where nothing says who a record is about: a question to the owner.

>>> import pyarrow as pa
>>> from fairveil.data.schema import Schema
>>> from fairveil.engines import source_of
>>> visits = source_of(pa.table({"patient_id": [7, 7, 8, 9, 9], "age": [31, 31, 40, 52, 52]}))
>>> unasked_persons(visits, Schema(quasi=["age"], drop=["patient_id"]))[0][:56]
"'patient_id' repeats and looks like numbers of people: d"

The name must say so, in any role: values alone number many things. Identifiers that repeat are refused anyway
(`engines/repeated_persons.py`).

Where the schema says who a record is about, another published column may still tell which records are of one person,
whatever its name: a sampling weight with decimals, a date of birth.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.tuples import group_of
from fairveil.engines.relation import TooManyCells
from fairveil.messages import counted, option, verb
from fairveil.run.suggestions.column_topics import TOPICS, VOCABULARY
from fairveil.run.suggestions.column_words import word_set, words_of

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.engines import Source

NUMBERING = [topic for topic in TOPICS if topic.kind == "number" and topic.weight >= 3]
OTHERS = word_set(
    "row rowname rownames index key record case rec obs set pair group cluster strata stratum match school firm team "
    "ad job hospital doctor ward class household family product item order visit"
)
"""Words of what has numbers as people have, and is not a person."""
MAX_COMPARED = 1 << 20
"""Maximum number of rows in which persons and the values of other columns are counted together."""
MAX_EACH = 1000
"""Up to this mean number of records per value, numbers may be those of people."""


def unasked_persons(source: Source, schema: Schema) -> tuple[str, ...]:
    """Notes on columns that repeat and whose name says that they number people; none if persons are counted."""
    if schema.person is not None:
        return ()
    return tuple(
        f"{name!r} repeats and looks like numbers of people: declare who a record is about ({option('person', name)}), "
        "and promises count persons, not records"
        for name in numbering(source.names, schema)
        if _repeats(source, name)
    )


def numbering(names: Sequence[str], schema: Schema) -> list[str]:
    """Those of the columns with these names that number people by their name, but for identifiers."""
    others = (*schema.identifier, schema.person, schema.household, schema.weight)
    return [name for name in names if name not in others and _numbers_people(name)]


@lru_cache(maxsize=10_000)
def _numbers_people(name: str) -> bool:
    words = words_of(name, VOCABULARY)
    return not words & OTHERS and any(topic.said_by(words) for topic in NUMBERING)


def _repeats(source: Source, name: str) -> bool:
    sizes = source.sizes([name], named=True)
    rows = sizes.alone + sizes.together
    return 2 <= sizes.distinct < rows <= MAX_EACH * sizes.distinct


def linking_columns(source: Source, schema: Schema) -> tuple[str, ...]:
    """Notes on published columns that tell the records of most persons from all others, although the column that says
    who they are about is left out; `source` has the values as they are published."""
    if schema.person is None or schema.links or source.rows > MAX_COMPARED:
        return ()
    names = [name for name in schema.published if name not in schema.quasi and name in source.names]
    notes = []
    for name in names:
        people, values = source.sizes([schema.person]), source.sizes([name])
        if people.distinct > 2 * values.distinct or people.distinct - people.alone > 2 * (
            source.rows - values.distinct
        ):
            continue  # too few values, or hardly any that repeats
        try:
            cells = source.count([schema.person, name])
        except TooManyCells:
            continue
        persons, codes, counts = cells.codes[schema.person], cells.codes[name], cells.counts
        several, linked = told_apart(persons, codes, counts)
        if linked and 2 * linked >= several:
            notes.append(
                f"{name!r} is published, and nobody else has its value in the records of {linked:,} of "
                f"{counted(several, 'person')} who {verb(several, 'has', 'have')} several: it says which records are "
                "theirs, and promises count them class by class; leave it out, make it coarser, or also publish "
                f"{schema.person!r}, so that promises hold on all records of a person together"
            )
    return tuple(notes)


def told_apart(persons: np.ndarray, values: np.ndarray, counts: np.ndarray) -> tuple[int, int]:
    """Return how many persons have several records, and of how many of them a value that nobody else has is in two or
    more; given the number of records of each pair of a person and a value.

    >>> told_apart(np.array([0, 1, 1, 2]), np.array([5, 6, 7, 7]), np.array([2, 2, 1, 3]))
    (3, 2)
    """
    groups, total = group_of([(values, int(values.max(initial=0)) + 1)], len(values))
    alone = np.bincount(groups, minlength=total)[groups] == 1
    several = np.bincount(persons, weights=counts) > 1
    return int(several.sum()), len(np.unique(persons[alone & (counts > 1)]))
