"""Numbers of things in sentences: one record, two records.

>>> counted(1, "record"), counted(1200, "record"), counted(2, "class", "classes"), verb(1, "is", "are")
('1 record', '1,200 records', '2 classes', 'is')
>>> [ordinal(number) for number in (1, 2, 3, 4, 11, 22)]
['1st', '2nd', '3rd', '4th', '11th', '22nd']
"""

from __future__ import annotations


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return the number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def verb(number: int, singular: str, plural: str) -> str:
    """Return the form of the verb that goes with the number."""
    return singular if number == 1 else plural


def ordinal(number: int) -> str:
    """Return the number as a position: 2nd."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
