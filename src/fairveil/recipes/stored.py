"""Stored: recipes and their parts as JSON. Each field declares its form, from which writing and reading follow.

>>> from dataclasses import dataclass, field
>>> @dataclass(frozen=True)
... class Ends(Stored):
...     edges: tuple = field(metadata=stored(listed(NUMBER)))
>>> Ends.from_dict({"edges": [1, "0.5"]}), Ends.from_dict({"edges": [1, "0.5"]}).to_dict()
(Ends(edges=(1, Decimal('0.5'))), {'edges': [1, '0.5']})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, ClassVar, NamedTuple, Self

from fairveil.data.interval_edges import from_json, to_json
from fairveil.shapes import Shape, cell, each, integer, many, optional, record, text


class Form(NamedTuple):
    """How a value is stored: `read` checks its JSON and returns the value, `write` returns its JSON."""

    read: Shape
    write: Callable[[Any], Any] = lambda value: value


def _node(value: Any, where: str) -> tuple[int, str | None]:
    level, label = many(cell, 2)(value, where)
    return integer(0, 10_000)(level, where), optional(text)(label, where)


NUMBER = Form(lambda value, where: from_json(cell(value, where)), to_json)
LABEL = Form(optional(text))
NODE = Form(_node, list)
"""A node of a hierarchy: its level and label."""


def listed(form: Form, min_: int = 0) -> Form:
    """A tuple of at least `min_` values."""
    read = many(form.read, min_)
    return Form(lambda values, where: tuple(read(values, where)), lambda values: [*map(form.write, values)])


def per_column(form: Form) -> Form:
    """A value for each of some columns."""
    return Form(each(form.read), lambda values: {name: form.write(value) for name, value in values.items()})


def nested(part: Any) -> Form:
    """An instance of a class with `to_dict` and `from_dict`."""
    return Form(lambda value, where: part.from_dict(record({}, more=True)(value, where)), lambda value: value.to_dict())


def stored(form: Form, *, key: str = "", sparse: bool = False, order: int = 0) -> dict[str, Any]:
    """The metadata of a field that is stored in this form.

    key     its name in the file, if that is another one
    sparse  it is left out where it has its default
    order   fields of a higher order are written later
    """
    return {"form": form, "key": key, "sparse": sparse, "order": order}


class Stored:
    """A dataclass whose fields are stored; those with a default may be missing from a file. `also` has further keys."""

    also: ClassVar[Mapping[str, Shape]] = {}

    def to_dict(self) -> dict[str, Any]:
        values = [(key, of, getattr(self, of.name)) for key, of in _stored(type(self)).items()]
        return {
            key: of.metadata["form"].write(value)
            for key, of, value in values
            if not (of.metadata["sparse"] and value == of.default)
        }

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Self:
        """Return what `to_dict` wrote; raises BadInput if it is malformed."""
        own = _stored(cls)
        needed, further = dict(cls.also), dict[str, Shape]()
        for key, of in own.items():
            required = of.default is MISSING and of.default_factory is MISSING
            (needed if required else further)[key] = of.metadata["form"].read
        parts = record(needed, further)(spec, "")
        part = cls(**{of.name: parts[key] for key, of in own.items() if key in parts})
        part.check()
        return part

    def check(self) -> None:
        """Raise BadInput if the parts do not fit together."""


def _stored(part: Any) -> dict[str, Field[Any]]:
    """Return the fields of a class that are stored, by key, in the order of writing."""
    own = sorted((of for of in fields(part) if "form" in of.metadata), key=lambda of: of.metadata["order"])
    return {of.metadata["key"] or of.name: of for of in own}
