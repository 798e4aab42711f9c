"""Messages: options in the notation of the interface where the message is read, and numbers with their nouns.

>>> option("unknown", "suppress"), option("overwrite", True), option("min_support"), literal(True)
("unknown='suppress'", 'overwrite=True', 'min_support', 'True')
>>> with speaking(PLAN):
...     option("unknown", "suppress"), option("overwrite", True), option("min_support"), literal(True)
('unknown = "suppress"', 'overwrite = true', 'min_support', 'true')
>>> counted(1, "record"), counted(1200, "record"), counted(2, "class", "classes"), verb(1, "is", "are")
('1 record', '1,200 records', '2 classes', 'is')

Code that raises names each option once, by its name in Python. Command line, plan and studio each set their language;
the default is Python. Published sentences must be the same everywhere, so they name no options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from fairveil import toml

_ALONE = object()
"""Stands for no value: the option is only named."""


@dataclass(frozen=True)
class Language:
    """How options and values are written. `name` spells an option alone, `given` one with its value."""

    name: Callable[[str], str]
    given: Callable[[str, Any], str]
    literal: Callable[[Any], str]


def as_toml(entry: Any) -> str:
    """A value as a plan writes it; `…` stands for one that the reader fills in."""
    try:
        return "nothing" if entry is None else toml.value(entry)
    except TypeError:
        return repr(entry)


def _python(value: Any) -> str:
    if value is ...:
        return "…"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_python(entry)}" for key, entry in value.items()) + "}"
    return f"[{', '.join(map(_python, value))}]" if isinstance(value, list | tuple) else repr(value)


def plainly(value: Any) -> str:
    """A value that somebody gave, for readers who do not know Python: text and numbers as they are."""
    return as_toml(value) if value is None or isinstance(value, bool | Mapping | list | tuple) else repr(value)


PYTHON = Language(name=str, given=lambda name, value: f"{name}={_python(value)}", literal=repr)
PLAN = Language(name=str, given=lambda name, value: f"{name} = {as_toml(value)}", literal=plainly)

_spoken: ContextVar[Language] = ContextVar("language of messages", default=PYTHON)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Use this language for the messages of a block."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def option(name: str, value: Any = _ALONE) -> str:
    """Return an option as a message names it, alone or with a value."""
    language = _spoken.get()
    return language.name(name) if value is _ALONE else language.given(name, value)


def literal(value: Any) -> str:
    """Return a value as a message quotes it."""
    return _spoken.get().literal(value)


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return the number with its noun."""
    return f"{number:,} {verb(number, singular, plural or singular + 's')}"


def verb(number: int, singular: str, plural: str) -> str:
    """Return the form of the verb that goes with the number."""
    return singular if number == 1 else plural


def ordinal(number: int) -> str:
    """Return the number as a position.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
