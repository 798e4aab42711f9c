"""Spelling: how a message names an option, in the language of the place where it is read.

>>> option("unknown", "suppress"), option("overwrite", True), option("min_support"), literal(True)
("unknown='suppress'", 'overwrite=True', 'min_support', 'True')
>>> with speaking(PLAN):
...     option("unknown", "suppress"), option("overwrite", True), option("min_support"), literal(True)
('unknown = "suppress"', 'overwrite = true', 'min_support', 'true')

Code that raises names each option once, by its name in Python. Who shows messages says for its part of the work which
language it speaks: the command line, a plan, the studio. Python is what is spoken where nobody says. Sentences that are
published must read the same everywhere, so they name no options.
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
    """Messages of this part of the work are read where this language is spoken."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def option(name: str, value: Any = _ALONE) -> str:
    """An option in a message, alone or with the value to give it."""
    language = _spoken.get()
    return language.name(name) if value is _ALONE else language.given(name, value)


def literal(value: Any) -> str:
    """A value that somebody gave, in a message."""
    return _spoken.get().literal(value)
