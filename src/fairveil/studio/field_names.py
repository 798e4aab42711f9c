"""The language of the studio: an option is called what its field on the page is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.messages import Language, plainly

FIELDS: Mapping[str, str] = {
    "missing": "Missing values",
    "missing_values": "Also missing",
    "decimal": "Decimal sign",
    "choose": "The best is the one with the best",
    "format": "As",
    "overwrite": "Replace it if it is there",
    "accept": "Dangers",
    "dataset": "Name of the data set",
    "publisher": "Published by",
}
"""Fields that the page calls otherwise than by the option's own name."""
VALUES: Mapping[tuple[str, Any], str] = {
    ("missing", "drop"): "Leave rows with one out",
    ("missing", "category"): "Keep, as a value of its own",
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
