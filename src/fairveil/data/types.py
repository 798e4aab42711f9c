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
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pyarrow as pa

from fairveil.errors import BadInput, Unpublishable

UNITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}
"""Units of time, and the number of decimal places of a second that each has."""
MAX_DIGITS = 38
"""Maximum number of digits of a decimal: no engine has more."""
NESTED = "lists or other nested values, and each cell must be a single value"
BINARY = "binary values, which cannot be published"
JSON = "JSON values, which cannot be published"
MONTHS = "intervals of months, which have no fixed length"
LONG_DECIMALS = f"decimals of more than {MAX_DIGITS} digits"
SURROGATES = "texts with unpaired surrogates"
FAR_TIMES = "times outside of the years 1 to 9999"


def unpublishable(name: str, values: str) -> Unpublishable:
    return Unpublishable(f"column {name!r} has {values}: make them text, or leave the column out")


def readable(name: str, kind: pa.DataType) -> pa.DataType:
    """The type in which values of this type are stored; raises Unpublishable for nested, binary and other types."""
    if pa.types.is_null(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view":
        return pa.string()
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_date64(kind):
        return pa.date32()
    if pa.types.is_decimal(kind) and kind.bit_width < 128:
        return pa.decimal128(38, kind.scale)
    if pa.types.is_string(kind) or pa.types.is_decimal(kind):
        return kind
    if pa.types.is_primitive(kind) and not pa.types.is_interval(kind):
        return kind
    raise unpublishable(name, refused_values(kind))


def source_type(name: str, kind: pa.DataType) -> pa.DataType:
    """The type in which values of this type of a source are read: the same whatever engine holds them.

    >>> str(source_type("at", pa.timestamp("us", "Europe/Berlin"))), str(source_type("id", pa.uuid()))
    ('timestamp[us, tz=UTC]', 'string')
    """
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return source_type(name, kind.value_type)
    if isinstance(kind, pa.UuidType):
        return pa.string()
    if is_zoned(kind):  # databases store the moment, not the zone
        return pa.timestamp(kind.unit, "UTC")
    if pa.types.is_interval(kind):
        return pa.duration("us")
    if pa.types.is_decimal(kind) and kind.precision > MAX_DIGITS:
        raise unpublishable(name, LONG_DECIMALS)
    return readable(name, kind)


_BINARY = (
    pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view,
)  # fmt: skip


def refused_values(kind: pa.DataType) -> str:
    """What a type that cannot be published holds, in the words that every engine uses."""
    if pa.types.is_nested(kind):
        return NESTED
    if any(is_kind(kind) for is_kind in _BINARY):
        return BINARY
    if isinstance(kind, pa.JsonType):
        return JSON
    return f"{kind.type_name if isinstance(kind, pa.OpaqueType) else kind} values, which cannot be published"


def narrowest(values: pa.Array) -> pa.Array:
    """The same values in the narrowest common type that holds all of them; text stays text."""
    kind = values.type
    if values.null_count == len(values):
        return pa.nulls(len(values), pa.string())
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return first_lossless(values, [pa.int64()])
    if pa.types.is_decimal(kind):
        decimals = values.drop_null().to_pylist()
        scale = max(0, *(-int(value.normalize().as_tuple().exponent) for value in decimals))
        return first_lossless(values, [pa.decimal128(38, scale), pa.decimal256(76, scale)])
    if pa.types.is_timestamp(kind):
        return first_lossless(values, [pa.timestamp(unit, kind.tz) for unit in ("ms", "us", "ns")])
    if pa.types.is_duration(kind):
        return first_lossless(values, [pa.duration(unit) for unit in ("ms", "us", "ns")])
    if pa.types.is_time(kind):
        return first_lossless(values, [pa.time32("ms"), pa.time64("us"), pa.time64("ns")])
    return values


def first_lossless(values: pa.Array, kinds: Sequence[pa.DataType]) -> pa.Array:
    """The values in the first of these types that is lossless; unchanged if none is."""
    for kind in kinds:
        if kind == values.type:
            return values
        with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
            cast = values.cast(kind)
            if cast.cast(values.type).equals(values):
                return cast
    return values


def type_named(name: Any) -> pa.DataType:
    """The type with this Arrow name; raises BadInput if it is not a type that can be published."""
    text = str(name)
    with suppress(BadInput, ValueError, KeyError, TypeError, pa.ArrowInvalid):
        kind = _named(text)
        if readable("", kind) == kind and str(kind) == text:
            return kind
    raise BadInput(f"{text[:60]!r} is not a column type")


def _named(text: str) -> pa.DataType:
    if zoned := re.fullmatch(r"timestamp\[(ms|us|ns|s), tz=([^\]]+)\]", text):
        return pa.timestamp(zoned[1], zoned[2])
    if decimal := re.fullmatch(r"decimal(128|256)\((\d{1,2}), (\d{1,2})\)", text):
        return (pa.decimal128 if decimal[1] == "128" else pa.decimal256)(int(decimal[2]), int(decimal[3]))
    return pa.type_for_alias(text)


def texts_of(values: pa.Array) -> pa.Array:
    """The values as written to a CSV file: durations as in ISO 8601, everything else as Arrow writes it."""
    if pa.types.is_duration(values.type):
        return _each(values.cast(pa.int64()), _duration_text, values.type.unit, pa.string())
    texts = values.cast(pa.string())
    if is_zoned(values.type) and not texts.cast(values.type).equals(values):  # historical offsets have seconds
        return values.cast(pa.timestamp(values.type.unit, "UTC")).cast(pa.string())
    return texts


def is_zoned(kind: pa.DataType) -> bool:
    return pa.types.is_timestamp(kind) and kind.tz is not None


def parsed(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """The inverse of `texts_of`; raises ArrowInvalid or ValueError if a text is not a value of the type."""
    if pa.types.is_duration(kind):
        return _each(texts, _duration, kind.unit, pa.int64()).cast(kind)
    if pa.types.is_time(kind):
        return _each(texts, _time, kind.unit, pa.int32() if kind.bit_width == 32 else pa.int64()).cast(kind)
    return texts.cast(kind)


def _each(values: pa.Array, function: Callable[[Any, str], Any], unit: str, kind: pa.DataType) -> pa.Array:
    """The function of each value that is not missing, and of the unit."""
    return pa.array([None if value is None else function(value, unit) for value in values.to_pylist()], kind)


def _duration_text(count: int, unit: str) -> str:
    seconds = Decimal(count).scaleb(-UNITS[unit])
    return f"{'-' if count < 0 else ''}PT{abs(seconds):f}S"


def _duration(text: str, unit: str) -> int:
    match = re.fullmatch(r"(-?)PT(\d{1,30}(?:\.\d{1,9})?)S", text)
    if not match:
        raise ValueError(f"{text[:60]!r} is not a duration")
    count = Decimal(match[2]).scaleb(UNITS[unit])
    if count != int(count):
        raise ValueError(f"{text[:60]!r} has more digits than its type")
    return -int(count) if match[1] else int(count)


def _time(text: str, unit: str) -> int:
    match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d(?:\.\d{1,9})?)", text)
    if not match:
        raise ValueError(f"{text[:60]!r} is not a time of day")
    return int((60 * (60 * int(match[1]) + int(match[2])) + Decimal(match[3])).scaleb(UNITS[unit]))
