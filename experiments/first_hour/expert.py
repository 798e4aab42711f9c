"""The roles that an expert accepts for the columns of a file, and how a plan compares with them.

>>> accepts("quasi or left out, may be protected", {"drop"}), accepts("quasi, protected", {"quasi"})
(True, False)
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from fairveil.data.schema import SINGLE

ROLES = Path(__file__).with_name("roles.toml")
HELD_OUT = Path(__file__).with_name("held_out.toml")

LEFT_OUT = {"identifier", "drop", "person", "household", "weight"}

Expected = Mapping[str, Sequence[str]]
"""Columns by acceptable roles, as in roles.toml."""


def expected(path: Path = ROLES) -> dict[str, Expected]:
    """The acceptable roles of each file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def roles_in(plan: Path) -> dict[str, set[str]]:
    """The roles of each column in a plan."""
    return column_roles(tomllib.loads(plan.read_text(encoding="utf-8"))["schema"])


def column_roles(schema: Mapping[str, Any]) -> dict[str, set[str]]:
    """The roles of each column in a schema as plain data."""
    roles: dict[str, set[str]] = {}
    for role, names in schema.items():
        listed = [names] if role in SINGLE else names if isinstance(names, list) and role != "denied" else []
        for name in listed:
            roles.setdefault(name, set()).add(role)
    return roles


def accepts(wanted: str, roles: Set[str]) -> bool:
    """Whether these roles of a column are acceptable."""
    alternatives, _, protected = (part.strip() for part in wanted.partition(","))
    allowed = {role.strip() for role in alternatives.split(" or ")}
    allowed |= LEFT_OUT if "left out" in allowed else set()
    main, is_protected = set(roles) - {"protected"}, "protected" in roles
    if main and main <= LEFT_OUT:
        is_protected = protected == "protected"  # what is not published cannot be a ground
    return (
        bool(main)
        and main <= allowed
        and (protected == "may be protected" or is_protected == (protected == "protected"))
    )


def escaped(column: str) -> str:
    """A column's name as a pattern that fits it alone."""
    return column.replace("[", "[[]").replace("?", "[?]").replace("*", "[*]")


def acceptable(wanted: Expected, column: str) -> str:
    """The acceptable roles of a column."""
    fitting = next((key for key, names in wanted.items() if any(fnmatchcase(column, name) for name in names)), None)
    if fitting is None:
        raise KeyError(f"nobody wrote down the role of {column!r}")
    return fitting.strip()


def unacceptable(wanted: Expected, roles: Mapping[str, Set[str]]) -> list[str]:
    """What an expert would change: the column, its roles, and what they should be."""
    fitting = {column: acceptable(wanted, column) for column in roles}
    return [
        f"{column} is {' and '.join(sorted(own))}, not {fitting[column]}"
        for column, own in roles.items()
        if not accepts(fitting[column], own)
    ]


def identifying(wanted: Expected, roles: Mapping[str, Set[str]]) -> list[str]:
    """Columns that have to be left out, as they name or number people, and are published."""
    naming = {*LEFT_OUT, "left out"}
    return [
        name
        for name, own in roles.items()
        if {*acceptable(wanted, name).split(" or ")} <= naming and not own <= LEFT_OUT
    ]
