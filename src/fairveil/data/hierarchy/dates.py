"""Dates: day, month, quarter, year, decade, and nothing.

>>> from datetime import date
>>> dates().bind([date(1987, 5, 3)]).labels
((datetime.date(1987, 5, 3),), ('1987-05',), ('1987-Q2',), ('1987',), ('1980s',), ('*',))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, ClassVar

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, each
from fairveil.errors import BadInput
from fairveil.settings import setting

STEPS: dict[str, Callable[[date], str]] = {
    "day": lambda day: day.strftime("%Y-%m-%d"),
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year // 10 * 10:04d}s",
}

SHAPES = {
    "day": r"\d{4}-\d{2}-\d{2}",
    "month": r"\d{4}-\d{2}",
    "quarter": r"\d{4}-Q[1-4]",
    "year": r"\d{4}",
    "decade": r"\d{3}0s",
}


@dataclass(frozen=True, repr=False)
class Dates(Hierarchy):
    """Dates, times (their day is taken at level 'day') or ISO text; `steps` are the levels above the value."""

    kind: ClassVar[str] = "dates"
    says: ClassVar[str] = "Days, then months, quarters, years, decades."
    steps: tuple[str, ...] = field(
        default=("month", "quarter", "year", "decade"),
        metadata=setting("the levels, from fine to coarse", options=[*STEPS]),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        order = [list(STEPS).index(step) for step in self.steps]
        if not order or order != sorted(set(order)):
            raise BadInput(f"the steps of a dates hierarchy must grow coarser, in the order {', '.join(STEPS)}")

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        return each(values, self._place)

    def _place(self, value: Any) -> Sequence[str]:
        day = _as_date(value)
        return [*(STEPS[step](day) for step in self.steps), TOP]

    @property
    def height(self) -> int:
        return len(self.steps) + 1

    def admits(self, level: int, label: Any) -> bool:
        if level == 0:
            return super().admits(0, label)
        if level > len(self.steps):
            return bool(label == TOP)
        return re.fullmatch(SHAPES[self.steps[level - 1]], str(label)) is not None


def _as_date(value: Any) -> date:
    if isinstance(value, date):  # a datetime is a date, too
        return value
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        raise BadInput(f"{value!r} is not a date such as 1987-05-03") from None


def dates(*steps: str) -> Dates:
    """Increasingly coarse dates; `steps` are the levels, for example `dates("year", "decade")`."""
    return Dates(steps) if steps else Dates()
