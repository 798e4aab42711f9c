"""Values as text: how values of different tables, hierarchies, plans and files are compared.

>>> from decimal import Decimal
>>> [as_text(value) for value in (17, 17.0, "17.0", Decimal("17.00"), 17.5, None, True)]
['17', '17', '17', '17', '17.5', 'None', 'True']
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any


def text_or_none(value: Any) -> str | None:
    """Return a value as text; None stays None."""
    return None if value is None else str(value)


def as_text(value: Any) -> str:
    """Return the text of a value; an integer has the same text in every numeric type."""
    text = f"{value:f}".rstrip("0") if isinstance(value, Decimal) and "." in f"{value:f}" else str(value)
    if text.endswith("."):
        return text[:-1]
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text
