"""The meaning of integers: quantities, which have a mean, or codes, whose mean has no meaning.

The numbers alone do not decide it. A schema declares it (`whole_numbers = {ward = "code"}`); otherwise names and
values may suggest a code:

>>> import pyarrow as pa
>>> from fairveil.data.table import Table
>>> table = Table.from_frame(pa.table({"ward": [11, 12, 40, 11, 12] * 9, "age": [20, 30, 40, 50, 60] * 9}))
>>> why_a_code(table.column("ward"), 45), why_a_code(table.column("age"), 45)
('its name', '')
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Literal

import numpy as np

from fairveil.data.numeric import is_number, numbers_per_value
from fairveil.data.table import Column

Meaning = Literal["code", "quantity"]
FEW = 9
"""Maximum number of distinct integers that may be categories."""
REPEATED = 5
"""Minimum number of rows per value, on average, for few values to be categories rather than measurements."""
LISTED = 20
"""Minimum number of distinct numbers of equal length that may be postcodes and the like."""

_CODED = {
    "code", "codes", "zip", "zipcode", "plz", "postcode", "postal", "postleitzahl", "id", "ids", "type", "kind", "icd",
    "category", "cat", "class", "status", "sex", "gender", "race", "ethnicity", "religion", "region", "state",
    "country", "county", "district", "ward", "department", "dept", "branch", "occupation", "job", "sector", "industry",
    "diagnosis", "marital", "nationality", "geschlecht", "beruf", "abteilung", "filiale",
}  # fmt: skip
_COUNTED = {
    "age", "ages", "alter", "count", "counts", "num", "number", "amount", "hours", "days", "weeks", "months", "years",
    "n", "year", "minutes", "seconds", "price", "cost", "income", "salary", "balance", "size", "height", "weight",
    "length", "children", "kids", "rooms", "gain", "loss", "duration", "distance", "score", "points", "rate", "total",
    "sum", "credits", "visits", "pressure", "bp", "hr", "jahre", "tage", "stunden", "anzahl", "betrag", "kinder",
}  # fmt: skip


def codes_in(domains: Mapping[str, Column], rows: int, declared: Mapping[str, Meaning]) -> dict[str, str]:
    """The columns whose numbers are codes, each with the reason: "" if the schema declares it."""
    reasons = {name: "" for name in domains if declared.get(name) == "code"}
    for name, column in domains.items():
        if name not in declared and (why := why_a_code(column, rows)):
            reasons[name] = why
    return reasons


def why_a_code(column: Column, rows: int) -> str:
    """Why integers look like codes, in a few words; empty if they do not, or are not integers."""
    numbers = _integers(column)
    words = {word for word in re.split(r"[\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", column.name).lower()) if word}
    if len(numbers) < 2 or words & _COUNTED:
        return ""
    if words & _CODED:
        return "its name"
    if len(numbers) <= FEW and rows >= REPEATED * len(numbers):
        gaps = numbers[-1] - numbers[0] + 1 > len(numbers)
        return f"{len(numbers)} values{' with gaps between them' if gaps and len(numbers) > 2 else ''}"
    return f"{len(str(int(numbers[0])))} digits each" if _equally_long(numbers) else ""


def _integers(column: Column) -> np.ndarray:
    """The distinct numbers, if all are integers; none otherwise."""
    if not is_number(column):
        return np.zeros(0)
    numbers = numbers_per_value(column)
    numbers = numbers[~np.isnan(numbers)]
    return numbers if np.all(numbers == np.floor(numbers)) else np.zeros(0)


def _equally_long(numbers: Collection[float]) -> bool:
    """Whether many numbers have the same length of at least four digits, and a wide range, unlike years and amounts."""
    low, high = int(min(numbers)), int(max(numbers))
    equal = low >= 1000 and len(str(low)) == len(str(high))
    return equal and len(numbers) >= LISTED and high >= 3 * low
