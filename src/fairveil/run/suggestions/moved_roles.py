"""Roles of columns while a first plan is made: what is moved to another role and why, and what is published coarser."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from fairveil.data import hierarchy
from fairveil.run.suggestions.fitting import Spec

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.run.suggestions.same_columns import Codes

Roles = dict[str, list[str]]


@dataclass
class Coarser:
    """Columns that are published at a fixed level of a hierarchy: the hierarchies, and the levels."""

    specs: dict[str, tuple[Spec, str]] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    """How many values are left at that level, where it was chosen so that nothing else is undone."""
    judged: dict[str, int] = field(default_factory=dict)
    """The level at which ℓ-diversity tells the values of a column apart that is published finer."""
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


def as_published(
    source: Source, name: str, coarser: Coarser, codes: Codes, rows: np.ndarray, judged: bool = False
) -> np.ndarray:
    """A column as it would be published, or `judged`, as codes in the given rows, of which `codes` are."""
    if name not in coarser.levels:
        return codes[name][0]
    column = source.table.column(name)
    levels = hierarchy.from_dict(coarser.specs[name][0]).bind(column.domain, name)
    level = max(coarser.levels[name], coarser.judged.get(name, 0) if judged else 0)
    at_level: np.ndarray = levels.codes[level][column.codes[rows]]
    return np.asarray(at_level, dtype=np.int64)
