"""What is known of a column before anybody says what it is about: its name, looks, values and how they spread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from fairveil.run.suggestions.column_topics import VOCABULARY
from fairveil.run.suggestions.column_words import words_of
from fairveil.run.suggestions.looks import Look
from fairveil.run.suggestions.naming_values import is_told, naming_look

FEW, SEVERAL = 10, 100
"""A decision has few values; from this number of values with a few rows each, codes number people or cases."""
NEARLY, MOST = 0.9, 0.5
"""From this share of rows with unique values a column nearly names people; texts and codes, which have no intervals,
do from the second."""
OWN = 0.98
"""From this share of rows with unique integers, a column numbers rows or people, whatever its name says."""
ACCOUNTS = 10**8
"""From here on, integers of one length number accounts or people."""
LONG = 100_000
"""From here on, integers have as many digits as numbers of people."""
_UNCERTAIN = ("text", "free text", "codes", "ICD codes", "postcodes", "names of people", "phone numbers")
"""Looks of texts that may name or number people in other ways, too."""
_DECIMAL = re.compile(r"-?\d+[.,]\d+")
_HEXADECIMAL = re.compile(r"(?=.*\d)[0-9a-f]{6,}")
_KEY = re.compile(r"[A-Za-z]{1,4}[-_]?\d{3,}")
_TITLED = re.compile(
    r"(?i:dra?|dr\(a\)|prof|mrs?|mme|mlle|herr|frau)\.? +[^\W\d_]|"
    r"(?i:ms|sra?|sig(ra)?|dott(ssa)?|avv|ing|lic|don|do[nñ]a|ra(in)?|me|ma[iî]tre|dhr|mevr|hr|fr|rev|sgt|ofc|det|lt|cpl|insp|"
    r"judge|justice|officer|nurse|sister|juez|juiz|juge|richter)\.? +[A-ZÀ-Þ][^\W\d_]"
)
_NAMELIKE = re.compile(r"[A-ZÀ-Þ][^\W\d_]*['’.-]?[^\W\d_]*(,? [A-ZÀ-Þa-z][^\W\d_]*['’.-]?[^\W\d_]*\.?){0,3}")


def _share_of(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    return sum(pattern.fullmatch(text) is not None for text in texts) / max(len(texts), 1)


@lru_cache(maxsize=5_000)
def _words_of(name: str) -> frozenset[str]:
    return frozenset(words_of(name, VOCABULARY))


@dataclass(frozen=True)
class Facts:
    """What is known of a column: `unique` is the share of the `rows` with a value that are alone with it, `values` are
    its values if they are few, `sample` are some of its texts, and `low`, `middle`, `high` those of numbers."""

    name: str
    look: Look
    type: str
    distinct: int
    unique: float
    rows: int
    missing: int = 0
    values: tuple[Any, ...] = ()
    sample: tuple[str, ...] = ()
    spelled: tuple[str, ...] = ()
    """Some of its texts as they are written."""
    low: float = 0.0
    middle: float = 0.0
    high: float = 0.0
    apart: tuple[str, ...] = ()
    """Of a column of zeros and ones: those that are never one together with it, though by chance they would be."""

    settled: tuple[str, ...] | None = None
    """What people keep for life, and each value of this column settles: sex, birth date, name; None if that was not
    examined, and empty if it settles nothing of the kind: then it numbers no people."""

    commonest: float = 0.0
    """The share of the rows with the most frequent value."""
    blocks: bool = False
    """Whether rows of equal values are neighbours, a few each, as those of a household are that are numbered."""

    @property
    def words(self) -> set[str]:
        return {*_words_of(self.name)}

    @property
    def numeric(self) -> bool:
        return self.look in ("numbers", "integers", "amounts", "ages", "years")

    @property
    def dense(self) -> bool:
        """Whether integers leave few gaps, as numbers that are given one after the other."""
        given = self.look == "integers" or (self.look == "amounts" and self.type == "integers")
        return given and self.distinct >= 0.9 * (self.high - self.low + 1) and self.distinct > FEW

    @property
    def decimal(self) -> bool:
        """Whether texts are mostly numbers with decimals, some other texts having kept them from being read as such."""
        return sum(_DECIMAL.fullmatch(text.strip()) is not None for text in self.sample) > len(self.sample) / 2

    @property
    def worded(self) -> bool:
        """Whether nearly all texts are one to four words without digits that begin with a capital."""
        fitting = sum(_NAMELIKE.fullmatch(text) is not None for text in self.spelled)
        return fitting >= NEARLY * len(self.spelled) > 0

    @property
    def phrased(self) -> bool:
        """Whether most texts are several words."""
        texts = [value for value in self.values if isinstance(value, str)] or self.sample
        return sum(" " in text.strip() for text in texts) > MOST * len(texts)

    @property
    def titled(self) -> bool:
        """Whether most texts are a title and a name, as Dr. Sauer is."""
        texts = self.spelled or [value for value in self.values if isinstance(value, str)]
        return sum(_TITLED.match(text) is not None for text in texts) > MOST * len(texts)

    @cached_property
    def naming(self) -> str:
        """What texts look like that name or number people, in any column; empty if they do not."""
        return naming_look(self.spelled) if self.look in _UNCERTAIN else ""

    @cached_property
    def told(self) -> bool:
        """Whether texts are sentences in which people speak of themselves or of others."""
        return self.look in ("text", "free text") and is_told(self.spelled)

    @property
    def ciphered(self) -> bool:
        """Whether nearly all texts have three digits or more."""
        fitting = sum(sum(map(str.isdigit, text)) >= 3 for text in self.sample)
        return fitting >= NEARLY * len(self.sample) > 0

    @property
    def one_length(self) -> bool:
        """Whether all texts are single words of as many letters, three to twelve, as codes are."""
        lengths = {len(text) for text in self.sample}
        return len(lengths) == 1 and 3 <= min(lengths) <= 12 and not any(" " in text for text in self.sample)

    @property
    def keyed(self) -> bool:
        """Whether all texts are as long as each other, letters first and then digits, three or more: C0012."""
        texts = [text for value in self.values if isinstance(value, str) and (text := value.strip())]
        return self.one_length and bool(texts) and all(map(_KEY.fullmatch, texts))

    @property
    def coded(self) -> bool:
        """Whether values are codes: letters with digits, or integers that all have the same number of digits, many."""
        if self.look == "integers":
            return self.low >= LONG / 10 and len(str(int(self.low))) == len(str(int(self.high)))
        return self.look == "codes" or (self.look == "text" and _share_of(_HEXADECIMAL, self.sample) >= NEARLY)

    @property
    def measures(self) -> bool:
        """Whether integers are amounts rather than given numbers: of several lengths, most of them small."""
        if self.look != "integers" or self.dense:
            return False
        lengths = len(str(int(self.high))) - len(str(int(max(self.low, 0))))
        return lengths >= 2 and self.middle < self.high / 3

    @property
    def numbers_accounts(self) -> bool:
        """Whether integers are long and of one length, and several."""
        return self.look == "integers" and self.low >= ACCOUNTS and self.coded and self.distinct > FEW

    @property
    def longest(self) -> int:
        return max(map(len, self.sample), default=len(str(int(self.high))))

    @property
    def two_numbers(self) -> bool:
        return self.distinct == 2 and self.low == 0 and self.high == 1
