"""Digit masks: zip codes and similar codes lose one character after another.

>>> mask(5).bind(["08540", "08544"]).labels
(('08540', '08544'), ('0854*',), ('085**',), ('08***',), ('0****',), ('*****',))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, each
from fairveil.errors import BadInput
from fairveil.plural import counted
from fairveil.settings import setting

LONGEST = 10_000
"""Characters of a value: each may be a level."""


@dataclass(frozen=True, repr=False)
class Mask(Hierarchy):
    """`steps[i]` characters are masked at level i+1, counted from the right (or the left)."""

    kind: ClassVar[str] = "mask"
    says: ClassVar[str] = "Characters hidden one after the other, as in 0854*."
    length: int = field(metadata=setting("number of characters that every value has", min=1, max=LONGEST))
    steps: tuple[int, ...] = field(
        default=(), metadata=setting("number of hidden characters at each level; one more each by default")
    )
    side: Literal["right", "left"] = field(
        default="right", metadata=setting("the end from which characters are hidden")
    )
    sign: str = field(default="*", metadata=setting("what replaces a hidden character"))

    def __post_init__(self) -> None:
        super().__post_init__()
        steps = self.steps or tuple(range(1, self.length + 1))
        if list(steps) != sorted(set(steps)) or steps[0] < 1 or steps[-1] > self.length:
            raise BadInput(f"the steps of a mask hierarchy must increase, from at least 1 to at most {self.length}")
        object.__setattr__(self, "steps", steps)

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        return each(values, self._place)

    def _place(self, value: Any) -> Sequence[str]:
        text = str(value)
        if len(text) != self.length:
            raise BadInput(f"{text!r} has {counted(len(text), 'character')}, the mask expects {self.length}")
        if self.side == "right":
            return [text[: self.length - step] + self.sign * step for step in self.steps]
        return [self.sign * step + text[step:] for step in self.steps]

    @property
    def height(self) -> int:
        """The number of the top level; a mask that leaves characters may need a single value above."""
        return len(self.steps) + (self.steps[-1] < self.length)

    def admits(self, level: int, label: Any) -> bool:
        text = str(label)
        if level > len(self.steps):
            return text == TOP
        hidden = self.steps[level - 1] if level else 0
        masked = text[self.length - hidden :] if self.side == "right" else text[:hidden]
        return len(text) == self.length and masked == self.sign * hidden


def mask(length: int, *, steps: Sequence[int] = (), side: Literal["right", "left"] = "right", sign: str = "*") -> Mask:
    """Codes of a fixed `length`, hidden character by character from one `side`; `steps` are the numbers of characters
    that the levels hide, and `sign` replaces a hidden one."""
    return Mask(length, tuple(steps), side, sign)
