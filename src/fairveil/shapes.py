"""Shapes: validators for the content of files. Every file format declares its shape, and one loader checks it.

>>> person = record({"name": text, "age": integer(0, 150)}, {"mail": many(text)})
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
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from math import isfinite, isinf, isnan
from operator import ge, gt, le, lt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.errors import BadInput, UnknownPart, nearest, refuse, suggest
from fairveil.messages import literal

if TYPE_CHECKING:
    from fairveil.registry import Registry

Shape = Callable[[Any, str], Any]
MAX_NESTING = 500
"""Maximum nesting of lists and sections, so that readers do not run out of stack."""
TOO_LARGE = 1 << 64
"""Integers from here on are refused: no column type can hold them."""
MAX_BYTES = 1 << 30
MAX_QUOTED = 60
"""Maximum number of characters that a message quotes."""
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
    if isinstance(value, int) and abs(value) >= TOO_LARGE:
        return "a huge number"
    if isinstance(value, str) and len(value) > MAX_QUOTED:
        return f"{value[:MAX_QUOTED]!r}…"
    return literal(value) if value is None or isinstance(value, str | int | float) else str(value)[:MAX_QUOTED]


def wrong(where: str, expected: str, value: Any) -> BadInput:
    return BadInput(f"{where} must be {expected}, not {shown(value)}")


def shape(expected: str, fits: Callable[[Any], bool]) -> Shape:
    """The shape of the values for which `fits` returns True; `expected` names them in messages."""

    def check(value: Any, where: str) -> Any:
        if not fits(value):
            raise wrong(where, expected, value)
        return value

    return named(check, expected)


def named(check: Shape, expected: str) -> Shape:
    """The shape with words for what it accepts."""
    check.expected = expected  # type: ignore[attr-defined]
    return check


def expected_by(inner: Shape) -> str:
    """What a shape accepts, in words; empty for a shape without such words."""
    return getattr(inner, "expected", "")


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and (is_integer(value) or isfinite(value))


text = shape("text", lambda value: isinstance(value, str))
name = shape("a name", lambda value: isinstance(value, str) and bool(value))
flag = shape("true or false", lambda value: isinstance(value, bool))
anything: Shape = shape("anything", lambda value: True)
cell = shape("one plain value", lambda value: value is None or isinstance(value, str | int | float))
"""A value of a column, or the label that it is published as."""


def integer(min_: int | None = None, max_: int | None = None) -> Shape:
    """An integer in a range, both ends included."""
    return _in_range("an integer", is_integer, min_, max_, None, None)


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

    def is_allowed(value: Any) -> bool:
        return is_number(value) or (infinite and isinstance(value, float) and isinf(value))

    return _in_range("a number", is_allowed, min_, max_, above, below)


def _in_range(
    noun: str, is_allowed: Callable[[Any], bool],
    min_: float | None, max_: float | None, above: float | None, below: float | None,
) -> Shape:  # fmt: skip
    ends = ((ge, min_), (le, max_), (gt, above), (lt, below))
    given = [(compare, end) for compare, end in ends if end is not None]
    expected = noun + _range(min_, max_, above, below)
    return shape(expected, lambda value: is_allowed(value) and all(compare(value, end) for compare, end in given))


def _range(*ends: float | None) -> str:
    """The range in words, from `min_`, `max_`, `above` and `below`."""
    min_, max_, above, below = ("" if end is None else f"{end:,}" if is_integer(end) else f"{end:g}" for end in ends)
    if min_ and max_:
        return f" from {min_} to {max_}"
    low = f" of at least {min_}" if min_ else f" above {above}" if above else ""
    high = f" at most {max_}" if max_ else f" below {below}" if below else ""
    joint = "" if not high else " and" if low else " of" if max_ else ""
    return low + joint + high


def choice(*options: str) -> Shape:
    """One of these texts; the message suggests the nearest."""
    expected = " or ".join(filter(None, [", ".join(map(repr, options[:-1])), repr(options[-1])]))

    def check(value: Any, where: str) -> Any:
        if isinstance(value, str) and value in options:
            return value
        hint = nearest(value, options) if isinstance(value, str) else None
        raise BadInput(f"{wrong(where, expected, value)}" + (f": did you mean {hint!r}?" if hint else ""))

    return named(check, expected)


def optional(inner: Shape) -> Shape:
    """The inner shape, or nothing."""
    return named(lambda value, where: None if value is None else inner(value, where), expected_by(inner))


def either(*inner: Shape) -> Shape:
    """The first of several shapes that fits; the message names all of them."""
    expected = " or ".join(filter(None, map(expected_by, inner)))

    def check(value: Any, where: str) -> Any:
        for option in inner:
            with suppress(BadInput):
                return option(value, where)
        container = "a list" if isinstance(value, list | tuple) else SECTION if isinstance(value, Mapping) else ""
        for option in inner:
            if container and expected_by(option) == container:
                option(value, where)  # says which of its entries is wrong
        raise wrong(where, expected, value)

    return named(check, expected)


def column_name(name: Any) -> str:
    """The name of a column as text; frames of pandas may have integers, tuples or dates as names.

    >>> [column_name(name) for name in ("age", 0, ("age", 1), None)]
    ['age', '0', "('age', 1)", 'None']
    """
    if isinstance(name, tuple):
        return str(tuple(part.item() if hasattr(part, "item") else part for part in name))
    return str(name)


def columns(value: Any, where: str) -> list[str]:
    """Names of columns, or a single one."""
    names = list(value) if not isinstance(value, str | Mapping) and isinstance(value, Iterable) else [value]
    if any(isinstance(name, bool | Mapping | list) for name in names) or value is None:
        raise wrong(where, "a name or a list of names", value)
    return [column_name(name) for name in names]


named(columns, "a name or a list of names")


def many(inner: Shape, min_: int = 0) -> Shape:
    """A list of at least `min_` values."""

    def check(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise wrong(where, "a list", value)
        if len(value) < min_:
            raise wrong(where, f"a list of at least {min_}", value)
        return [inner(entry, f"{where}[{position}]") for position, entry in enumerate(value)]

    return named(check, "a list")


def each(inner: Shape) -> Shape:
    """A section with arbitrary keys, such as column names."""

    def check(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise wrong(where or "it", SECTION, value)
        return {column_name(key): inner(entry, f"{where}.{key}") for key, entry in value.items()}

    return named(check, SECTION)


def record(needed: Mapping[str, Shape], further: Mapping[str, Shape] | None = None, *, more: bool = False) -> Shape:
    """A section with these keys; the error names every problem in it. With `more`, other keys are allowed."""
    known = {**needed, **(further or {})}

    def check(value: Any, where: str) -> dict[str, Any]:
        need_section(value, where)
        problems = [f"{_joined(where, key)} is missing" for key in needed if key not in value]
        checked = {}
        for key, entry in value.items():
            if key in known:
                try:
                    checked[key] = known[key](entry, _joined(where, key))
                except UnknownPart:
                    raise
                except BadInput as problem:
                    problems.append(str(problem))
            elif more:
                checked[key] = entry
            else:
                problems.append(suggest(key, known, f"key in {where or 'it'}:"))
        refuse(problems)
        return checked

    return check


def need_section(value: Any, where: str) -> None:
    if not isinstance(value, Mapping):
        raise wrong(where or "it", SECTION, value)
    if not all(isinstance(key, str) for key in value):
        raise BadInput(f"{where or 'it'} has a key that is not text")


def _joined(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


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
        reason = str(problem).split("\n", maxsplit=1)[0][:MAX_QUOTED]
        raise BadInput(f"{what} cannot be used: its settings do not fit together ({reason})") from None


def read_bytes(path: Path, what: str) -> bytes:
    """The content of a small file, such as a plan; folders, pipes and devices are refused."""
    try:
        if not path.is_file():
            reason = "it is a folder" if path.is_dir() else "no such file"
        elif path.stat().st_size > MAX_BYTES:
            reason = f"it is larger than {MAX_BYTES >> 20} MB"
        else:
            return path.read_bytes()
    except OSError as problem:
        reason = str(problem.strerror)
    except ValueError:
        raise BadInput(f"{what} {str(path)!r} cannot be read: this is not a valid path") from None
    raise BadInput(f"{what} {path} cannot be read: {reason}")


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
    import tomllib  # the command line loads this module whenever it starts

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
    except ValueError as problem:  # also a number of thousands of digits
        reason = f": {str(problem)[:200]}" if type(problem).__name__ == "TOMLDecodeError" else ""
        raise BadInput(f"{what} is not valid {language}{reason}") from None
    _refuse_unsound(content, what)
    return content


def _is_sound(content: Any) -> bool:
    level, depth = [content], 0
    while level:
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below += value.values()
                below += (key for key in value if not key.isascii())
            elif isinstance(value, list):
                below += value
            elif isinstance(value, str):
                if not value.isascii() and _SURROGATE.search(value):
                    return False
            elif (isinstance(value, float) and isnan(value)) or (isinstance(value, int) and abs(value) >= TOO_LARGE):
                return False
        level, depth = below, depth + 1
        if depth >= MAX_NESTING and any(isinstance(value, dict | list) for value in level):
            return False
    return True


def _refuse_unsound(content: Any, what: str) -> None:
    """Raise BadInput for content that no file may have. It is found without recursion."""
    if _is_sound(content):  # nearly all is: where in it something stands is followed only if it is not
        return
    waiting = [(content, "", 0)]
    while waiting:
        value, where, depth = waiting.pop()
        if isinstance(value, float) and isnan(value):
            raise BadInput(f"{what}, at {where}: NaN is not allowed")
        if isinstance(value, int) and abs(value) >= TOO_LARGE:
            raise BadInput(f"{what}, at {where}: the number is too large")
        if isinstance(value, str) and _SURROGATE.search(value):
            raise BadInput(f"{what}, at {where}: the text contains an unpaired surrogate")
        if isinstance(value, dict | list):
            if depth == MAX_NESTING:
                raise BadInput(f"{what} is nested too deeply")
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [
                (entry, f"{where}.{key}" if isinstance(key, str) else f"{where}[{key}]", depth + 1)
                for key, entry in entries
                if not (entry is None or (isinstance(entry, str) and entry.isascii()))
            ]
            if isinstance(value, dict):
                waiting += [(key, where, depth) for key in value if not key.isascii()]
