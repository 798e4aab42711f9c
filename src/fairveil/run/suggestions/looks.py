"""Looks: what the values of a column look like, whatever the column is called.

>>> look_of(["a@example.org", "b@example.org"]), look_of(["E11.9", "I10", "M54.5", "Z00"])
('e-mail addresses', 'ICD codes')

A look is assigned only if nearly all values have it. Column names decide where values are ambiguous:

>>> look_of([10115, 80331], "plz"), look_of([10115, 80331], "price")
('postcodes', 'amounts')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairveil.run.suggestions.column_topics import VOCABULARY, kinds_in
from fairveil.run.suggestions.column_words import word_set, words_of

if TYPE_CHECKING:
    from fairveil.data.table import Column

Look = Literal[
    "nothing", "true or false", "e-mail addresses", "web addresses", "IP addresses", "UUIDs",
    "bank account numbers", "card numbers", "social security numbers", "phone numbers", "names of people",
    "free text", "ICD codes", "ATC codes", "LOINC codes", "postcodes", "coordinates", "money", "dates",
    "dates as text", "dates as numbers", "months", "times", "times of day", "years", "ages", "amounts", "codes",
    "integers", "numbers", "text",
]  # fmt: skip
_POSTAL = word_set("zip zipcode postcode postal plz postleitzahl cp codepostal cap postnummer")
_PHONED = word_set("phone telephone tel telefon mobile handy fax telefono cell")
_SUBJECTS = word_set("usubjid subjid subject participant patient ptid patientid personid pid seqn")
"""Words of numbers of people, which have hyphens as phone numbers have."""
_NUMBERING = word_set("id ids number no nr num nummer numero")
"""Words of numbers of accounts and cards, which are no amounts."""
_COORDINATES = {"latitude": 90, "lat": 90, "longitude": 180, "lon": 180, "lng": 180}
NEARLY = 0.9
"""The share of the values that must look alike."""
LARGE = 1_000
"""From this number on, numbers with cents are amounts of money, whatever the column is called."""
MAX_EXAMINED = 2_000
"""Maximum values examined."""

_TYPES: dict[type, Look] = {
    bool: "true or false", datetime: "times", date: "dates", time: "times of day", timedelta: "times of day",
}  # fmt: skip
"""Types whose values all look alike; a subclass before its base class."""
_DAY = r"(0?[1-9]|[12]\d|3[01])"
"""A day, or a month."""
_PATTERNS: dict[Look, re.Pattern[str]] = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"),
    "web addresses": re.compile(r"(https?://|www\.)\S+", re.IGNORECASE),
    "IP addresses": re.compile(r"(\d{1,3}\.){3}\d{1,3}|([0-9a-f]{0,4}:){4,7}[0-9a-f]{0,4}", re.IGNORECASE),
    "UUIDs": re.compile(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE),
    "bank account numbers": re.compile(r"[A-Z]{2}\d{2} ?([A-Z0-9]{4} ?){2,7}[A-Z0-9]{0,4}"),
    "social security numbers": re.compile(r"\d{3}-\d{2}-\d{4}"),
    "times": re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?"),
    "times of day": re.compile(r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?( ?[AaPp]\.?[Mm]\.?)?"),
    "ATC codes": re.compile(r"[A-DGHJLMNPRSV]\d{2}[A-Z]{2}\d{2}"),
    "LOINC codes": re.compile(r"\d{3,5}-\d"),
    "money": re.compile(r"(US|C|A)?[$€£¥] ?-?\d[\d.,' ]*|-?\d[\d.,' ]* ?([$€£¥]|EUR|USD|GBP|CHF)"),
    "dates as numbers": re.compile(
        r"(18[5-9]|19\d|20\d)\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])?"
        r"|(18[5-9]|19\d|20\d)\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d([0-5]\d)?"
    ),
    "months": re.compile(r"(18[5-9]|19\d|20\d)\d[-./](0[1-9]|1[0-2])"),
    "dates as text": re.compile(rf"{_DAY}[./-]{_DAY}[./-](\d{{4}}|\d{{2}})|\d{{4}}[./-]{_DAY}[./-]{_DAY}"),
}
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?")
_PHONE = re.compile(r"\+?[\d(][\d\s()./-]{5,22}\d")
_YEARS = re.compile(r"(18|19|20)\d\d ?[-/–] ?((18|19|20)\d\d|\d\d)")
"""Seasons and spans of years, which have as many digits as phone numbers."""
_DATED = re.compile(rf"{_DAY}[./]{_DAY}[./](\d{{4}}|\d{{2}})\b")
"""Dates, whatever follows them."""
_SPACED = re.compile(r"[+0]|.*[ ()/-]", re.DOTALL)
_ICD = re.compile(r"[A-TV-Z]\d[\dA-Z](\.?[\dA-Z]{1,4})?")
_CODE = re.compile(r"[A-Za-z]{0,4}[-. ]?\d[\dA-Za-z]*([-./][\dA-Za-z]+)*")  # one way to match: no backtracking
_PERSON = re.compile(r"[^\W\d_][\w'’.-]*,?( [^\W\d_][\w'’.-]*,?){1,4}")


def look_of_column(column: Column) -> Look:
    """What the values of a column look like; many values are sampled evenly."""
    positions = np.unique(np.linspace(0, max(len(column.values) - 1, 0), MAX_EXAMINED).astype(np.int64))
    return look_of(column.values.take(positions).to_pylist() if len(column.values) else [], column.name)


def look_of(values: Sequence[Any], name: str = "") -> Look:
    """What these distinct values of a column of this name look like."""
    present = [value for value in values if value is not None][:MAX_EXAMINED]
    if not present:
        return "nothing"
    for kind, look in _TYPES.items():
        if isinstance(present[0], kind):
            return look
    if isinstance(present[0], int | float | Decimal):
        return _of_numbers(present, words_of(name, VOCABULARY))
    return _of_texts([str(value).strip() for value in present], words_of(name, VOCABULARY))


def _of_numbers(values: Sequence[Any], words: set[str]) -> Look:
    if limit := next((limit for word, limit in _COORDINATES.items() if word in words), 180 * (words == {"long"})):
        return "coordinates" if max(map(abs, values)) <= limit else "numbers"
    if not all(float(value).is_integer() for value in values):
        cents = max(values) >= LARGE and _share(values, _has_cents) >= NEARLY
        return "amounts" if "money" in kinds_in(words) or cents else "numbers"
    if words & _POSTAL and _share(values, lambda value: 3 <= _digits(value) <= 10) >= NEARLY:
        return "postcodes"
    if words & _PHONED and _share(values, lambda value: 6 <= _digits(value) <= 15) >= NEARLY:
        return "phone numbers"
    if len(values) > 10 and _share(values, _is_card) >= NEARLY:
        return "card numbers"
    if _share(values, lambda value: _is_packed(int(value))) == 1 and (len(values) > 10 or "date" in kinds_in(words)):
        return "dates as numbers"
    low, high = min(values), max(values)
    if words & {"age", "alter", "edad"} and low >= 0 and high <= 130:
        return "ages"
    names_years = bool(kinds_in(words) & {"date", "ground"})
    if high <= 2100 and ((low >= 1500 and names_years) or (low >= 1850 and len(values) > 3)):
        return "years"
    if "money" in kinds_in(words) and not (words & _NUMBERING or (low >= 10**8 and _digits(low) == _digits(high))):
        return "amounts"
    return "integers"


def _is_packed(value: int) -> bool:
    """Whether an integer is a date without signs, as 20240131, with a time or without, or a month, as 202401."""
    clock = len(str(value)) - 8
    if clock in (4, 6):
        value, time = divmod(value, 10**clock)
        hour, minute = divmod(time // 10 ** (clock - 4), 100)
        if hour > 23 or minute > 59:
            return False
    year, month, day = (
        (value // 10_000, value // 100 % 100, value % 100) if value > 10**7 else (value // 100, value % 100, 1)
    )
    return 1850 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31


def _digits(number: Any) -> int:
    return len(str(int(number))) if number >= 0 else 0


def _has_cents(value: Any) -> bool:
    return abs(float(value)) >= 1 and round(float(value), 2) == float(value)


def _is_card(value: Any) -> bool:
    """Whether the number of digits is that of a card, and the check digit is right."""
    digits = [int(digit) for digit in str(value) if digit in "0123456789"]
    if not 13 <= len(digits) <= 19:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _of_texts(texts: Sequence[str], words: set[str]) -> Look:
    for look, pattern in _PATTERNS.items():
        if _share(texts, pattern.fullmatch) >= NEARLY:
            return look
    if _share(texts, _MOMENT.fullmatch) >= NEARLY:
        return "times"  # some with a time of day, others without
    if words & _POSTAL and _share(texts, lambda text: len(text) <= 10 and any(map(str.isdigit, text))) >= NEARLY:
        return "postcodes"
    if len(texts) > 10 and _share(texts, _is_card) >= NEARLY:
        return "card numbers"
    if (
        _share(texts, _is_phone) >= NEARLY
        and not words & _SUBJECTS
        and not kinds_in(words) & {"health", "place"}
        and (words & _PHONED or _share(texts, _SPACED.match) >= 0.5)
    ):
        return "phone numbers"
    if _share(texts, _ICD.fullmatch) >= NEARLY and _may_be_diseases(texts, words):
        return "ICD codes"
    length = sum(map(len, texts)) / len(texts)
    spoken = sum(len(text.split()) for text in texts) / len(texts)
    if len(texts) > 10 and (spoken >= 5 or length >= 40):
        return "free text"
    if _is_personal(words) and _share(texts, lambda text: not any(map(str.isdigit, text))) >= NEARLY:
        return "names of people"
    if len(texts) > 30 and 2 <= spoken <= 4 and _share(texts, _is_person) >= NEARLY:
        return "names of people"
    if len(texts) > 10 and (_share(texts, _CODE.fullmatch) >= NEARLY or "code" in words or "codes" in words):
        return "codes"
    return "text"


def _may_be_diseases(texts: Sequence[str], words: set[str]) -> bool:
    """Whether codes are of diseases: their name says health, or they begin with several letters and no name says that
    they are of something else."""
    kinds = kinds_in(words)
    return "health" in kinds or (
        len({text[0] for text in texts}) >= 3 and not kinds & {"unit", "place", "life", "number"}
    )


_NAMES = word_set("surname lastname firstname forename vorname nachname prenom apellido apellidos maiden")
_OF_PEOPLE = word_set("first last full given family middle patient mother father")


def _is_personal(words: set[str]) -> bool:
    return bool(words & _NAMES) or ("name" in words and bool(words & _OF_PEOPLE))


def _is_phone(text: str) -> bool:
    return (
        bool(_PHONE.fullmatch(text))
        and 7 <= sum(map(str.isdigit, text)) <= 15
        and not _YEARS.fullmatch(text)
        and (_DATED.match(text) is None)
    )


def _is_person(text: str) -> bool:
    parts = text.replace(",", " ").split()
    return bool(_PERSON.fullmatch(text)) and all(part[0].isupper() or len(part) <= 3 for part in parts)


def _share(values: Sequence[Any], test: Any) -> float:
    return sum(bool(test(value)) for value in values) / len(values)
