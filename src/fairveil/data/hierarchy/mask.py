"""Digit masks: zip codes and the like lose one character after the other.

>>> mask(5).bind(["08540", "08544"]).labels
(('08540', '08544'), ('0854*',), ('085**',), ('08***',), ('0****',), ('*****',))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, each
from fairveil.errors import BadInput, refuse
from fairveil.plural import counted

LONGEST = 10_000
"""Characters of a value: each may be a level."""


@dataclass(frozen=True, repr=False)
class Mask(Hierarchy):
    """`steps[i]` characters are masked at level i+1, counted from the right (or the left)."""

    kind: ClassVar[str] = "mask"
    length: int
    steps: tuple[int, ...] = ()
    side: str = "right"
    sign: str = "*"

    def __post_init__(self) -> None:
        problems = []
        if not 1 <= self.length <= LONGEST:
            problems.append(f"a mask needs a length from 1 to {LONGEST}, not {self.length}")
        steps = self.steps or (() if problems else tuple(range(1, self.length + 1)))
        if list(steps) != sorted(set(steps)) or (steps and (steps[0] < 1 or steps[-1] > self.length)):
            problems.append(f"mask steps must rise from 1 to {self.length}")
        if self.side not in ("left", "right"):
            problems.append(f"mask side {self.side!r}: say 'left' or 'right'")
        refuse(problems)
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
        """A mask that leaves characters over may need a single value above."""
        return len(self.steps) + (self.steps[-1] < self.length)

    def admits(self, level: int, label: Any) -> bool:
        text = str(label)
        if level > len(self.steps):
            return text == TOP
        hidden = self.steps[level - 1] if level else 0
        masked = text[self.length - hidden :] if self.side == "right" else text[:hidden]
        return len(text) == self.length and masked == self.sign * hidden


def mask(length: int, *, steps: Sequence[int] = (), side: str = "right", sign: str = "*") -> Mask:
    """Codes of a `length`, hidden sign by sign from one `side`; `steps` say how many signs each level hides, and `sign`
    stands for a hidden one."""
    return Mask(length, tuple(steps), side, sign)
