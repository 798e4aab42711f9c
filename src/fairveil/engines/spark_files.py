"""Parquet files on Spark: columns in types that Spark reads, also of files that it refuses to describe itself.

Spark has no UUID, half-precision number, time of day in milliseconds or nanoseconds. Given a schema, it reads
the bytes or integers of such columns, which expressions, or this process (`CellReader.valued`), turn into values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairveil.data.types import MAX_DIGITS, UNITS
from fairveil.errors import BadInput

HALF = "cast(conv(hex(reverse({0})), 16, 10) AS INT)"
"""The bits of a half-precision number, as an integer."""


def stored_type(kind: pa.DataType) -> Any:
    """The type by which Spark reads a column of a Parquet file."""
    from pyspark.sql import types
    from pyspark.sql.pandas.types import from_arrow_type

    if pa.types.is_dictionary(kind):
        return stored_type(kind.value_type)
    long = pa.types.is_decimal(kind) and kind.precision > MAX_DIGITS
    if isinstance(kind, pa.UuidType) or pa.types.is_float16(kind) or pa.types.is_fixed_size_binary(kind) or long:
        return types.BinaryType()
    if pa.types.is_null(kind) or pa.types.is_time32(kind):
        return types.IntegerType()
    nanoseconds = pa.types.is_timestamp(kind) and kind.unit == "ns"
    if pa.types.is_time(kind) or pa.types.is_duration(kind) or nanoseconds:
        return types.LongType()
    if pa.types.is_unsigned_integer(kind):
        by_width = {8: types.ShortType(), 16: types.IntegerType(), 32: types.LongType(), 64: types.DecimalType(20, 0)}
        return by_width[kind.bit_width]
    if pa.types.is_decimal(kind):
        return types.DecimalType(kind.precision, kind.scale)
    if pa.types.is_date(kind):
        return types.DateType()
    if pa.types.is_timestamp(kind):
        return types.TimestampType() if kind.tz else types.TimestampNTZType()
    if pa.types.is_large_string(kind) or isinstance(kind, pa.JsonType) or str(kind) == "string_view":
        return types.StringType()
    return from_arrow_type(kind, prefer_timestamp_ntz=True)


def valued(column: str, kind: pa.DataType) -> str:
    """The SQL of a column that is read as bytes, as text or number."""
    if isinstance(kind, pa.UuidType):
        return f"regexp_replace(lower(hex({column})), '(.{{8}})(.{{4}})(.{{4}})(.{{4}})(.{{12}})', '$1-$2-$3-$4-$5')"
    if pa.types.is_float16(kind):
        bits = HALF.format(column)
        exponent, rest = f"(shiftright({bits}, 10) & 31)", f"({bits} & 1023)"
        size = (f"CASE {exponent} WHEN 31 THEN IF({rest} = 0, double('Infinity'), double('NaN')) "
                f"WHEN 0 THEN {rest} * pow(2, -24) ELSE (1024 + {rest}) * pow(2, {exponent} - 25) END")  # fmt: skip
        return f"cast(IF({bits} >= 32768, -1, 1) * {size} AS FLOAT)"
    return f"cast({column} AS STRING)" if pa.types.is_null(kind) else column


def widened(column: str, kind: pa.DataType, target: pa.DataType) -> str:
    """The SQL of a column as read from one file, in the type of all files."""
    if pa.types.is_timestamp(target) and target.unit == "ns" and kind != target:
        epoch = "TIMESTAMP" if target.tz else "TIMESTAMP_NTZ"
        zone = "+00:00" if target.tz else ""
        return f"timestampdiff(MICROSECOND, {epoch}'1970-01-01 00:00:00{zone}', {column}) * 1000L"
    if pa.types.is_duration(target) or pa.types.is_time(target):
        return f"cast({column} AS BIGINT) * {scale(kind, target)}L"
    return f"cast({column} AS {stored_type(target).simpleString()})"


def scale(kind: pa.DataType, target: pa.DataType) -> int:
    """How many units of one type are one of another: 1000 microseconds are a millisecond."""
    return 1 if pa.types.is_null(kind) else int(10 ** (UNITS[target.unit] - UNITS[kind.unit]))


def needs_schema(types: Mapping[str, pa.DataType]) -> bool:
    """Whether Spark refuses to describe a type among these."""
    return any(map(_is_strange, types.values()))


def _is_strange(kind: pa.DataType) -> bool:
    if isinstance(kind, pa.UuidType) or pa.types.is_float16(kind) or pa.types.is_time(kind):
        return True
    nanoseconds = pa.types.is_timestamp(kind) and kind.unit == "ns"
    return bool(nanoseconds or (pa.types.is_decimal(kind) and kind.precision > MAX_DIGITS))


def refuse_hidden(files: Sequence[Path]) -> None:
    """Raise BadInput for names by which Spark skips a file, or cannot open it."""
    for file in files:
        if file.name.startswith(("_", ".")) or ":" in file.name:
            raise BadInput(
                f"Spark reads no file whose name begins with _ or . or has a colon, such as {file.name!r}: rename it"
            )
