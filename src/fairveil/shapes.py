"""Shapes: what a file may hold. Every kind of file and every part of one says its shape; one loader checks it.

>>> person = record({"name": text, "age": whole(0, 150)}, {"mail": many(text)})
>>> person({"name": "Ann", "age": 31}, "person")
{'name': 'Ann', 'age': 31}
>>> person({"name": "Ann", "age": -1}, "person")
Traceback (most recent call last):
fairveil.errors.BadInput: person.age must be a whole number from 0 to 150, not -1
>>> person({"name": "Ann", "mail": "a@b"}, "person")
Traceback (most recent call last):
fairveil.errors.BadInput: 2 problems: person.age is missing; person.mail must be a list, not 'a@b'

A shape is a function of a value and its place. It gives the value back, or says in one sentence what is wrong and
where. Files come from anywhere, so a shape never trusts, never recurses as deep as a file likes, and never prints all
of what it was given.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from functools import cache
from math import inf, isfinite, isnan
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fairveil.errors import BadInput, refuse, suggest
from fairveil.messages import literal, option
from fairveil.registry import Registry

Shape = Callable[[Any, str], Any]
DEEPEST = 500
"""Lists and sections within each other; what reads them must not run out of stack."""
LARGEST = 1 << 64
"""Whole numbers from here on are no data: the types of columns end before."""
MOST_BYTES = 1 << 30
SHOWN = 60
_HALF_SIGN = re.compile("[\ud800-\udfff]")
_DOTTED = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){200}""")
FAULTS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError, AssertionError)
"""What parts raise that are made of something nobody thought of."""


def shown(value: Any) -> str:
    """A value in a message: short, whatever it is."""
    if isinstance(value, Mapping):
        return f"a section of {len(value)}"
    if isinstance(value, list | tuple | set | frozenset):
        return f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) >= LARGEST:
        return "a huge number"
    if isinstance(value, str) and len(value) > SHOWN:
        return f"{value[:SHOWN]!r}…"
    return literal(value) if value is None or isinstance(value, str | int | float) else str(value)[:SHOWN]


def wrong(place: str, expected: str, value: Any) -> BadInput:
    return BadInput(f"{place} must be {expected}, not {shown(value)}")


def shape(expected: str, fits: Callable[[Any], bool]) -> Shape:
    """The shape of values that fit, in words and as a test."""

    def check(value: Any, place: str) -> Any:
        if not fits(value):
            raise wrong(place, expected, value)
        return value

    return check


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and (is_whole(value) or isfinite(value))


text = shape("text", lambda value: isinstance(value, str))
name = shape("a name", lambda value: isinstance(value, str) and bool(value))
flag = shape("true or false", lambda value: isinstance(value, bool))
anything: Shape = shape("anything", lambda value: True)
cell = shape("one plain value", lambda value: value is None or isinstance(value, str | int | float))
"""A value of a column, or the label that it is published as."""


def whole(least: int | None = None, most: int | None = None) -> Shape:
    """A whole number in a range, both ends included."""
    return shape(f"a whole number{_range(least, most)}", lambda value: is_whole(value) and _inside(value, least, most))


def number(least: float | None = None, most: float | None = None) -> Shape:
    """A number in a range, both ends included; never NaN or infinite."""
    return shape(f"a number{_range(least, most)}", lambda value: is_number(value) and _inside(value, least, most))


def _range(least: float | None, most: float | None) -> str:
    if most is None:
        return "" if least is None else f" of at least {least:g}"
    return f" of at most {most:g}" if least is None else f" from {least:g} to {most:g}"


def _inside(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def choice(*options: str) -> Shape:
    return shape(" or ".join(repr(o) for o in options), lambda value: isinstance(value, str) and value in options)


def optional(inner: Shape) -> Shape:
    """The inner shape, or nothing."""
    return lambda value, place: None if value is None else inner(value, place)


def either(*inner: Shape) -> Shape:
    """One of several shapes; the first one says what is wrong."""

    def check(value: Any, place: str) -> Any:
        for one in inner[1:]:
            with suppress(BadInput):
                return one(value, place)
        return inner[0](value, place)

    return check


def many(inner: Shape, least: int = 0) -> Shape:
    """A list."""

    def check(value: Any, place: str) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise wrong(place, "a list", value)
        if len(value) < least:
            raise wrong(place, f"a list of at least {least}", value)
        return [inner(entry, f"{place}[{number}]") for number, entry in enumerate(value)]

    return check


def each(inner: Shape) -> Shape:
    """A section whose keys are free, such as names of columns."""

    def check(value: Any, place: str) -> dict[str, Any]:
        _need_section(value, place)
        return {key: inner(entry, f"{place}.{key}") for key, entry in value.items()}

    return check


def record(needed: Mapping[str, Shape], further: Mapping[str, Shape] | None = None, *, more: bool = False) -> Shape:
    """A section with these keys; every problem in it is named at once. `more`: other keys may stand beside them."""
    known = {**needed, **(further or {})}

    def check(value: Any, place: str) -> dict[str, Any]:
        _need_section(value, place)
        problems = [f"{_joined(place, key)} is missing" for key in needed if key not in value]
        checked = {}
        for key, entry in value.items():
            if key in known:
                try:
                    checked[key] = known[key](entry, _joined(place, key))
                except BadInput as problem:
                    problems.append(str(problem))
            elif more:
                checked[key] = entry
            else:
                problems.append(suggest(key, known, f"key in {place or 'it'}:"))
        refuse(problems)
        return checked

    return check


def _need_section(value: Any, place: str) -> None:
    if not isinstance(value, Mapping):
        raise wrong(place or "it", "a section with keys", value)
    if not all(isinstance(key, str) for key in value):
        raise BadInput(f"{place or 'it'} has a key that is no text")


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def part(kinds: Registry[Any], spec: Any) -> Any:
    """The guard, method, hierarchy or the like that `to_dict` wrote, or that a plan spells out."""
    _need_section(spec, f"a {kinds.what}")
    kind = kinds.get(spec.get("kind"))
    own = {key: value for key, value in spec.items() if key != "kind"}
    return made(lambda: kind.from_dict(own), f"{kinds.what} {kind.kind}")


def made(make: Callable[[], Any], what: str) -> Any:
    """What `make` gives; parts that fit nobody's idea of them are bad input, whatever they break."""
    try:
        return make()
    except BadInput:
        raise
    except FAULTS as problem:
        reason = str(problem).split("\n", maxsplit=1)[0][:SHOWN]
        raise BadInput(f"{what} cannot be used: its parts do not fit together ({reason})") from None


def read_bytes(path: Path, what: str) -> bytes:
    """A whole small file, such as a plan; a folder, a pipe or an endless device is refused."""
    try:
        if not path.is_file():
            reason = "it is a folder" if path.is_dir() else "there is no such file"
            raise BadInput(f"{what} {path} cannot be read: {reason}")
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{what} {path} cannot be read: it is larger than {MOST_BYTES >> 20} MB")
        return path.read_bytes()
    except BadInput:
        raise
    except OSError as problem:
        raise BadInput(f"{what} {path} cannot be read: {problem.strerror}") from None
    except ValueError:
        raise BadInput(f"{what} {str(path)!r} cannot be read: that is no path") from None


def from_json(raw: bytes | str, what: str) -> Any:
    """The content of a JSON text: no NaN, no huge whole numbers, nothing nested too deeply, each key once."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        section = dict(pairs)
        if len(section) < len(pairs):
            raise BadInput(f"{what} has a key twice")
        return section

    def parse() -> Any:
        return json.loads(raw if isinstance(raw, str) else raw.decode("utf-8"), object_pairs_hook=once)

    return _parsed(parse, what, "JSON")


def from_toml(raw: str, what: str) -> dict[str, Any]:
    """The content of a TOML text, under the same conditions; infinite numbers may stand in it."""
    if _DOTTED.search(raw):  # the library's time for such a key grows with its square
        raise BadInput(f"{what} is nested too deeply")
    content: dict[str, Any] = _parsed(lambda: tomllib.loads(raw), what, "TOML")
    return content


def _parsed(parse: Callable[[], Any], what: str, language: str) -> Any:
    try:
        content = parse()
    except BadInput:
        raise
    except RecursionError:
        raise BadInput(f"{what} is nested too deeply") from None
    except UnicodeDecodeError:
        raise BadInput(f"{what} is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as problem:
        raise BadInput(f"{what} is not valid TOML: {str(problem)[:200]}") from None
    except ValueError:  # also a number of thousands of digits
        raise BadInput(f"{what} is not valid {language}") from None
    for fault in _unsound(content):
        raise BadInput(f"{what}{fault}")
    return content


def _unsound(content: Any) -> Iterator[str]:
    """What no part of any file may be, found without recursion."""
    waiting = [(content, "", 0)]
    while waiting:
        value, place, depth = waiting.pop()
        if isinstance(value, float):
            if isnan(value):
                yield f", at {place}: NaN is no number"
        elif isinstance(value, int):
            if abs(value) >= LARGEST:
                yield f", at {place}: there is a huge number"
        elif isinstance(value, str):
            if _HALF_SIGN.search(value):
                yield f", at {place}: there is half a sign in a text"
        elif isinstance(value, dict | list):
            if depth == DEEPEST:
                yield " is nested too deeply"
                return
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [
                (entry, f"{place}.{key}" if isinstance(key, str) else f"{place}[{key}]", depth + 1)
                for key, entry in entries
                if not (entry is None or (isinstance(entry, str) and entry.isascii()))
            ]
            if isinstance(value, dict):
                waiting += [(key, place, depth) for key in value if not key.isascii()]


def settings(part: type, spec: Any, what: str, *, infinite: bool = False) -> dict[str, Any]:
    """The settings of a part, which are the fields of its class, checked against their types.

    `special`, a mapping of the class, gives the shapes of fields whose type does not tell enough. `infinite`: numbers
    may be, such as a time limit.
    """
    _need_section(spec, what)
    known = {field.name: field for field in fields(part)}
    problems = [suggest(key, known, f"setting of {what}") for key in spec if key not in known]
    problems += [
        f"{what} needs {key!r}"
        for key, field in known.items()
        if field.default is MISSING and field.default_factory is MISSING and key not in spec
    ]
    refuse(problems)
    shapes = {**_shapes_of(part, infinite), **getattr(part, "special", {})}
    checked = {}
    for key, value in spec.items():
        try:
            checked[key] = shapes[key](value, f"{what}: {option(key)}")
        except BadInput as problem:
            problems.append(str(problem))
    refuse(problems)
    return checked


@cache
def _shapes_of(part: type, infinite: bool) -> dict[str, Shape]:
    try:
        hints = get_type_hints(part)
    except NameError:  # a part from outside, whose types are known to its own module only
        hints = {}
    return {field.name: _shape_of(hints.get(field.name, Any), infinite) for field in fields(part)}


def _shape_of(hint: Any, infinite: bool) -> Shape:
    """The shape of values of a type; text will do where a list of names is expected."""
    plain: dict[Any, Shape] = {int: whole(), float: _float if infinite else number(), bool: flag, str: text}
    if hint in plain:
        return plain[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return choice(*arguments)
    if origin in (Union, UnionType):
        inner = [_shape_of(argument, infinite) for argument in arguments if argument is not NoneType]
        return optional(either(*inner)) if NoneType in arguments else either(*inner)
    if origin in (tuple, list, Sequence):
        return _names if arguments[0] is str else many(_shape_of(arguments[0], infinite))
    if origin in (dict, Mapping):
        return each(_shape_of(arguments[1], infinite))
    return anything


def _float(value: Any, place: str) -> Any:
    """A number, or an infinite one."""
    return value if value in (inf, -inf) and isinstance(value, float) else number()(value, place)


def _names(value: Any, place: str) -> Any:
    return value if isinstance(value, str) else many(text)(value, place)
