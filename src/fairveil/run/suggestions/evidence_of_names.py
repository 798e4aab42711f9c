"""What values are worth that name or number people whatever their column is called, or that may say anything in words;
and what a name is about whose first word says so.

How many rows share a value matters: a plate of three rows is somebody's, and a code of hundreds is a group's.
"""

from __future__ import annotations

from collections.abc import Callable

from fairveil.run.suggestions.column_facts import FEW, SEVERAL, Facts
from fairveil.run.suggestions.column_topics import kinds_in
from fairveil.run.suggestions.column_words import spelled_words, word_set

FEWEST_NAMED, MANY = FEW / 2, 30
"""Fewer values do not name people, and from the second number on, texts with long numbers may number them."""
FEW_EACH, SHARED = 10, 25
"""The most rows per value on average of numbers of people or cases, and of long texts that are not from a list."""
SPARSE = 2
"""Beside each remark there are at least so many blanks."""
_SURE = ("street addresses", "surnames with initials", "initials")
"""Looks that nothing but people and homes has, however few."""
_STANDINGS = word_set("niv nivel niveau sit situ situacao situacion")
_AREAS = word_set("dep dpt mun munic com comune prov")
"""First words of names in Romance languages, which say what the others tell more of: sit_avant."""

NAMING: tuple[tuple[Callable[[Facts], bool], str, float, str], ...] = (
    (lambda c: c.naming in _SURE and c.distinct > FEWEST_NAMED, "name", 20, "its values are {naming}"),
    (lambda c: c.naming == "names of people" and c.distinct > FEW and not kinds_in(c.words) & {"place", "thing"},
     "name", 6, "its values are {naming}"),
    (lambda c: c.naming not in ("", "names of people", *_SURE) and c.distinct > 2 * FEW
     and c.rows <= 2 * FEW_EACH * c.distinct, "name", 20, "its values look like {naming}"),
    (lambda c: c.look == "text" and c.distinct > MANY and c.rows <= FEW_EACH * c.distinct and c.ciphered
     and not c.decimal and not kinds_in(c.words) & {"health", "place", "date"}, "number", 8,
     "texts with long numbers, of {each} rows each on average: they number people or cases"),
    (lambda c: c.look == "free text" and c.distinct > MANY and c.rows <= SHARED * c.distinct, "text", 2.5,
     "so many long texts may say anything"),
    (lambda c: c.look == "text" and c.phrased and c.distinct > SEVERAL and c.rows <= FEW_EACH * c.distinct
     and not c.worded, "text", 2.5, "so many texts of several words may say anything"),
    (lambda c: c.distinct <= SEVERAL and spelled_words(c.name)[1:] != [] and spelled_words(c.name)[0] in _STANDINGS,
     "life", 2, "its name says a level or a situation"),
    (lambda c: c.distinct > 2 and spelled_words(c.name)[1:] != [] and spelled_words(c.name)[0] in _AREAS,
     "place", 2, "its name says an area"),
    (lambda c: c.look == "text" and c.distinct > 2 and c.phrased and c.missing > SPARSE * c.rows
     and not kinds_in(c.words) - {"text"}, "text", 2.5, "texts of several words that few have: remarks"),
    (lambda c: c.told and c.distinct > FEWEST_NAMED and not kinds_in(c.words) & {"score"}, "text", 12,
     "its values are sentences, in which people speak of themselves or of others"),
)  # fmt: skip
"""Looks and spreads of values that name people, in the form of `evidence_table.TABLE`."""
