"""Shapes: validators for the content of files. Every file format declares its shape, and one loader checks it.

>>> person = record({"name": text, "age": whole(0, 150)}, {"mail": many(text)})
>>> person({"name": "Ann", "age": 31}, "person")
{'name': 'Ann', 'age': 31}
>>> person({"name": "Ann", "age": -1}, "person")
Traceback (most recent call last):
fairveil.errors.BadInput: person.age must be an integer from 0 to 150, not -1
>>> person({"name": "Ann", "mail": "a@b"}, "person")
Traceback (most recent call last):
fairveil.errors.BadInput: 2 problems: person.age is missing; person.mail must be a list, not 'a@b'

A shape is a function of a value and its location. It returns the value, or raises BadInput with one sentence that says
what is wrong and where. Files are untrusted: shapes limit nesting, and messages never quote more than a short excerpt.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from math import isfinite, isinf, isnan
from pathlib import Path
from typing import Any

from fairveil.errors import BadInput, UnknownPart, nearest, refuse, suggest
from fairveil.messages import literal
from fairveil.registry import Registry

Shape = Callable[[Any, str], Any]
DEEPEST = 500
"""Maximum nesting of lists and sections, so that readers do not run out of stack."""
LARGEST = 1 << 64
"""Integers from here on are refused: no column type can hold them."""
MOST_BYTES = 1 << 30
SHOWN = 60
SECTION = "a section with keys"
_SURROGATE = re.compile("[\ud800-\udfff]")
_DOTTED = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){200}""")
FAULTS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError, AssertionError)
"""What the constructor of a part may raise for content that no check foresaw."""


def shown(value: Any) -> str:
    """A value as a message quotes it, truncated."""
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
    """The shape of the values for which `fits` returns True; `expected` names them in messages."""

    def check(value: Any, place: str) -> Any:
        if not fits(value):
            raise wrong(place, expected, value)
        return value

    return _naming(check, expected)


def _naming(check: Shape, expected: str) -> Shape:
    check.expected = expected  # type: ignore[attr-defined]
    return check


def expected_by(inner: Shape) -> str:
    """What a shape accepts, in words; empty for a shape without such words."""
    return getattr(inner, "expected", "")


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


def whole(min_: int | None = None, max_: int | None = None) -> Shape:
    """An integer in a range, both ends included."""
    return shape(f"an integer{_range(min_, max_)}", lambda value: is_whole(value) and _inside(value, min_, max_))


def number(
    min_: float | None = None,
    max_: float | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
    infinite: bool = False,
) -> Shape:
    """A number from `min_` to `max_`, both included, or between `above` and `below`, both excluded. NaN never fits,
    and infinity only if `infinite`."""

    def fits(value: Any) -> bool:
        if not is_number(value) and not (infinite and isinstance(value, float) and isinf(value)):
            return False
        inner = (above is None or value > above) and (below is None or value < below)
        return inner and _inside(value, min_, max_)

    return shape(f"a number{_range(min_, max_, above, below)}", fits)


def _range(min_: float | None, max_: float | None, above: float | None = None, below: float | None = None) -> str:
    if min_ is not None and max_ is not None:
        return f" from {_bound(min_)} to {_bound(max_)}"
    low = f" of at least {_bound(min_)}" if min_ is not None else f" above {_bound(above)}" if above is not None else ""
    high = f" at most {_bound(max_)}" if max_ is not None else f" below {_bound(below)}" if below is not None else ""
    joint = "" if not high else " and" if low else " of" if max_ is not None else ""
    return low + joint + high


def _bound(bound: float) -> str:
    return f"{bound:,}" if is_whole(bound) else f"{bound:g}"


def _inside(value: float, min_: float | None, max_: float | None) -> bool:
    return (min_ is None or value >= min_) and (max_ is None or value <= max_)


def choice(*options: str) -> Shape:
    """One of these texts; the message suggests the nearest."""
    expected = " or ".join(filter(None, [", ".join(map(repr, options[:-1])), repr(options[-1])]))

    def check(value: Any, place: str) -> Any:
        if isinstance(value, str) and value in options:
            return value
        hint = nearest(value, options) if isinstance(value, str) else None
        raise BadInput(f"{wrong(place, expected, value)}" + (f": did you mean {hint!r}?" if hint else ""))

    return _naming(check, expected)


def optional(inner: Shape) -> Shape:
    """The inner shape, or nothing."""
    return _naming(lambda value, place: None if value is None else inner(value, place), expected_by(inner))


def either(*inner: Shape) -> Shape:
    """The first of several shapes that fits; the message names all of them."""
    expected = " or ".join(filter(None, map(expected_by, inner)))

    def check(value: Any, place: str) -> Any:
        for option in inner:
            with suppress(BadInput):
                return option(value, place)
        container = "a list" if isinstance(value, list | tuple) else SECTION if isinstance(value, Mapping) else ""
        for option in inner:
            if container and expected_by(option) == container:
                option(value, place)  # says which of its entries is wrong
        raise wrong(place, expected, value)

    return _naming(check, expected)


def many(inner: Shape, min_: int = 0) -> Shape:
    """A list of at least `min_` values."""

    def check(value: Any, place: str) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise wrong(place, "a list", value)
        if len(value) < min_:
            raise wrong(place, f"a list of at least {min_}", value)
        return [inner(entry, f"{place}[{number}]") for number, entry in enumerate(value)]

    return _naming(check, "a list")


def each(inner: Shape) -> Shape:
    """A section with arbitrary keys, such as column names."""

    def check(value: Any, place: str) -> dict[str, Any]:
        need_section(value, place)
        return {key: inner(entry, f"{place}.{key}") for key, entry in value.items()}

    return _naming(check, SECTION)


def record(needed: Mapping[str, Shape], further: Mapping[str, Shape] | None = None, *, more: bool = False) -> Shape:
    """A section with these keys; the error names every problem in it. With `more`, other keys are allowed."""
    known = {**needed, **(further or {})}

    def check(value: Any, place: str) -> dict[str, Any]:
        need_section(value, place)
        problems = [f"{_joined(place, key)} is missing" for key in needed if key not in value]
        checked = {}
        for key, entry in value.items():
            if key in known:
                try:
                    checked[key] = known[key](entry, _joined(place, key))
                except UnknownPart:
                    raise
                except BadInput as problem:
                    problems.append(str(problem))
            elif more:
                checked[key] = entry
            else:
                problems.append(suggest(key, known, f"key in {place or 'it'}:"))
        refuse(problems)
        return checked

    return check


def need_section(value: Any, place: str) -> None:
    if not isinstance(value, Mapping):
        raise wrong(place or "it", SECTION, value)
    if not all(isinstance(key, str) for key in value):
        raise BadInput(f"{place or 'it'} has a key that is not text")


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def part(kinds: Registry[Any], spec: Any) -> Any:
    """The guard, method or hierarchy that `spec` describes, as `to_dict` returns it or as a plan states it."""
    need_section(spec, f"a {kinds.what}")
    kind = kinds.get(spec.get("kind"))
    own = {key: value for key, value in spec.items() if key != "kind"}
    return made(lambda: kind.from_dict(own), f"{kinds.what} {kind.kind}")


def made(make: Callable[[], Any], what: str) -> Any:
    """Return `make()`; whatever it raises for malformed content becomes BadInput."""
    try:
        return make()
    except BadInput:
        raise
    except FAULTS as problem:
        reason = str(problem).split("\n", maxsplit=1)[0][:SHOWN]
        raise BadInput(f"{what} cannot be used: its settings do not fit together ({reason})") from None


def read_bytes(path: Path, what: str) -> bytes:
    """The content of a small file, such as a plan; folders, pipes and devices are refused."""
    try:
        if not path.is_file():
            reason = "it is a folder" if path.is_dir() else "no such file"
            raise BadInput(f"{what} {path} cannot be read: {reason}")
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{what} {path} cannot be read: it is larger than {MOST_BYTES >> 20} MB")
        return path.read_bytes()
    except BadInput:
        raise
    except OSError as problem:
        raise BadInput(f"{what} {path} cannot be read: {problem.strerror}") from None
    except ValueError:
        raise BadInput(f"{what} {str(path)!r} cannot be read: this is not a valid path") from None


def from_json(raw: bytes | str, what: str) -> Any:
    """The content of a JSON text; NaN, huge integers, deep nesting and duplicate keys are refused."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        section = dict(pairs)
        if len(section) < len(pairs):
            raise BadInput(f"{what} has a duplicate key")
        return section

    def parse() -> Any:
        return json.loads(raw if isinstance(raw, str) else raw.decode("utf-8"), object_pairs_hook=once)

    return _parsed(parse, what, "JSON")


def from_toml(raw: str, what: str) -> dict[str, Any]:
    """The content of a TOML text, under the same conditions, except that infinity is allowed."""
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
    """What no file may contain, found without recursion."""
    waiting = [(content, "", 0)]
    while waiting:
        value, place, depth = waiting.pop()
        if isinstance(value, float):
            if isnan(value):
                yield f", at {place}: NaN is not allowed"
        elif isinstance(value, int):
            if abs(value) >= LARGEST:
                yield f", at {place}: the number is too large"
        elif isinstance(value, str):
            if _SURROGATE.search(value):
                yield f", at {place}: the text contains an unpaired surrogate"
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
