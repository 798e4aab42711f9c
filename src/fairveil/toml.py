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
import textwrap
from collections.abc import Mapping
from datetime import date, time
from numbers import Integral, Real
from typing import Any

MAX_WIDTH = 110
"""Characters of a line; longer lists have several lines."""
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_NOT_IN_TOML = re.compile("[\x7f\ud800-\udfff]")  # JSON leaves these characters as they are


def dumps(content: Mapping[str, Any]) -> str:
    """A document: values first, then a section per mapping and per list of mappings; entries of None are left out.

    Raises TypeError for a value that TOML cannot express.
    """
    lines: list[str] = []
    _add_section(content, (), lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _add_section(content: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    entries = {key: entry for key, entry in content.items() if entry is not None}
    for key, entry in entries.items():
        if not isinstance(entry, Mapping) and not _is_list_of_sections(entry):
            try:
                lines.append(f"{_key(key)} = {value(entry, MAX_WIDTH)}")
            except TypeError as problem:
                raise TypeError(f"{key!r} holds {problem}") from None
    for key, entry in entries.items():
        inner_path = (*path, key)
        name = ".".join(map(_key, inner_path))
        if isinstance(entry, Mapping):
            # a section that only holds sections needs no header of its own
            if not entry or any(not isinstance(inner, Mapping) for inner in entry.values()):
                lines += ["", f"[{name}]"]
            _add_section(entry, inner_path, lines)
        elif _is_list_of_sections(entry):
            for inner in entry:
                lines += ["", f"[[{name}]]"]
                _add_section(inner, inner_path, lines)


def _is_list_of_sections(entry: Any) -> bool:
    return isinstance(entry, list | tuple) and bool(entry) and all(isinstance(inner, Mapping) for inner in entry)


def _key(key: Any) -> str:
    return str(key) if _BARE_KEY.fullmatch(str(key)) else _text(str(key))


def _text(text: str) -> str:
    return _NOT_IN_TOML.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def value(entry: Any, max_width: int | None = None) -> str:
    """One value as TOML writes it. Lists wider than `max_width` have an entry per line, numbers as many as fit."""
    if entry is ...:  # in messages: for the reader to fill in
        return "…"
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, str):
        return _text(entry)
    if isinstance(entry, Integral):
        return str(int(entry))
    if isinstance(entry, Real):
        return repr(float(entry))
    if isinstance(entry, date | time):
        return entry.isoformat()
    if isinstance(entry, Mapping):
        inner = (f"{_key(key)} = {value(part, max_width)}" for key, part in entry.items() if part is not None)
        return "{ " + ", ".join(inner) + " }"
    if isinstance(entry, list | tuple):
        entries = [value(part, max_width) for part in entry]
        line = "[" + ", ".join(entries) + "]"
        if max_width is None or (len(line) <= max_width and "\n" not in line):
            return line
        if all(isinstance(part, Real) for part in entry):
            entries = textwrap.wrap(line[1:-1], max_width)
            return "[\n" + "".join(f"  {part.removesuffix(',')},\n" for part in entries) + "]"
        return "[\n" + "".join(f"  {part},\n" for part in entries) + "]"
    raise TypeError(f"{entry!r}, which TOML cannot express")
