"""Columns that number people with several records, where nothing says who a record is about: a question to the owner.

>>> import pyarrow as pa
>>> from fairveil.data.schema import Schema
>>> from fairveil.engines import source_of
>>> visits = source_of(pa.table({"patient_id": [7, 7, 8, 9, 9], "age": [31, 31, 40, 52, 52]}))
>>> unasked_persons(visits, Schema(quasi=["age"], drop=["patient_id"]))[0][:56]
"'patient_id' repeats and looks like numbers of people: d"

The name must say so, in any role: values alone number many things. Identifiers that repeat are refused anyway
(`engines/repeated_persons.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from fairveil.messages import option
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
