"""About: how the publisher describes a release: its title, the name of the data set, the publisher and the date.

>>> About(title="Patients of 2026", date="2026-11-16").to_dict()
{'title': 'Patients of 2026', 'date': '2026-11-16'}

It is part of the evidence, and the report begins with it. The date is given, never taken from the clock, so that the
same input gives the same bytes on any day.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import date as Day
from typing import Any

from fairveil.errors import refuse
from fairveil.messages import literal, option
from fairveil.settings import setting
from fairveil.shapes import shape

MAX_LENGTH = 200
"""Maximum number of characters of each text."""

_LINE = shape("text", lambda value: isinstance(value, str) and bool(value))
_DAY = shape("a day such as 2026-11-16", lambda value: is_day(value) if isinstance(value, str) else type(value) is Day)


@dataclass(frozen=True)
class About:
    """Title, data set, publisher and date of a release, each optional."""

    title: str = setting("", "the title of the report", shape=_LINE, metavar="TEXT")
    dataset: str = setting("", "the name of the data set", shape=_LINE, metavar="TEXT")
    publisher: str = setting("", "who publishes the data", shape=_LINE, metavar="TEXT")
    date: str = setting("", "the stated day of the release", shape=_DAY, metavar="DAY")

    def __post_init__(self) -> None:
        if isinstance(self.date, Day):
            object.__setattr__(self, "date", self.date.isoformat()[:10])
        refuse(list(problems_of(vars(self))))

    def to_dict(self) -> dict[str, str]:
        """The texts that are not empty."""
        return {part.name: value for part in fields(self) if (value := getattr(self, part.name))}


def problems_of(given: dict[str, Any]) -> Iterator[str]:
    """The problems of these texts, one sentence each."""
    for name, value in given.items():
        if not isinstance(value, str):
            yield f"{option(name)} must be text, not {literal(value)}"
        elif len(value) > MAX_LENGTH or not value.isprintable():
            yield f"{option(name)} must be one line of at most {MAX_LENGTH} characters"
    when = given.get("date", "")
    if isinstance(when, str) and when and not is_day(when):
        yield f"{option('date')} must be a day such as 2026-11-16, not {literal(when[:60])}"


def is_day(text: str) -> bool:
    """Whether this is an ISO 8601 date."""
    try:
        return Day.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def in_words(day: str) -> str:
    """A date in words.

    >>> in_words("2026-11-06")
    '6 November 2026'
    """
    months = (
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    )  # fmt: skip
    year, month, number = map(int, day.split("-"))
    return f"{number} {months[month - 1]} {year}"
