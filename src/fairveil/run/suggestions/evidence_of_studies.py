"""What values and names say of columns of studies and trials: arms, and figures of the place where somebody lives."""

from __future__ import annotations

import re
from collections.abc import Callable

from fairveil.run.suggestions.column_facts import FEW, Facts
from fairveil.run.suggestions.column_words import folded, spelled_words, word_set
from fairveil.run.suggestions.topics_studies import PRICES
from fairveil.run.suggestions.topics_studies import STUDIES as TOPICS

MANY_PRICES = 10
"""Above this number of values, prices and taxes are those of places, not of years."""
MAX_ARMS, LARGEST_ARM = 6, 0.85
"""The most arms of a trial, and the share of the people in the largest."""
_ARMS = word_set(
    "trt treat trtgrp treatgrp arm armcd actarm randomized randomised randomization randomisation randgrp "
    "assigned assignment allocation allocated intervention"
)
"""Words of names that say to which arm of a trial somebody was assigned."""
_TREATMENTS = word_set(
    "treatment treatments traitement tratamiento trattamento behandlung trta trtp trtan cond condition"
)
"""Words that do, where the values are those of arms: otherwise they say how somebody is treated, or what ails them."""
_CONTROLS = word_set("placebo sham vehicle control controls usual waitlist kontrolle temoin")
_CHILDREN = re.compile(r"(num|n|no|nr|nb|kids?|child(ren)?)_?(lt|le|gt|ge|under|over)?\d+([_-]?\d+)?", re.IGNORECASE)
"""Names that count those of a household within ages: numlt5, num5_17, kids618."""
_OF_A_YEAR = re.compile(r"(price|tax|cpi|prix|precio|preis)_?(\d\d){1,2}([_-](\d\d){1,2})?", re.IGNORECASE)
"""Names of prices of a year, which are those of a place."""
_QUARTER = re.compile(r"q(ua)?r?te?r?_?[1-4]", re.IGNORECASE)
_GROUPS = word_set("white black hispanic hisp asian wht blck whte")
_COUNTS = word_set("pop population perc percent pct share frac fraction prop")
_GIVEN_OUT = word_set("perc percent pct share frac fraction prop med median mean avg average per capita pc pci")
_BOUNDS = word_set("start stop end begin finish")
_AREAS = word_set("zip county tract neighborhood neighbourhood district msa puma city region")


def _is_arm(column: Facts) -> bool:
    """Whether a column says to which arm of a trial people were assigned: a few codes, or a control among them."""
    if not 2 <= column.distinct <= MAX_ARMS or column.commonest > LARGEST_ARM:
        return False
    words = {*spelled_words(column.name)}
    texts = [folded(str(value)) for value in column.values]
    controlled = any({*spelled_words(text)} & _CONTROLS for text in texts)
    coded = column.numeric or all(len(text) == 1 for text in texts)
    if words & _ARMS:
        return controlled or coded or len(texts) == 2 or column.distinct <= 2
    return bool(words & _TREATMENTS) and (controlled or coded)


def _is_of_area(column: Facts) -> bool:
    """Whether a column has figures of an area: its last word says one, and many rows share each of many decimals."""
    words = spelled_words(column.name)
    return (
        column.look in ("numbers", "amounts")
        and column.distinct > FEW
        and column.distinct < column.rows / 2
        and words[1:][-1:] != []
        and words[-1] in _AREAS
    )


def _says_place(column: Facts) -> bool:
    """Whether prices and taxes have so many values that they say where somebody lives."""
    priced = any(topic.about == PRICES and topic.said_by(column.words) for topic in TOPICS)
    return column.distinct > MANY_PRICES and (priced or _OF_A_YEAR.fullmatch(column.name) is not None)


STUDIES: tuple[tuple[Callable[[Facts], bool], str, float, str], ...] = (
    (_is_arm, "plain", 8, "its name and values say to which arm of a study somebody was assigned"),
    (_says_place, "place", 10, "so many prices and taxes say where somebody lives"),
    (lambda c: c.numeric and c.distinct > FEW and "median" in folded(c.name) and any(
        word in folded(c.name) for word in ("inc", "hh", "rent", "home", "house", "wage", "earn", "price")), "place", 6,
     "a median is that of an area"),
    (_is_of_area, "place", 6, "its name and values say figures of an area"),
    (lambda c: c.numeric and _CHILDREN.fullmatch(c.name) is not None, "life", 4,
     "its name counts those of a household within ages"),
    (lambda c: c.numeric and c.distinct > FEW and _OF_A_YEAR.fullmatch(c.name) is not None, "plain", 7,
     "its name says prices or taxes of a year"),
    (lambda c: c.two_numbers and _QUARTER.fullmatch(c.name) is not None, "date", 10,
     "says whether it was that quarter"),
    (lambda c: c.numeric and c.distinct > FEW and bool({*spelled_words(c.name), *c.words} & _GROUPS)
     and bool({*spelled_words(c.name), *c.words} & _COUNTS), "place", 6,
     "so many shares of a group are those of an area"),
    (lambda c: c.numeric and c.look != "years" and c.words <= _BOUNDS, "date", -4, ""),
    (lambda c: c.look in ("numbers", "amounts") and c.distinct >= FEW and 1.5 < c.middle < 25 and c.high < 50
     and bool(c.words & {"unemp", "unemployment", "unem"}), "plain", 5, "so many rates are those of an area"),
)  # fmt: skip
"""Looks and spreads of values in studies, in the form of `evidence_table.TABLE`."""
