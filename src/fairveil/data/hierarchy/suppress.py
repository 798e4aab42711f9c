"""Suppress-only: a value is published as it is or not at all.

>>> suppress().bind(["a", "b"]).labels
(('a', 'b'), ('*',))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy


@dataclass(frozen=True, repr=False)
class Suppress(Hierarchy):
    """The value, or `*`."""

    kind: ClassVar[str] = "suppress"
    says: ClassVar[str] = "The value as it is, or not at all."

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        return [(TOP,)] * len(values), []

    @property
    def height(self) -> int:
        return 1

    def admits(self, level: int, label: Any) -> bool:
        return level == 0 or label == TOP


def suppress() -> Suppress:
    """A value as it is, or `*`."""
    return Suppress()
