"""Answers: what the studio sends. The server writes the fields of an answer as JSON, and `contract` its type.

A `Cell` is a value of the data: always a JSON value, never markup. Shares are from 0 to 1. Whatever has no value (an
infinite risk, a measure that does not apply) is null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, is_dataclass
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, dataclass_transform

import numpy as np

Cell = str | int | float | bool | None
Spec = dict[str, Any]
"""A guard, method or hierarchy as a plan spells it: its `kind` and its settings."""
Role = Literal[
    "identifier", "quasi", "sensitive", "protected", "decision", "plain", "person", "household", "weight", "drop"
]
State = Literal["running", "done", "failed", "cancelled", "interrupted"]
Row = TypeVar("Row")
MAX_TEXT = 2000
"""Maximum number of characters of a text value that are sent for a cell."""


@dataclass_transform(frozen_default=True)
class Answer:
    """Base of all answers: subclasses are frozen dataclasses."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)


class Fault(Answer):
    """Every answer with a status from 400 on. `sentence` can be shown as it is."""

    code: str
    sentence: str


class Window(Answer, Generic[Row]):
    """Some rows of a table, from `offset` on."""

    offset: int
    total: int
    columns: list[str]
    rows: list[Row]


class FileAnswer(Answer):
    """A file as a response. A browser saves it as `name`, or displays it if there is none."""

    content: bytes | Path
    type: str
    name: str | None = None


def as_json(content: Any) -> bytes:
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_fields)
    return text.encode()


def _fields(value: Any) -> Any:
    return vars(value) if is_dataclass(value) else str(value)


def cell(value: Any) -> Cell:
    """Return a value of the data as a JSON value."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 1 << 53 else str(value)  # a browser would round larger integers
    if isinstance(value, float | Decimal):
        return float(value) if isfinite(value) else str(value)
    text = str(value)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def label(value: Any) -> str:
    """Return a value as a chart label."""
    return "(missing)" if value is None else str(cell(value))


def number(value: Any) -> float | None:
    """Return a number, or None if it is missing."""
    return float(value) if value is not None and isfinite(value) else None


def roles_of(roles: Iterable[str]) -> list[Role]:
    return list(roles)  # type: ignore[arg-type]  # a schema contains no other types


def plain(content: Any) -> Any:
    """Convert any part of a report to JSON: without NaN, dates and arrays, with text keys."""
    if isinstance(content, dict):
        return {str(key): plain(value) for key, value in content.items()}
    if isinstance(content, list | tuple | set | frozenset | np.ndarray):
        return [plain(value) for value in content]
    if isinstance(content, np.generic):
        return plain(content.item())
    if isinstance(content, float):
        return content if isfinite(content) else None
    return content if content is None or isinstance(content, bool | int | str) else str(content)


def finite(spec: Spec) -> Spec:
    """Return the settings of a part as JSON values; infinite ones, such as a time limit, are omitted."""
    return {name: value for name, value in plain(spec).items() if value is not None}
