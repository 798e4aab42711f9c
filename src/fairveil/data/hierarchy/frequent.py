"""Frequent values: those that are listed stay as they are, all others are published as one.

>>> frequent([["Spain", "France"], ["Spain"]]).bind(["Spain", "France", "Malta"]).labels
(('Spain', 'France', 'Malta'), ('Spain', 'France', 'other'), ('Spain', 'other'), ('*',))

An unseen value is one of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, each
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, refuse
from fairveil.messages import option
from fairveil.settings import setting
from fairveil.shapes import cell, many


@dataclass(frozen=True, repr=False)
class Frequent(Hierarchy):
    """`levels[i]` are the values that stay at level i+1, each list a part of the one before; `other` names the rest."""

    kind: ClassVar[str] = "frequent"
    says: ClassVar[str] = "Frequent values as they are, all others as one."
    levels: tuple[tuple[Any, ...], ...] = field(
        metadata=setting("the values that stay as they are, level by level", shape=many(many(cell, 1), 1))
    )
    other: str = field(default="other", metadata=setting("the label of all values that are not frequent"))

    def __post_init__(self) -> None:
        super().__post_init__()
        kept = self._kept
        problems = [
            f"level {number} of a frequent hierarchy keeps {strange[0]!r}, which the level below it does not"
            for number, (low, high) in enumerate(pairwise(kept), start=2)
            if (strange := sorted(high - low))
        ]
        if not kept or self.other in kept[0]:
            problems.append(f"a frequent hierarchy needs values that stay, and none of them may be {self.other!r}")
        refuse(problems)

    @property
    def _kept(self) -> list[set[str]]:
        return [{as_text(value) for value in level} for level in self.levels]

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        kept = self._kept

        def path(value: Any) -> Sequence[str]:
            text = as_text(value)
            if text in (self.other, TOP):
                raise BadInput(
                    f"{text!r} is what other values are published as: give those another name, {option('other', ...)}"
                )
            return [*(text if text in level else self.other for level in kept), TOP]

        return each(values, path)

    @property
    def height(self) -> int:
        return len(self.levels) + 1

    def admits(self, level: int, label: Any) -> bool:
        if level in (0, self.height):
            return level == 0 or label == TOP
        return as_text(label) == self.other or as_text(label) in self._kept[level - 1]


def frequent(levels: Sequence[Sequence[Any]], *, other: str = "other") -> Frequent:
    """Frequent values as they are: `levels` lists those that stay at each level, all others become `other`."""
    return Frequent(tuple(tuple(level) for level in levels), other)
