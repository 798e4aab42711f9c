"""Roles of columns while a first plan is made: what is moved to another role and why, what is published coarser, and
the codes of columns in the rows in which they are compared."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np

from fairveil.data import hierarchy
from fairveil.engines import Source
from fairveil.run.suggestions.fitting import Spec
from fairveil.run.suggestions.same_columns import Coded, Codes

Roles = dict[str, list[str]]

COMPARED = 10_000
"""Rows in which columns are compared."""


@dataclass
class Coarser:
    """Columns that are published at a fixed level of a hierarchy: the hierarchies, and the levels."""

    specs: dict[str, tuple[Spec, str]] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    """How many values are left at that level, where it was chosen so that nothing else is undone."""
    diversity: dict[str, int] = field(default_factory=dict)
    """The largest ℓ that a sensitive column allows, where people have several records and it is small."""
    closeness: dict[str, float] = field(default_factory=dict)
    """The t of a sensitive column of which everybody has one value."""
    ties: dict[str, tuple[Spec, str]] = field(default_factory=dict)
    """Hierarchies of quasi columns that lead to another column."""
    optional: dict[str, str] = field(default_factory=dict)
    """Columns that may be left out if much more of the others is shown then, and why."""


def free_columns(roles: Roles, given: Set[str | None]) -> list[str]:
    """Columns that are published as they are, and that may get another role."""
    kept = {*given, *roles["protected"], *roles["decision"]}
    return [name for role in ("sensitive", "plain") for name in roles[role] if name not in kept]


def move(roles: Roles, reasons: dict[str, str], names: Sequence[str], to: str, because: str) -> None:
    """Give columns another role, with the reason."""
    for name in names:
        for role in ("quasi", "sensitive", "plain", *(["protected"] if to == "drop" else [])):
            if name in roles[role]:
                roles[role].remove(name)
        if name not in roles[to]:
            roles[to].append(name)
        reasons[name] = because


def as_published(source: Source, name: str, coarser: Coarser, codes: Codes, rows: np.ndarray) -> np.ndarray:
    """A column as it would be published, as codes in the given rows, of which `codes` are."""
    if name not in coarser.levels:
        return codes[name][0]
    column = source.table.column(name)
    levels = hierarchy.from_dict(coarser.specs[name][0]).bind(column.domain, name)
    at_level: np.ndarray = levels.codes[coarser.levels[name]][column.codes[rows]]
    return np.asarray(at_level, dtype=np.int64)


def compared_rows(source: Source, person: str | None = None) -> np.ndarray:
    """Some rows, neighbours among them; one of each person, whose rows agree in much that says nothing of others."""
    every = np.arange(source.rows)
    if person is not None:
        every = np.sort(np.unique(source.table.column(person).codes, return_index=True)[1])
    blocks = max(-(-len(every) // COMPARED), 1)
    return every if blocks == 1 else every[(np.arange(len(every)) // 100) % blocks == 0]


def codes_of(source: Source, names: Sequence[str], person: str | None = None) -> Codes:
    """Codes of columns in some rows; empty where rows do not leave the engine."""
    if not source.has_rows:
        return {}
    rows = compared_rows(source, person)
    every = {
        name: np.unique(source.table.column(name).codes[rows], return_inverse=True) for name in dict.fromkeys(names)
    }
    blank = {name: len(source.table.column(name).values) - 1 for name in every if source.table.column(name).has_missing}
    return {name: Coded(codes.astype(np.int64), len(values), int(values[-1]) == blank.get(name))
            for name, (values, codes) in every.items() if len(values) > 1}  # fmt: skip
