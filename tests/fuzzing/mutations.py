"""Documents with something wrong in them: every kind of damage, at every place, in a fixed order."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

DEEP: Any = []
for _ in range(300):
    DEEP = [DEEP]

JSON_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2.5, -0.0, 1e308, float("nan"), float("inf"), -float("inf"), 10**25, -(10**25), 2**53,
    2**63, "", "x", "0", "NaN", "\x00", "\ud800", "é\u202e", "x" * 5000, [], [[]], [None], [1, "a", None], {}, {"": 1},
    {"kind": "x"}, {"kind": None}, {"level": -1, "name": None}, DEEP, "int64", "list<int8>", [0] * 1000,
)  # fmt: skip
TOML_VALUES: tuple[Any, ...] = tuple(
    value
    for value in JSON_VALUES
    if value is not None and value is not DEEP and value not in ("\ud800", "\x00", [None], [1, "a", None])
    and not (isinstance(value, dict) and None in value.values())
)  # fmt: skip


def places(document: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document, of lists only the first two and the last entry."""
    yield place
    if isinstance(document, dict):
        for key, value in document.items():
            yield from places(value, (*place, key))
    elif isinstance(document, list):
        for number in sorted({0, 1, len(document) - 1} & set(range(len(document)))):
            yield from places(document[number], (*place, number))


def mutated(document: Any, times: int, seed: int, values: tuple[Any, ...] = JSON_VALUES) -> Iterator[tuple[str, Any]]:
    """So many damaged copies, each with what was done to it; all places and kinds of damage have their turn."""
    rng = random.Random(seed)
    everywhere = [place for place in places(document) if place]
    kinds = ["replace", "replace", "replace", "drop", "add", "repeat", "swap"]
    for number in range(times):
        place = everywhere[number % len(everywhere)] if number < len(everywhere) else rng.choice(everywhere)
        kind = rng.choice(kinds)
        copied = copy.deepcopy(document)
        parent = copied
        for key in place[:-1]:
            parent = parent[key]
        key = place[-1]
        if kind == "replace":
            value = rng.choice(values)
            parent[key] = copy.deepcopy(value)
            kind = f"replace by {str(value)[:40]!r}"
        elif kind == "drop":
            del parent[key]
        elif kind == "add":
            value = rng.choice(values)
            if isinstance(parent, dict):
                parent[rng.choice(("extra", "kind", "format", "schema", ""))] = value
            else:
                parent.insert(key, value)
            kind = f"add {str(value)[:40]!r}"
        elif kind == "repeat" and isinstance(parent[key], list):
            parent[key] = parent[key] * 2
        elif kind == "swap":
            other = parent
            if isinstance(parent, dict):
                names = list(parent)
                second = rng.choice(names)
                parent[key], parent[second] = parent[second], parent[key]
            elif other:
                parent.reverse()
        yield f"{'.'.join(map(str, place))}: {kind}", copied
