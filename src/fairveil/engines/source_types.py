"""Types of engines that narwhals does not name, or that engines spell in their own way, as Arrow types.

Their columns are read as what every engine can group, join and fetch alike, and become values in this process, from
the distinct ones (`value_dictionary.py`): a UUID and an enumeration are texts, and an interval is a text here and a
duration afterwards.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw
import pyarrow as pa

INTERVAL = pa.month_day_nano_interval()
NESTED = pa.list_(pa.null())

_DUCKDB = {
    "uuid": pa.string(),
    "enum": pa.string(),
    "null": pa.null(),
    "interval": INTERVAL,
    "time_ns": pa.time64("ns"),
    "timestamptz_ns": pa.timestamp("ns", "UTC"),
}
_DUCKDB |= dict.fromkeys(("list", "struct", "map", "array", "union"), NESTED)


def other(kind: object) -> pa.DataType:
    """A type that only an engine has, by its name there."""
    return pa.opaque(pa.null(), str(kind).split("(")[0] or "unknown", "engine")


def is_text_on_engine(kind: pa.DataType | None) -> bool:
    """Whether a column of this type becomes text on its engine."""
    return kind in (pa.string(), pa.null(), INTERVAL)


def of_narwhals(kind: Any) -> pa.DataType | None:
    """The Arrow type that says why a column cannot be published; None if it can."""
    if kind.is_nested():
        return NESTED
    if isinstance(kind, nw.Binary):
        return pa.binary()
    return other(kind) if isinstance(kind, nw.Object | nw.Unknown) else None


def of_duckdb(relation: Any) -> dict[str, pa.DataType]:
    named = nw.from_native(relation).collect_schema()
    kinds: dict[str, pa.DataType] = {}
    for name, kind in zip(relation.columns, relation.types, strict=True):
        if str(kind) == "JSON":
            kinds[name] = pa.json_()
        elif kind.id in _DUCKDB:
            kinds[name] = _DUCKDB[kind.id]
        elif isinstance(named[name], nw.Unknown):
            kinds[name] = other(kind)
    return kinds


def of_polars(frame: Any) -> dict[str, pa.DataType]:
    import polars

    kinds = frame.collect_schema()
    nulls = {name: pa.null() for name, kind in kinds.items() if kind == polars.Null}
    nested = {name: NESTED for name, kind in kinds.items() if kind.is_nested()}  # also maps, which narwhals lacks
    return nulls | nested | {name: pa.json_() for name, kind in kinds.items() if "arrow.json" in str(kind)}


def of_spark(frame: Any) -> dict[str, pa.DataType]:
    return {name: known for name, kind in frame.dtypes if (known := _of_spark(kind)) is not None}


def _of_spark(kind: str) -> pa.DataType | None:
    if kind.startswith("interval"):
        return other(kind) if "year" in kind or "month" in kind else pa.duration("us")
    if kind.startswith(("array<", "map<", "struct<")):
        return NESTED
    return {"void": pa.null(), "variant": pa.json_()}.get(kind)
