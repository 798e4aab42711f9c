"""Numbers of things in sentences: one record, two records.

>>> counted(1, "record"), counted(1200, "record"), counted(2, "class", "classes"), verb(1, "is", "are")
('1 record', '1,200 records', '2 classes', 'is')
"""

from __future__ import annotations


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return the number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def verb(number: int, singular: str, plural: str) -> str:
    """Return the form of the verb that goes with the number."""
    return singular if number == 1 else plural
