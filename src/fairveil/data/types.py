"""Column types: which can be read, in which type a column is published, and how values are written to a CSV file.

>>> str(narrowest(pa.array([1.0, 2.0, None])).type), str(narrowest(pa.array([None], pa.int64())).type)
('int64', 'string')
>>> texts_of(pa.array([True, None])).to_pylist(), parsed(texts_of(pa.array([True, None])), pa.bool_()).to_pylist()
(['true', None], [True, None])

A column is published in the narrowest type that holds its published values. Its type in the source may be due to a
single record that is not published: one number with a fraction among integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from fairveil.errors import BadInput

UNITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}
"""Units of time, and the number of decimal places of a second that each has."""


def readable(name: str, kind: pa.DataType) -> pa.DataType:
    """The type in which values of this type are stored; raises BadInput for nested and binary types."""
    same = (
        pa.types.is_string, pa.types.is_boolean, pa.types.is_integer, pa.types.is_float32, pa.types.is_float64,
        pa.types.is_decimal128, pa.types.is_decimal256, pa.types.is_date32, pa.types.is_timestamp, pa.types.is_time,
        pa.types.is_duration,
    )  # fmt: skip
    if any(matches(kind) for matches in same):
        return kind
    if pa.types.is_null(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view":
        return pa.string()
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_decimal(kind):
        return pa.decimal128(38, kind.scale)
    if pa.types.is_date64(kind):
        return pa.date32()
    if pa.types.is_nested(kind):
        raise BadInput(f"column {name!r} has type {kind}: each cell must be a single value")
    raise BadInput(f"column {name!r} has {kind} values, which cannot be published: make them text, or leave it out")


def narrowest(values: pa.Array) -> pa.Array:
    """The same values in the narrowest common type that holds all of them; text stays text."""
    kind = values.type
    if values.null_count == len(values):
        return pa.nulls(len(values), pa.string())
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return _cast(values, [pa.int64()])
    if pa.types.is_decimal(kind):
        return _decimals(values)
    if pa.types.is_timestamp(kind):
        return _cast(values, [pa.timestamp(unit, kind.tz) for unit in ("ms", "us", "ns")])
    if pa.types.is_duration(kind):
        return _cast(values, [pa.duration(unit) for unit in ("ms", "us", "ns")])
    if pa.types.is_time(kind):
        return _cast(values, [pa.time32("ms"), pa.time64("us"), pa.time64("ns")])
    return values


def _cast(values: pa.Array, kinds: list[pa.DataType]) -> pa.Array:
    """The values in the first of these types that is lossless; unchanged if none is."""
    for kind in kinds:
        if kind == values.type:
            return values
        try:
            cast = values.cast(kind)
            if cast.cast(values.type).equals(values):
                return cast
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            continue
    return values


def _decimals(values: pa.Array) -> pa.Array:
    """The decimals with as many decimal places as the values need."""
    places = [-int(v.normalize().as_tuple().exponent) for v in values.to_pylist() if v is not None]
    scale = max([0, *places])
    return _cast(values, [pa.decimal128(38, scale), pa.decimal256(76, scale)])


def type_named(name: Any) -> pa.DataType:
    """The type with this Arrow name; raises BadInput if it is not a type that can be published."""
    text = str(name)
    try:
        kind = _named(text)
        if readable("", kind) == kind and str(kind) == text:
            return kind
    except (BadInput, ValueError, KeyError, TypeError, pa.ArrowInvalid):
        pass
    raise BadInput(f"{text[:60]!r} is not a column type")


def _named(text: str) -> pa.DataType:
    zoned = re.fullmatch(r"timestamp\[(ms|us|ns|s), tz=([^\]]+)\]", text)
    if zoned:
        return pa.timestamp(zoned[1], zoned[2])
    decimal = re.fullmatch(r"decimal(128|256)\((\d{1,2}), (\d{1,2})\)", text)
    if decimal:
        make: Callable[[int, int], pa.DataType] = pa.decimal128 if decimal[1] == "128" else pa.decimal256
        return make(int(decimal[2]), int(decimal[3]))
    return pa.type_for_alias(text)


def texts_of(values: pa.Array) -> pa.Array:
    """The values as written to a CSV file: durations as in ISO 8601, everything else as Arrow writes it."""
    if pa.types.is_duration(values.type):
        return pa.array([_spelled(v, values.type.unit) for v in values.cast(pa.int64()).to_pylist()], pa.string())
    texts = values.cast(pa.string())
    if is_zoned(values.type) and not texts.cast(values.type).equals(values):  # historical offsets have seconds
        return values.cast(pa.timestamp(values.type.unit, "UTC")).cast(pa.string())
    return texts


def is_zoned(kind: pa.DataType) -> bool:
    return pa.types.is_timestamp(kind) and kind.tz is not None


def parsed(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """The inverse of `texts_of`; raises ArrowInvalid or ValueError if a text is not a value of the type."""
    if pa.types.is_duration(kind):
        return pa.array([_duration(text, kind.unit) for text in texts.to_pylist()], pa.int64()).cast(kind)
    if pa.types.is_time(kind):
        return pa.array([_time(text, kind.unit) for text in texts.to_pylist()], pa.int64()).cast(
            pa.int32() if kind.bit_width == 32 else pa.int64()
        ).cast(kind)  # fmt: skip
    return texts.cast(kind)


def _spelled(count: int | None, unit: str) -> str | None:
    if count is None:
        return None
    seconds = Decimal(count).scaleb(-UNITS[unit])
    return f"{'-' if count < 0 else ''}PT{abs(seconds):f}S"


def _duration(text: str | None, unit: str) -> int | None:
    if text is None:
        return None
    match = re.fullmatch(r"(-?)PT(\d{1,30}(?:\.\d{1,9})?)S", text)
    if not match:
        raise ValueError(f"{text[:60]!r} is not a duration")
    count = Decimal(match[2]).scaleb(UNITS[unit])
    if count != int(count):
        raise ValueError(f"{text[:60]!r} has more digits than its type")
    return -int(count) if match[1] else int(count)


def _time(text: str | None, unit: str) -> int | None:
    if text is None:
        return None
    match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d(?:\.\d{1,9})?)", text)
    if not match:
        raise ValueError(f"{text[:60]!r} is not a time of day")
    minutes = timedelta(hours=int(match[1]), minutes=int(match[2])).total_seconds()
    return int((Decimal(int(minutes)) + Decimal(match[3])).scaleb(UNITS[unit]))
