"""Prefixes: codes that say more with every character, such as ICD codes, lose their ends, whatever their length.

>>> prefixes([3, 1]).bind(["E11.9", "E11", "E66", "I10"]).labels
(('E11.9', 'E11', 'E66', 'I10'), ('E11…', 'E66…', 'I10…'), ('E…', 'I…'), ('*',))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, each
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput
from fairveil.settings import setting

MORE = "…"


@dataclass(frozen=True, repr=False)
class Prefixes(Hierarchy):
    """At level i+1 the first `lengths[i]` characters are left; above the last is nothing."""

    kind: ClassVar[str] = "prefixes"
    says: ClassVar[str] = "The first characters of a code, fewer at each level."
    lengths: tuple[int, ...] = field(
        metadata=setting("number of characters that are left at each level, decreasing", min=1)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.lengths or list(self.lengths) != sorted(set(self.lengths), reverse=True):
            raise BadInput("the lengths of a prefixes hierarchy must decrease from level to level")

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        return each(values, lambda value: [*(as_text(value)[:length] + MORE for length in self.lengths), TOP])

    @property
    def height(self) -> int:
        return len(self.lengths) + 1

    def admits(self, level: int, label: Any) -> bool:
        if level in (0, self.height):
            return level == 0 or label == TOP
        text = str(label)
        return text.endswith(MORE) and len(text) - 1 <= self.lengths[level - 1]


def prefixes(lengths: Sequence[int]) -> Prefixes:
    """The first characters of codes of any length, such as ICD codes: `lengths` of them at each level, descending."""
    return Prefixes(tuple(lengths))
