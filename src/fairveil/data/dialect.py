"""Dialect: how a file is read, as somebody gave it. What is found in a file is no part of it.

A recipe keeps the dialect of its source, so that new files are read alike: "NULL" is missing there, too. It says
nothing about people: what was *found* (an encoding, say) could be due to one letter of one name, and is found again in
each file.

>>> given = Dialect(missing_values=["?"], encoding="cp1252", sheet="2024")
>>> given.remembered.to_dict()
{'missing_values': ['?'], 'encoding': 'cp1252'}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairveil import shapes
from fairveil.data.table import Missing
from fairveil.errors import BadInput
from fairveil.shapes import Shape, either, optional, shape, text, whole

_SHAPES: Mapping[str, Shape] = {
    "missing": shape("'category' or 'drop'", lambda value: value in ("category", "drop")),
    "missing_values": shapes.many(text),
    "text": shapes.many(text),
    "separator": optional(text),
    "encoding": optional(text),
    "decimal": optional(text),
    "sheet": optional(either(text, whole(1))),
}


@dataclass(frozen=True)
class Dialect:
    """Options of `Table.read`, as given; None: to be found."""

    missing: Missing = "category"
    missing_values: Sequence[str] = ()
    text: Sequence[str] = ()
    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    sheet: str | int | None = None

    def __post_init__(self) -> None:
        for name in ("missing_values", "text"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    @property
    def options(self) -> dict[str, Any]:
        """As keywords of `Table.read`."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    @property
    def remembered(self) -> Dialect:
        """What holds for other files of the same kind; separator and sheet are those of one file."""
        return replace(self, separator=None, sheet=None)

    def over(self, other: Dialect) -> Dialect:
        """This dialect; what is not given here is as in the other one."""
        usual = Dialect()
        given = {name: value for name, value in self.options.items() if value != getattr(usual, name)}
        return replace(other, **given)

    def to_dict(self) -> dict[str, Any]:
        usual = Dialect()
        given = {name: value for name, value in self.options.items() if value != getattr(usual, name)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}

    @classmethod
    def from_dict(cls, spec: Any) -> Dialect:
        if not isinstance(spec, Mapping):
            raise BadInput("how the source was read is no section")
        return cls(**shapes.record({}, _SHAPES)(spec, "read"))
