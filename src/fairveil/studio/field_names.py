"""The studio's wording of messages: options are named by the labels of their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.messages import Language, plainly

FIELDS: Mapping[str, str] = {
    "separator": "Delimiter",
    "missing": "Missing values",
    "missing_values": "Treat as missing",
    "decimal": "Decimal separator",
    "choose": "Choose the best by",
    "format": "Format",
    "overwrite": "Overwrite an existing folder",
    "accept": "Dangers",
    "dataset": "Dataset name",
    "publisher": "Publisher",
}
"""The labels of fields that differ from the option's name."""
VALUES: Mapping[tuple[str, Any], str] = {
    ("missing", "drop"): "Drop the row",
    ("missing", "category"): "Keep as a category",
}


def _name(option: str) -> str:
    if option in FIELDS:
        return f"“{FIELDS[option]}”"
    spaced = option.replace("_", " ").replace("-", " ")
    return f"“{option if len(option) <= 2 else spaced[:1].upper() + spaced[1:]}”"


def _given(option: str, value: Any) -> str:
    if value is ... or value is True:
        return _name(option)
    listed = value if isinstance(value, list | tuple) else [value]
    return f"{_name(option)}: {', '.join(_value(option, entry) for entry in listed)}"


def _value(option: str, value: Any) -> str:
    if value is ...:
        return "…"
    if isinstance(value, str):
        return f"“{VALUES.get((option, value), value)}”"
    return plainly(value)


STUDIO = Language(_name, _given, plainly)
