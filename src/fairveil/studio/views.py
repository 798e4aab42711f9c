"""Views: values and sessions as JSON. Data is sent as plain JSON values only."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from math import isfinite
from typing import Any

import numpy as np

from fairveil.studio import api
from fairveil.studio.sessions import OpenSession

MOST_TEXT = 2000
"""Maximum number of characters of a text value that are sent for a cell."""


def cell(value: Any) -> api.Cell:
    """Return a value of the data as a JSON value."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 1 << 53 else str(value)  # a browser would round larger integers
    if isinstance(value, float | Decimal):
        return float(value) if isfinite(value) else str(value)
    text = str(value)
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"


def number(value: Any) -> float | None:
    """Return a number, or None if it is missing."""
    return float(value) if value is not None and isfinite(value) else None


def numbers(values: Iterable[Any] | np.ndarray) -> list[float | None]:
    return [number(value) for value in values]


def roles_of(roles: Iterable[str]) -> list[api.Role]:
    return list(roles)  # type: ignore[arg-type]  # a schema contains no other types


def label(value: Any) -> str:
    """Return a value as a chart label."""
    return "(missing)" if value is None else str(cell(value))


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


def session_view(session: OpenSession) -> api.Session:
    """Return everything that a page needs to display a session."""
    from fairveil.studio.problems import problems_of

    with session.lock:
        history, document = session.history, session.document
        problems = problems_of(session)
        source = None if document["source"] is None or any(p["where"] == "source" for p in problems) else (
            session.sources.source(document["source"])
        )  # fmt: skip
        return {
            "id": session.id,
            "version": history.version,
            "document": document,  # type: ignore[typeddict-item]  # its shape is checked when it is read
            "undo": history.changes[history.position - 1]["sentence"] if history.position else None,
            "redo": next((change["sentence"] for change in history.changes[history.position :]), None),
            "problems": problems,
            "runs": [run.head() for id, run in session.runs.items() if id in document["runs"]],
            "rows": None if source is None else source.rows,
            "columns": [] if source is None else list(source.names),
        }
