"""Conditions on the values of rows, which keep a research subset of them.

>>> import pyarrow as pa
>>> from fairveil.data.table import Column
>>> ages = Column("age", np.arange(3), pa.array([17, 31, None]))
>>> kept_values(condition("age >= 18", ["age", "sex"]), ages).tolist()
[False, True, False]

A condition is a column, an operator and a value, as in `age >= 18`, `town in Rome, Bari`, `born < 2001-12-31`,
`sex != m` or `income is missing`. It is judged on the distinct values of a column as they are read, so every engine
keeps the same rows. A missing value keeps no comparison.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.numeric import is_number
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, suggest
from fairveil.messages import literal, option

if TYPE_CHECKING:
    from fairveil.data.table import Column

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le, ">=": operator.ge, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "=": operator.eq,
}  # fmt: skip
_AFTER = re.compile(
    r"\s*(?P<operator><=|>=|!=|<|>|==?)\s*(?P<value>.+)|\s+(?P<list>not in|in)\s+(?P<values>.+)"
    r"|\s+is\s+(?P<negated>not\s+)?missing\s*"
)


@dataclass(frozen=True)
class Condition:
    """A condition on one column. `values` are as written; there are none where `operator` is "is missing" or "is not
    missing"."""

    column: str
    operator: str
    values: tuple[str, ...] = ()


def condition(text: str, names: Sequence[str]) -> Condition:
    """The condition of a text about one of these columns; of names that fit, the longest is meant."""
    text = text.strip()
    for name in sorted((name for name in names if text.startswith(name)), key=len, reverse=True):
        match = _AFTER.fullmatch(text[len(name) :])
        if match is None:
            continue
        if match["operator"]:
            return Condition(name, match["operator"].replace("==", "="), (_unquoted(match["value"]),))
        if match["list"]:
            return Condition(name, match["list"], tuple(map(_unquoted, match["values"].split(","))))
        return Condition(name, "is not missing" if match["negated"] else "is missing")
    first = re.split(r"\s*[<>=!]|\s+(?:not in|in|is)\s", text)[0]
    if first not in names:
        raise BadInput(f"{option('where')}: {suggest(first, names, 'column')}")
    raise BadInput(
        f"{option('where')} must be a column, one of < <= = != >= > in, not in, is missing, is not missing, and a "
        f"value, as in 'age >= 18', not {literal(text)}"
    )


def kept_values(wanted: Condition, column: Column) -> np.ndarray:
    """Whether each value of a column meets a condition."""
    values = column.domain
    if not wanted.values:
        missing = np.array([value is None for value in values], dtype=bool)
        return missing if wanted.operator == "is missing" else ~missing
    given = [_typed(text, column, values, wanted) for text in wanted.values]
    if wanted.operator in ("in", "not in"):
        among = set(given)
        return np.array(
            [v is not None and (_plain(v) in among) == (wanted.operator == "in") for v in values], dtype=bool
        )
    compare = COMPARISONS[wanted.operator]
    return np.array([v is not None and compare(_plain(v), given[0]) for v in values], dtype=bool)


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _plain(value: Any) -> Any:
    """A value in the form that `_typed` gives texts."""
    if isinstance(value, bool):
        return as_text(value).lower()
    if isinstance(value, datetime | date):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    return value if isinstance(value, str) else float(value) if isinstance(value, int | float) else as_text(value)


def _typed(text: str, column: Column, values: Sequence[Any], wanted: Condition) -> Any:
    """The text of a condition as a value of a column; raises BadInput if it cannot be one."""
    sample = next((value for value in values if value is not None), None)
    if isinstance(sample, bool):
        return text.lower()
    if is_number(column):
        try:
            return float(text)
        except ValueError:
            raise BadInput(
                f"{option('where')} compares column {column.name!r} with {literal(text)}, which is not a number"
            ) from None
    if isinstance(sample, datetime | date):
        try:
            datetime.fromisoformat(text)
        except ValueError:
            raise BadInput(
                f"{option('where')} compares column {column.name!r} with {literal(text)}, which is not a date such as "
                "2024-12-31"
            ) from None
        return text.replace("T", " ")
    if wanted.operator not in ("=", "!=", "in", "not in"):
        raise BadInput(f"{option('where')}: column {column.name!r} holds texts, which are compared by =, != or in")
    return text
