"""What the options of commands declare, and plain command lines without Typer.

A command declares each parameter once, as `Annotated[type, Declaration]`. Typer is made from these declarations
(`typer_app`) and describes, completes and refuses; but loading it takes longer than many commands. So a line that is
right in the plainest way is parsed here: known options, each with its value, and nothing that Typer would have to
explain. Any other line is Typer's.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

PLAIN = frozenset({"min", "hidden"})
"""What else an option may declare to be parsed here."""


@dataclass(frozen=True)
class Declaration:
    """An option, or an argument without one (`positional`): how it is spelled and described; `more` as in Typer."""

    spellings: tuple[str, ...] = ()
    metavar: str | None = None
    help: str = ""
    positional: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


class NotPlain(Exception):
    """A command line, or a value, that Typer has to parse or refuse."""


def parsed(command: Callable[..., Any], words: Sequence[str]) -> dict[str, Any]:
    """The parameters of a command by name; raises NotPlain for all that needs more than a glance."""
    hints: Mapping[str, Any] = getattr(command, "hints", None) or get_type_hints(command, include_extras=True)
    parameters = {
        name: Parameter.of(name, hints[name], own.default)
        for name, own in inspect.signature(command).parameters.items()
    }
    options = {parameter.spelling: parameter for parameter in parameters.values() if parameter.spelling}
    positional = [parameter for parameter in parameters.values() if not parameter.spelling]
    values: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        spelling, equals, value = word.partition("=")
        if not word.startswith("-"):
            if not positional:
                raise NotPlain(word)
            parameter, value = positional.pop(0), word
        elif (parameter := options.get(spelling, NONE)).flag:
            if equals:
                raise NotPlain(word)
        elif not equals:
            value = next(rest, "-")
        if parameter is NONE or value.startswith("-") or (parameter.name in values and not parameter.many):
            raise NotPlain(word)
        if parameter.many:
            values.setdefault(parameter.name, []).append(parameter.converted(value))
        else:
            values[parameter.name] = parameter.converted(value)
    return {name: values[name] if name in values else parameter.usual() for name, parameter in parameters.items()}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command: its spelling, empty for an argument, and the type of its values."""

    name: str
    spelling: str = ""
    type: Any = None
    many: bool = False
    minimum: float | None = None
    default: Any = ...  # as yet unknown

    @classmethod
    def of(cls, name: str, hint: Any, default: Any) -> Parameter:
        type_, declared = get_args(hint)
        alone = [kind for kind in get_args(type_) if kind is not NoneType]
        if get_origin(type_) in (Union, UnionType) and len(alone) == 1:
            type_ = alone[0]
        many = get_origin(type_) is list
        spellings = declared.spellings or ("--" + name.replace("_", "-"),)
        switch = type_ is bool and (not declared.spellings or "/" in spellings[0])
        if len(spellings) > 1 or not PLAIN.issuperset(declared.more) or switch or (many and declared.positional):
            raise NotPlain(name)
        spelling = "" if declared.positional else spellings[0]
        return cls(name, spelling, get_args(type_)[0] if many else type_, many, declared.more.get("min"), default)

    @property
    def flag(self) -> bool:
        return self.type is bool

    def usual(self) -> Any:
        """The value where none is given."""
        if self.default is inspect.Parameter.empty:
            raise NotPlain(self.name)
        return [] if self.many and not self.default else self.default

    def converted(self, value: str) -> Any:
        return True if self.flag else converted(value, self.type, self.minimum)


NONE = Parameter("")


def converted(value: Any, kind: Any, minimum: float | None = None) -> Any:
    """A text as a value of this type, where Typer would not refuse it; raises NotPlain elsewhere."""
    if kind is str and type(value) is str:
        return value
    path = Path(value) if kind is Path and isinstance(value, str | Path) and str(value) else None
    if path is not None and (not os.path.exists(path) or os.access(path, os.R_OK)):
        return path
    if kind in (int, float):
        few_digits = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10
        number = int(value) if kind is int and few_digits else value
        if type(number) is kind and (minimum is None or number >= minimum):
            return number
    raise NotPlain(str(value))
