"""Option names in messages: an option of the current command is `--so`, any other is a key of the plan."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from functools import wraps
from typing import Any

from fairveil.messages import PLAN, Language, plainly, speaking
from fairveil.progress_bars import silent


def spoken(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, with messages that use its option names."""
    language = language_of(list(inspect.signature(command).parameters))

    @wraps(command)
    def wrapped(**given: Any) -> Any:
        with speaking(language), silent():
            return command(**given)

    return wrapped


def language_of(options: list[str]) -> Language:
    """The language of a command's messages."""

    def name(option: str) -> str:
        return f"--{option.replace('_', '-')}" if option in options else PLAN.name(option)

    def given(option: str, value: Any) -> str:
        if option not in options:
            return PLAN.given(option, value)
        values = value if isinstance(value, list | tuple) else [value]
        return name(option) if value is True else f"{name(option)} {','.join(map(_argument, values))}"

    return Language(name, given, plainly)


def _argument(value: Any) -> str:
    return "…" if value is ... else shlex.quote(str(value))
