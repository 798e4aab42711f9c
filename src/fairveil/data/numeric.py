"""Numeric columns: which columns contain numbers, which have distances, and the number of each value.

>>> import pyarrow as pa
>>> from fairveil.data.table import Table
>>> age = Table.from_frame(pa.table({"age": [40, None, 31, 40]})).column("age")
>>> is_number(age), numbers_per_value(age).tolist()
(True, [31.0, 40.0, nan])
>>> numbers_per_value(age)[age.codes].tolist()
[40.0, nan, 31.0, 40.0]
"""

from __future__ import annotations

from math import fsum, isinf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fairveil.data.table import Column


def is_number(column: Column) -> bool:
    """Whether the values are numbers. Booleans are categories, and so is a column with infinite numbers: they have no
    distance from others, and no interval ends there."""
    import pyarrow as pa  # here, because naming a hierarchy does not need it

    kind = column.values.type
    if pa.types.is_floating(kind):
        import pyarrow.compute as pc

        return not pc.any(pc.is_inf(column.values)).as_py()
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
    half = 2 if isinf(float(high) - float(low)) else 1  # half the distance if a float cannot hold it
    reach = float(high / half - low / half) if half > 1 else float(high - low)

    def offset(value: Any) -> float:
        if value is None:
            return np.nan
        if isinf(value):
            return 2 * reach + 1 if value > 0 else -reach - 1
        return float(value / half - low / half) if half > 1 else float(value - low)

    return np.array([offset(value) for value in column.domain])


def numbers_per_value(column: Column) -> np.ndarray:
    """The distinct values as floats, in code order; missing is NaN. Dates and timestamps are in their own unit."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = column.values
    if pa.types.is_date32(values.type):
        values = values.cast(pa.int32())
    elif pa.types.is_date(values.type) or pa.types.is_timestamp(values.type):
        values = values.cast(pa.int64())
    return np.asarray(pc.cast(values, pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=float)
