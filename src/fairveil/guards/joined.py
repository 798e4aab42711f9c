"""The fewest sensitive values that any join of projections shows, found without joining anything.

Rows of two projections join when they have the same class. So a join depends only on which classes the groups of equal
quasi values have in each projection: a few sets of classes, no matter how many groups there are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairveil.counting.cells import group_of
from fairveil.errors import BadInput, suggest
from fairveil.guards.projections import Projections


def poorest(parts: Projections, sensitive: Sequence[str]) -> float:
    """The smallest number of different sensitive values for quasi values that some join of the projections shows."""
    published = {name for table in parts.tables for name in table.names}
    unpublished = [name for name in sensitive if name not in published and name != parts.decision]
    if not sensitive:
        raise BadInput("distinct-diversity needs a sensitive column, and none is named")
    if len(unpublished) == len(sensitive):
        return float("inf")  # a sensitive column that is not published shows nothing
    unknown = [name for name in sensitive if parts.sensitive and name not in parts.sensitive]
    if unknown:
        raise BadInput(suggest(unknown[0], parts.sensitive, "sensitive column"))
    everywhere = [_class_sets(parts, position) for position in range(len(parts))]
    worst = float("inf")
    for position in range(len(parts)):
        joined_sets = _meet([sets for other, sets in enumerate(everywhere) if other != position])
        for name in sensitive:
            if name == parts.decision:
                worst = min(worst, _fewest_classes(everywhere[position], joined_sets))
            elif name in parts.tables[position]:
                worst = min(worst, _fewest_values(parts, position, name, joined_sets))
    return worst


def _groups(parts: Projections, position: int) -> tuple[np.ndarray, int]:
    """Groups of equal values in what an attacker may join or know: the quasi columns, and columns held twice."""
    table = parts.tables[position]
    twice = {name for other in range(len(parts)) if other != position for name in parts.common(position, other)}
    names = [name for name in table.names if (name in parts.quasi or name in twice) and name != parts.decision]
    return group_of([(table.column(n).codes, len(table.column(n).values)) for n in names], table.rows)


def _class_sets(parts: Projections, position: int) -> set[frozenset[int]]:
    """The different sets of classes that groups of one projection have."""
    groups, total = _groups(parts, position)
    codes, size = parts.classes
    has = np.zeros((total, size), dtype=bool)
    has[groups, codes[position]] = True
    return {frozenset(np.flatnonzero(row).tolist()) for row in np.unique(has, axis=0)}


def _meet(others: Sequence[set[frozenset[int]]]) -> set[frozenset[int] | None]:
    """The sets of classes that may be left after joining with none (None), some or all of the other projections."""
    remaining: set[frozenset[int] | None] = {None}
    for sets in others:
        remaining |= {classes if before is None else before & classes for before in remaining for classes in sets}
    return remaining


def _fewest_classes(own_sets: set[frozenset[int]], joined_sets: set[frozenset[int] | None]) -> float:
    sizes = [len(classes if joined is None else classes & joined) for classes in own_sets for joined in joined_sets]
    return float(min((size for size in sizes if size), default=np.inf))


def _fewest_values(parts: Projections, position: int, name: str, joined_sets: set[frozenset[int] | None]) -> float:
    groups, total = _groups(parts, position)
    codes = parts.classes[0][position]
    column = parts.tables[position].column(name)
    worst = np.inf
    for allowed in joined_sets:
        rows = slice(None) if allowed is None else np.isin(codes, list(allowed))
        pairs = np.unique(groups[rows] * len(column.values) + column.codes[rows].astype(np.int64))
        distinct = np.bincount(pairs // len(column.values), minlength=total)
        if len(pairs):
            worst = min(worst, float(distinct[distinct > 0].min()))
    return float(worst)
