"""Where published values lie on a line of numbers, read off what is published alone.

A generalized number is published as an interval. Its place is the middle; the place of an interval with one end is that
end. So 34 and "30-39" can be compared, and whoever has only the release finds the same places as the owner.

>>> [place(label) for label in (34, "30-39", "[30, 40)", "<18", "≥65", "-5--1", "*", None)]
[34.0, 34.5, 35.0, 18.0, 65.0, -3.0, None, None]
"""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from math import isfinite
from typing import Any

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_FORMS = (
    re.compile(rf"({_NUMBER})"),
    re.compile(rf"[<≥]({_NUMBER})"),
    re.compile(rf"({_NUMBER})-({_NUMBER})"),
    re.compile(rf"\[({_NUMBER}), ({_NUMBER})\)"),
)


def place(label: Any) -> float | None:
    """The number that a published value stands for; None if it stands for none."""
    if isinstance(label, bool) or label is None:
        return None
    if isinstance(label, int | float | Decimal):
        return float(label) if isfinite(label) else None
    if isinstance(label, datetime):
        return label.timestamp() / 86_400
    if isinstance(label, date):
        return float(label.toordinal())
    for form in _FORMS:
        if isinstance(label, str) and (match := form.fullmatch(label)):
            ends = [float(end) for end in match.groups()]
            return sum(ends) / len(ends)
    return None
