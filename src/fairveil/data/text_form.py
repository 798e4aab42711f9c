"""Values as text, by which values of different tables, hierarchies, plans and files are compared; and the numbers that
published labels stand for.

>>> [as_text(value) for value in (17, 17.0, "17.0", Decimal("17.00"), 17.5, None, True)]
['17', '17', '17', '17', '17.5', 'None', 'True']

A generalized number is published as an interval. Its position on the number line is the midpoint; the position of an
open interval is its only end. So 34 and "30-39" can be compared, and readers of a release get the same positions as its
publisher.

>>> [position(label) for label in (34, "30-39", "[30, 40)", "<18", "≥65", "85+", "-5--1", "*", None)]
[34.0, 34.5, 35.0, 18.0, 65.0, 85.0, -3.0, None, None]
>>> interval_of("[2020-02-01, 2020-03-01)", dates=True), interval_of("<18")
(LabelInterval(low=18293.0, high=18322.0, closed=False), LabelInterval(low=None, high=18.0, closed=False))
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

_NUMBER = r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
_DATE = r"(\d{4}-\d{2}-\d{2})"
_FORMS = "{0}|<{0}|≥{0}|{0}\\+|{0}-{0}|\\[{0}, {0}\\)"
_OF_NUMBERS, _OF_DATES = (re.compile(_FORMS.format(end)) for end in (_NUMBER, _DATE))
_EPOCH = date(1970, 1, 1).toordinal()


def text_or_none(value: Any) -> str | None:
    """Return a value as text; None stays None."""
    return None if value is None else str(value)


def as_text(value: Any) -> str:
    """Return the text of a value; an integer has the same text in every numeric type."""
    text = f"{value:f}".rstrip("0") if isinstance(value, Decimal) and "." in f"{value:f}" else str(value)
    if text.endswith("."):
        return text[:-1]
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdecimal() else text


class LabelInterval(NamedTuple):
    """The numbers that a label stands for; dates count in days since 1970. None: the interval is open on that side."""

    low: float | None
    high: float | None
    closed: bool

    @property
    def middle(self) -> float:
        """The midpoint, or the only end of an open interval."""
        ends = [end for end in (self.low, self.high) if end is not None]
        return sum(ends) / len(ends)

    def holds(self, numbers: np.ndarray) -> np.ndarray:
        """Whether each number is inside; NaN is not."""
        inside: np.ndarray = ~np.isnan(numbers)
        if self.low is not None:
            inside &= numbers >= self.low
        if self.high is not None:
            inside &= numbers <= self.high if self.closed else numbers < self.high
        return inside


def interval_of(label: str, *, dates: bool = False) -> LabelInterval | None:
    """The interval of a label such as 34, "30-39", "[30, 40)", "<18", "≥65" or "85+"; None if it is none.

    `dates`: its ends may also be dates.
    """
    number: Callable[[str], float] = float
    match = _OF_NUMBERS.fullmatch(label)
    if match is None and dates:
        match, number = _OF_DATES.fullmatch(label), _days
    if match is None:
        return None
    try:
        single, below, above, top, *ends = [None if end is None else number(end) for end in match.groups()]
    except ValueError:  # there is no 30 February
        return None
    if single is not None:
        return LabelInterval(single, single, True)
    above = top if above is None else above
    if below is not None or above is not None:
        return LabelInterval(above, below, False)
    closed = ends[0] is not None
    low, high = ends[:2] if closed else ends[2:]
    return LabelInterval(low, high, closed)


def position(label: Any) -> float | None:
    """The number that a published value stands for; None if it does not stand for a number."""
    if isinstance(label, bool) or label is None:
        return None
    if isinstance(label, int | float | Decimal):
        return float(label) if isfinite(label) else None
    if isinstance(label, datetime):
        return label.timestamp() / 86_400
    if isinstance(label, date):
        return float(label.toordinal() - _EPOCH)
    interval = interval_of(label) if isinstance(label, str) else None
    return None if interval is None else interval.middle


def _days(day: str) -> float:
    return float(date.fromisoformat(day).toordinal() - _EPOCH)
