"""How the document of a recipe is checked when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil import shapes
from fairveil.data.schema import Schema
from fairveil.errors import refuse, short
from fairveil.shapes import Shape

SIDE = shapes.either(shapes.record({"level": shapes.whole(0, 1000), "name": shapes.cell}), shapes.many(shapes.cell, 2))
"""One side of a box: a node of a hierarchy, or the two ends of an interval with its flags."""


def parts_of(spec: Mapping[str, Any], **own: Shape) -> dict[str, Any]:
    """Return the checked parts of a recipe: its own, and those that every recipe has."""
    every: dict[str, Shape] = {
        "format": shapes.whole(1, 1),
        "kind": shapes.name,
        "schema": lambda value, place: Schema.from_dict(shapes.record({}, more=True)(value, place)),
    }
    parts: dict[str, Any] = shapes.record({**every, **own})(spec, "")
    return parts


def need_all(schema: Schema, parts: Mapping[str, Any], place: str) -> None:
    """Raise BadInput unless the parts are those of exactly the quasi columns."""
    gone = [
        f"{place}.{short(name)} is missing, although it is a quasi column" for name in schema.quasi if name not in parts
    ]
    more = [f"{place}.{short(name)} is not a quasi column" for name in parts if name not in schema.quasi]
    refuse([*gone, *more])
