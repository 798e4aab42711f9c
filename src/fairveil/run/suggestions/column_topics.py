"""What columns are about: the words that say so, in sixteen languages, without accents.

Each topic belongs to a kind of column (`column_evidence.py`) and has a weight: 1 is a hint, 2 is likely, 3 says it, and
4 says it even against what the values look like.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from fairveil.run.suggestions.topics_circumstances import CIRCUMSTANCES
from fairveil.run.suggestions.topics_known import KNOWN
from fairveil.run.suggestions.topics_north_east import NORTH_EAST
from fairveil.run.suggestions.topics_offices import OFFICES
from fairveil.run.suggestions.topics_parts import PARTS
from fairveil.run.suggestions.topics_registers import REGISTERS
from fairveil.run.suggestions.topics_secret import SECRET
from fairveil.run.suggestions.topics_short import SHORT_WORDS
from fairveil.run.suggestions.topics_studies import STUDIES

TOPICS = (*KNOWN, *SECRET, *REGISTERS, *CIRCUMSTANCES, *STUDIES, *OFFICES, *PARTS, *SHORT_WORDS, *NORTH_EAST)

VOCABULARY = frozenset(word for topic in TOPICS for entry in topic.words for word in entry)
"""Every word that says something."""


def kinds_in(words: Set[str]) -> frozenset[str]:
    """The kinds of column that words speak for."""
    return _kinds_in(frozenset(words))


@lru_cache(maxsize=20_000)
def _kinds_in(words: frozenset[str]) -> frozenset[str]:
    return frozenset(topic.kind for topic in TOPICS if topic.said_by(words))
