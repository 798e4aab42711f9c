"""The types of columns in several files: one that holds every value of all of them, or a refusal that names both.

>>> str(wider(pa.int32(), pa.int64())), str(wider(pa.int32(), pa.float32())), wider(pa.string(), pa.int64())
('int64', 'double', None)

Types are compared before a row is read. Where the types alone do not say that nothing is lost (64-bit integers that
become floats, times that become nanoseconds), the minimum and maximum in the footers of Parquet files do.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairveil.data.types import MAX_DIGITS, UNITS, source_type
from fairveil.errors import BadInput, Unpublishable

MAX_EXACT = 2**53
"""Maximum integer below which every integer is a 64-bit float."""


def common_types(files: Mapping[Path, Mapping[str, pa.DataType]]) -> dict[str, pa.DataType]:
    """The type of each column that holds its values in all of these Parquet files; raises BadInput if there is none.
    A type that cannot be published is kept: the column may be one that is dropped."""
    (first, types), *others = files.items()
    common = {name: _normal(name, kind) for name, kind in types.items()}
    origins = dict.fromkeys(common, first)
    for file, kinds in others:
        for name, kind in kinds.items():
            other = _normal(name, kind)
            both = wider(common[name], other) or _exact_floats(common[name], other)
            if both is None:
                raise differing(name, common[name], origins[name].name, other, file.name)
            origins[name] = origins[name] if both == common[name] else file
            common[name] = both
    for file, kinds in files.items():
        for name, kind in kinds.items():
            if (limits := _limits(_normal(name, kind), common[name])) and not _fits(file, name, *limits):
                raise differing(name, common[name], origins[name].name, _normal(name, kind), file.name)
    return common


def differing(name: str, one: pa.DataType, file: str, other: pa.DataType, other_file: str) -> BadInput:
    return BadInput(
        f"column {name!r} is {one} in {file} and {other} in {other_file}, and no type holds both without loss: give "
        "the column one type in all files"
    )


def _normal(name: str, kind: pa.DataType) -> pa.DataType:
    try:
        return kind if pa.types.is_null(kind) else source_type(name, kind)
    except Unpublishable:
        return kind


def _exact_floats(one: pa.DataType, other: pa.DataType) -> pa.DataType | None:
    """Floats for 64-bit integers and floats, if the integers are small enough."""
    numeric = [kind for kind in (one, other) if pa.types.is_integer(kind) or pa.types.is_floating(kind)]
    return pa.float64() if len(numeric) == 2 else None


def _limits(kind: pa.DataType, target: pa.DataType) -> tuple[int, int] | None:
    """The range of a type's values that the target holds; None if that is all of them."""
    if pa.types.is_integer(kind) and pa.types.is_floating(target) and _bits(kind) > 53:
        return (0 if pa.types.is_unsigned_integer(kind) else -MAX_EXACT), MAX_EXACT  # footers have no unsigned integers
    if (pa.types.is_timestamp(kind) or pa.types.is_duration(kind)) and kind != target and target.unit == "ns":
        limit = (2**63 - 1) // 10 ** (UNITS["ns"] - UNITS[kind.unit])
        return -limit, limit
    return None


def _fits(file: Path, name: str, lowest: int, highest: int) -> bool:
    """Whether the footer of a Parquet file says that all values of a column are in a range."""
    import pyarrow.parquet as pq

    about = pq.read_metadata(file)
    for group in filter(lambda group: group.num_rows, map(about.row_group, range(about.num_row_groups))):
        [column] = (c for c in map(group.column, range(group.num_columns)) if c.path_in_schema == name)
        statistics = column.statistics
        if statistics is not None and statistics.has_null_count and statistics.null_count == column.num_values:
            continue
        if (
            statistics is None
            or not statistics.has_min_max
            or not lowest <= statistics.min_raw <= statistics.max_raw <= highest
        ):
            return False
    return True


def wider(one: pa.DataType, other: pa.DataType) -> pa.DataType | None:
    """The type that holds every value of two types; None if there is none. A day is not a moment."""
    if one == other:
        return one
    for a, b in ((one, other), (other, one)):
        if pa.types.is_null(a):
            return b
        if pa.types.is_integer(a) and pa.types.is_floating(b):
            exact = 11 if b == pa.float16() else 24 if b == pa.float32() else 53
            return b if _bits(a) <= exact else pa.float64() if _bits(a) <= 53 else None
        if pa.types.is_integer(a) and pa.types.is_decimal(b):
            return _decimal(max(_digits(a), b.precision - b.scale), b.scale)
    if pa.types.is_integer(one) and pa.types.is_integer(other):
        return _integer(one, other)
    if pa.types.is_floating(one) and pa.types.is_floating(other):
        return max(one, other, key=lambda kind: kind.bit_width)
    if pa.types.is_decimal(one) and pa.types.is_decimal(other):
        return _decimal(max(one.precision - one.scale, other.precision - other.scale), max(one.scale, other.scale))
    if pa.types.is_timestamp(one) and pa.types.is_timestamp(other) and one.tz == other.tz:
        return pa.timestamp(_finest(one, other), one.tz)
    if pa.types.is_duration(one) and pa.types.is_duration(other):
        return pa.duration(_finest(one, other))
    if pa.types.is_time(one) and pa.types.is_time(other):
        return max(one, other, key=lambda kind: UNITS[kind.unit])
    return None


def _finest(*kinds: Any) -> str:
    return max((str(kind.unit) for kind in kinds), key=lambda unit: UNITS[unit])


def _bits(kind: pa.DataType) -> int:
    """The bits of the largest integer of a type, without the sign."""
    return int(kind.bit_width) - (not str(kind).startswith("u"))


def _digits(kind: pa.DataType) -> int:
    return len(str(2 ** _bits(kind)))


def _integer(one: pa.DataType, other: pa.DataType) -> pa.DataType | None:
    unsigned = all(str(kind).startswith("u") for kind in (one, other))
    if unsigned or not any(str(kind).startswith("u") for kind in (one, other)):
        return max(one, other, key=_bits)
    bits = max(_bits(one), _bits(other))
    return next((kind for kind in (pa.int16(), pa.int32(), pa.int64()) if _bits(kind) >= bits), _decimal(20, 0))


def _decimal(whole: int, scale: int) -> pa.DataType | None:
    return pa.decimal128(whole + scale, scale) if whole + scale <= MAX_DIGITS else None
