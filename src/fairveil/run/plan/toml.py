"""Writing TOML: the standard library reads it, but does not write it.

>>> print(dumps({"format": 1, "source": {"path": "people.csv"}, "guards": [{"kind": "k-anonymity", "k": 5}]}), end="")
format = 1
<BLANKLINE>
[source]
path = "people.csv"
<BLANKLINE>
[[guards]]
kind = "k-anonymity"
k = 5
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, time
from numbers import Integral, Real
from typing import Any

from fairveil.errors import BadInput

WIDTH = 110
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile("[\x7f\ud800-\udfff]")  # what JSON leaves as it is and TOML does not allow


def dumps(content: Mapping[str, Any]) -> str:
    """A document: plain keys first, then a section per mapping and per list of mappings; None is left out."""
    lines: list[str] = []
    _section(content, (), lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _section(content: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    entries = {key: value for key, value in content.items() if value is not None}
    for key, value in entries.items():
        if not isinstance(value, Mapping) and not _is_list_of_sections(value):
            lines.append(f"{_key(key)} = {_value(value, where=key)}")
    for key, value in entries.items():
        inner_path = (*path, key)
        name = ".".join(map(_key, inner_path))
        if isinstance(value, Mapping):
            # a section that only holds sections needs no header of its own
            if not value or any(not isinstance(inner, Mapping) for inner in value.values()):
                lines += ["", f"[{name}]"]
            _section(value, inner_path, lines)
        elif _is_list_of_sections(value):
            for entry in value:
                lines += ["", f"[[{name}]]"]
                _section(entry, inner_path, lines)


def _is_list_of_sections(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    return _CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text, ensure_ascii=False))


def _value(value: Any, where: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        inner = (f"{_key(key)} = {_value(entry, where)}" for key, entry in value.items() if entry is not None)
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, Sequence):
        return _list([_value(entry, where) for entry in value])
    raise BadInput(f"{where!r} holds {value!r}, which a plan cannot express")


def _list(entries: list[str]) -> str:
    line = "[" + ", ".join(entries) + "]"
    if len(line) <= WIDTH and "\n" not in line:
        return line
    return "[\n" + "".join(f"  {entry},\n" for entry in entries) + "]"
