"""Numeric columns: which columns contain numbers, which have distances, the number of each value, and the meaning of
integers.

>>> import pyarrow as pa
>>> from fairveil.data.table import Table
>>> age = Table.from_frame(pa.table({"age": [40, None, 31, 40]})).column("age")
>>> is_number(age), numbers_per_value(age).tolist()
(True, [31.0, 40.0, nan])
>>> numbers_per_value(age)[age.codes].tolist()
[40.0, nan, 31.0, 40.0]

Integers are quantities, which have a mean, or codes, whose mean has no meaning. The numbers alone do not decide it. A
schema declares it (`whole_numbers = {ward = "code"}`); otherwise names and values may suggest a code:

>>> table = Table.from_frame(pa.table({"ward": [11, 12, 40, 11, 12] * 9, "age": [20, 30, 40, 50, 60] * 9}))
>>> why_a_code(table.column("ward"), 45), why_a_code(table.column("age"), 45)
('its name', '')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import fsum, isinf
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
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


def is_number(column: Column) -> bool:
    """Whether the values are numbers. Booleans are categories, and so is a column with infinite numbers: they have no
    distance from others, and no interval ends there."""
    import pyarrow as pa  # here, because naming a hierarchy does not need it

    kind = column.values.type
    if pa.types.is_floating(kind):
        return not np.isinf(numbers_per_value(column)).any()
    return bool(pa.types.is_integer(kind) or pa.types.is_decimal(kind))


def is_measurable(column: Column) -> bool:
    """Whether the values have distances and a mean: numbers, dates and timestamps."""
    import pyarrow as pa

    kind = column.values.type
    return is_number(column) or bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


_TENS = np.array([float(f"1e{power}") for power in (*range(301), *range(-300, 0))])
"""Powers of ten by exponent: those of `np.power` differ between processors."""


def exact_sum(terms: np.ndarray) -> float:
    """The sum of floats, rounded once: the same digits on every processor and in every order of the terms.

    NumPy's products of vectors add in as many lanes as the processor has, so their last digits differ. Sums that are
    published with all their digits are computed here.
    """
    try:
        return fsum(terms.tolist())
    except (OverflowError, ValueError):  # larger than the maximum float
        with np.errstate(over="ignore", invalid="ignore"):
            return float(terms.sum())


def significant(values: ArrayLike, digits: int = 12) -> np.ndarray:
    """Floats rounded to at least so many significant digits, so that floats equal but for rounding become equal.

    The last digits of a logarithm or of a sum depend on the processor and on the order of the terms, so code that
    chooses the minimum or maximum of several floats compares them rounded.
    """
    numbers = np.asarray(values, dtype=float)
    power = digits - np.floor(np.frexp(numbers)[1] * 0.30103).astype(np.int64)  # of ten; log10(2) = 0.30103
    scale = _TENS[np.clip(power, -300, 300)]
    with np.errstate(invalid="ignore", over="ignore"):
        rounded = np.rint(numbers * scale) / scale
    return np.where(np.isfinite(rounded), rounded, numbers)


def offsets_per_value(column: Column) -> np.ndarray:
    """The differences of the distinct numbers from the smallest, in code order; missing is NaN.

    Differences are taken before rounding to floats, so integers and decimals of any size remain distinct. An infinite
    number is farther out than all others by their range.
    """
    numbers = [value for value in column.domain if value is not None]
    finite = [value for value in numbers if not isinf(value)]
    if not finite:
        return np.array([np.nan if value is None else float(value > 0) for value in column.domain])
    low, high = finite[0], finite[-1]
    huge = isinf(float(high) - float(low))  # half the distance, because a float cannot hold it

    def offset(value: Any) -> float:
        if value is None:
            return np.nan
        if isinf(value):
            return 2 * offset(high) + 1 if value > 0 else -offset(high) - 1
        return float(value / 2 - low / 2) if huge else float(value - low)

    return np.array([offset(value) for value in column.domain])


def numbers_per_value(column: Column) -> NDArray[np.float64]:
    """The distinct values as floats, in code order; missing is NaN. Dates and timestamps are in their own unit."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = column.values
    if pa.types.is_date32(values.type):
        values = values.cast(pa.int32())
    elif pa.types.is_date(values.type) or pa.types.is_timestamp(values.type):
        values = values.cast(pa.int64())
    return np.asarray(pc.cast(values, pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=float)


def codes_in(domains: Mapping[str, Column], rows: int, declared: Mapping[str, Meaning]) -> dict[str, str]:
    """The columns whose numbers are codes, each with the reason: "" if the schema declares it."""
    reasons = {name: why_a_code(column, rows) for name, column in domains.items() if name not in declared}
    declared_codes = {name: "" for name in domains if declared.get(name) == "code"}
    return declared_codes | {name: why for name, why in reasons.items() if why}


def why_a_code(column: Column, rows: int) -> str:
    """Why integers look like codes, in a few words; empty if they do not, or are not integers."""
    numbers = numbers_per_value(column) if is_number(column) else np.zeros(0)
    numbers = numbers[~np.isnan(numbers)]
    words = {word for word in re.split(r"[\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", column.name).lower()) if word}
    if len(numbers) < 2 or (numbers != np.floor(numbers)).any() or words & _COUNTED:
        return ""
    if words & _CODED:
        return "its name"
    if len(numbers) <= FEW and rows >= REPEATED * len(numbers):
        gaps = numbers[-1] - numbers[0] + 1 > len(numbers)
        return f"{len(numbers)} values{' with gaps between them' if gaps and len(numbers) > 2 else ''}"
    low, high = int(numbers[0]), int(numbers[-1])
    equally_long = low >= 1000 and len(str(low)) == len(str(high))
    wide = high >= 3 * low  # unlike years and amounts
    return f"{len(str(low))} digits each" if equally_long and wide and len(numbers) >= LISTED else ""
