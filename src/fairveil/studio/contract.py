"""The API written down for the front end: `python -m fairveil.studio.contract FILE` writes its TypeScript types.

`types.ts` holds an interface for everything that goes over the wire, and `Endpoints`, which says for each verb and path
what it takes and what it answers. A test fails where the committed file is not what this module writes.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from fairveil.data.atomic import write_text
from fairveil.studio import api
from fairveil.studio.endpoints import ENDPOINTS, Endpoint, File

HEAD = "// Written by `python -m fairveil.studio.contract`: change src/fairveil/studio/api.py instead.\n"
ALIASES = ("Cell", "Spec", "Role", "State")
_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "unknown"}


def typescript() -> str:
    """The whole module."""
    aliases = [f"export type {name} = {_type(getattr(api, name))};\n" for name in ALIASES]
    parts = [HEAD, *aliases, *(_interface(shape) for shape in _shapes()), _endpoints()]
    return "\n".join(parts)


def _shapes() -> Iterator[type]:
    """Requests and answers in the order in which `api` has them."""
    for value in vars(api).values():
        own = isinstance(value, type) and value.__module__ == api.__name__
        if own and (is_typeddict(value) or dataclasses.is_dataclass(value)):
            yield value


def _interface(shape: type) -> str:
    hints = get_type_hints(shape, include_extras=True)
    optional = {
        field.name
        for field in (dataclasses.fields(shape) if dataclasses.is_dataclass(shape) else ())
        if field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
    }
    lines = [_comment(shape.__doc__), f"export interface {shape.__name__} {{\n"]
    for name, hint in hints.items():
        if get_origin(hint) is NotRequired:
            hint, mark = get_args(hint)[0], "?"
        else:
            mark = "?" if name in optional else ""
        lines.append(f"  {name}{mark}: {_type(hint)};\n")
    return "".join([*lines, "}\n"])


def _comment(text: str | None) -> str:
    if not text or "(*args" in text or text.startswith("dict("):
        return ""
    lines = [line.strip() for line in text.strip().splitlines()]
    return "/** " + "\n * ".join(lines) + " */\n"


def _type(hint: Any) -> str:
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(f'"{option}"' for option in arguments)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(_type(argument) for argument in arguments))
    if origin in (list, Sequence, tuple):
        inner = _type(arguments[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin in (dict, Mapping):
        return f"Record<string, {_type(arguments[1])}>"
    if isinstance(hint, type):
        return hint.__name__
    raise TypeError(f"no TypeScript for {hint!r}")


def _endpoints() -> str:
    lines = ["/** What each endpoint takes and answers. */\n", "export interface Endpoints {\n"]
    for endpoint in ENDPOINTS:
        lines.append(f"  /** {endpoint.says} */\n")
        lines.append(f'  "{endpoint.verb} {endpoint.path}": {_taken(endpoint)};\n')
    return "".join([*lines, "}\n"])


def _taken(endpoint: Endpoint) -> str:
    inside = "; ".join(f"{name}: string" for name in re.findall(r"{(\w+)}", endpoint.path))
    query = "; ".join(f"{name}?: {_type(hint)}" for name, hint in endpoint.query.items())
    body = "Blob" if endpoint.upload else "undefined" if endpoint.body is None else _type(endpoint.body)
    answer = "Blob" if isinstance(endpoint.answer, File) else _type(endpoint.answer)
    return f"{{ path: {{ {inside} }}; query: {{ {query} }}; body: {body}; answer: {answer} }}"


def main(arguments: Sequence[str]) -> None:
    if arguments:
        Path(arguments[0]).parent.mkdir(parents=True, exist_ok=True)
        write_text(typescript(), Path(arguments[0]))
    else:
        sys.stdout.write(typescript())


if __name__ == "__main__":
    main(sys.argv[1:])
