"""Hierarchies whose labels follow from a value by a rule: suppressed, masked or cut codes, dates, frequent values, and
neighbours in an order.

>>> suppress().bind(["a", "b"]).labels
(('a', 'b'), ('*',))
>>> mask(5).bind(["08540", "08544"]).labels
(('08540', '08544'), ('0854*',), ('085**',), ('08***',), ('0****',), ('*****',))
>>> prefixes([3, 1]).bind(["E11.9", "E11", "E66", "I10"]).labels
(('E11.9', 'E11', 'E66', 'I10'), ('E11…', 'E66…', 'I10…'), ('E…', 'I…'), ('*',))
>>> dates().bind([date(1987, 5, 3)]).labels
((datetime.date(1987, 5, 3),), ('1987-05',), ('1987-Q2',), ('1987',), ('1980s',), ('*',))
>>> frequent([["Spain", "France"], ["Spain"]]).bind(["Spain", "France", "Malta"]).labels
(('Spain', 'France', 'Malta'), ('Spain', 'France', 'other'), ('Spain', 'other'), ('*',))
>>> grouping(["XS", "S", "M", "L"], sizes=(2,)).bind(["L", "M", "S", "XS"]).labels[1]
('M…L', 'XS…S')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property, lru_cache
from itertools import count, pairwise
from typing import Any, ClassVar, Literal

from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, LeveledHierarchy
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, refuse
from fairveil.messages import counted, option
from fairveil.settings import required, setting
from fairveil.shapes import cell, many

LONGEST = 10_000
"""Maximum number of characters of a masked value: each may be a level."""
CUT = "…"

STEPS: dict[str, tuple[Callable[[date], str], str]] = {
    "day": (date.isoformat, r"\d{4}-\d{2}-\d{2}"),
    "month": (lambda day: f"{day.year:04d}-{day.month:02d}", r"\d{4}-\d{2}"),
    "quarter": (lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}", r"\d{4}-Q[1-4]"),
    "year": (lambda day: f"{day.year:04d}", r"\d{4}"),
    "decade": (lambda day: f"{day.year // 10 * 10:04d}s", r"\d{3}0s"),
}
"""How dates are published at each step, and the pattern of such labels."""


@dataclass(frozen=True, repr=False)
class Suppress(LeveledHierarchy):
    """Unchanged, or `*`."""

    kind: ClassVar[str] = "suppress"
    says: ClassVar[str] = "The value as it is, or not at all."

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        return [(TOP,)] * len(values), []


def suppress() -> Suppress:
    """A value as it is, or `*`."""
    return Suppress()


@dataclass(frozen=True, repr=False)
class Mask(LeveledHierarchy):
    """Characters masked one after the other: `steps[i]` of them at level i+1, counted from the right (or the left)."""

    kind: ClassVar[str] = "mask"
    says: ClassVar[str] = "Characters hidden one after the other, as in 0854*."
    per_level: ClassVar[str] = "steps"
    length: int = field(metadata=required("number of characters that every value has", min=1, max=LONGEST))
    steps: tuple[int, ...] = setting((), "number of hidden characters at each level; one more each by default")
    side: Literal["right", "left"] = setting("right", "the end from which characters are hidden")
    sign: str = setting("*", "what replaces a hidden character")

    def __post_init__(self) -> None:
        super().__post_init__()
        steps = self.steps or tuple(range(1, self.length + 1))
        if list(steps) != sorted(set(steps)) or steps[0] < 1 or steps[-1] > self.length:
            raise BadInput(f"the steps of a mask hierarchy must increase, from at least 1 to at most {self.length}")
        object.__setattr__(self, "steps", steps)

    def path(self, value: Any) -> Sequence[str]:
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

    def fits(self, level: int, label: Any) -> bool:
        text, hidden = str(label), self.steps[level - 1]
        masked = text[self.length - hidden :] if self.side == "right" else text[:hidden]
        return len(text) == self.length and masked == self.sign * hidden

    def stand_in(self, level: int, label: Any) -> Any:
        return label  # what is left can be masked further


def mask(length: int, *, steps: Sequence[int] = (), side: Literal["right", "left"] = "right", sign: str = "*") -> Mask:
    """Codes of a fixed `length`, hidden character by character from one `side`; `steps` are the numbers of characters
    that the levels hide, and `sign` replaces a hidden one."""
    return Mask(length, tuple(steps), side, sign)


@dataclass(frozen=True, repr=False)
class Prefixes(LeveledHierarchy):
    """Prefixes of codes of any length, such as ICD codes: `lengths[i]` characters at level i+1, then nothing."""

    kind: ClassVar[str] = "prefixes"
    says: ClassVar[str] = "The first characters of a code, fewer at each level."
    per_level: ClassVar[str] = "lengths"
    lengths: tuple[int, ...] = field(
        metadata=required("number of characters that are left at each level, decreasing", min=1)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.lengths or list(self.lengths) != sorted(set(self.lengths), reverse=True):
            raise BadInput("the lengths of a prefixes hierarchy must decrease from level to level")

    def path(self, value: Any) -> Sequence[str]:
        return [*(as_text(value)[:length] + CUT for length in self.lengths), TOP]

    def fits(self, level: int, label: Any) -> bool:
        return str(label).endswith(CUT) and len(str(label)) - 1 <= self.lengths[level - 1]

    def stand_in(self, level: int, label: Any) -> Any:
        return str(label).removesuffix(CUT)


def prefixes(lengths: Sequence[int]) -> Prefixes:
    """The first characters of codes of any length, such as ICD codes: `lengths` of them at each level, descending."""
    return Prefixes(tuple(lengths))


@dataclass(frozen=True, repr=False)
class Dates(LeveledHierarchy):
    """Coarser dates, of dates, times (their day is taken at level 'day') or ISO text; `steps` are the levels."""

    kind: ClassVar[str] = "dates"
    says: ClassVar[str] = "Days, then months, quarters, years, decades."
    per_level: ClassVar[str] = "steps"
    steps: tuple[str, ...] = setting(
        ("month", "quarter", "year", "decade"), "the levels, from fine to coarse", options=[*STEPS]
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        order = [list(STEPS).index(step) for step in self.steps]
        if not order or order != sorted(set(order)):
            raise BadInput(f"the steps of a dates hierarchy must grow coarser, in the order {', '.join(STEPS)}")

    def path(self, value: Any) -> Sequence[str]:
        try:  # a datetime is a date, too
            day = value if isinstance(value, date) else datetime.fromisoformat(str(value))
        except ValueError:
            raise BadInput(f"{value!r} is not a date such as 1987-05-03") from None
        days = [STEPS["day"][0](day)] if self.steps[0] == "day" else []
        return [*days, *_months_up(day.year, day.month, self.steps[len(days) :]), TOP]

    def fits(self, level: int, label: Any) -> bool:
        return re.fullmatch(STEPS[self.steps[level - 1]][1], str(label), re.ASCII) is not None

    def stand_in(self, level: int, label: Any) -> Any:
        if not self.fits(level, label):
            raise BadInput(f"{label!r} is not a {self.steps[level - 1]}")
        year, _, rest = str(label).removesuffix("s").partition("-")
        month = 3 * int(rest[1:]) - 2 if rest.startswith("Q") else int(rest[:2] or 1)
        return f"{year}-{month:02d}-01"


@lru_cache(1 << 12)
def _months_up(year: int, month: int, steps: tuple[str, ...]) -> list[str]:
    """The labels of a month, which all its days share, at steps that are coarser than days."""
    first = date(year, month, 1)
    return [STEPS[step][0](first) for step in steps]


def dates(*steps: str) -> Dates:
    """Increasingly coarse dates; `steps` are the levels, for example `dates("year", "decade")`."""
    return Dates(steps) if steps else Dates()


@dataclass(frozen=True, repr=False)
class Frequent(LeveledHierarchy):
    """Frequent values unchanged, `levels[i]` at level i+1, each part of the one before; all others as `other`."""

    kind: ClassVar[str] = "frequent"
    says: ClassVar[str] = "Frequent values as they are, all others as one."
    per_level: ClassVar[str] = "levels"
    levels: tuple[tuple[Any, ...], ...] = field(
        metadata=required("the values that stay as they are, level by level", shape=many(many(cell, 1), 1))
    )
    other: str = setting("other", "the label of all values that are not frequent")

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = [
            f"level {number} of a frequent hierarchy keeps {strange[0]!r}, which the level below it does not"
            for number, (low, high) in enumerate(pairwise(self._kept), start=2)
            if (strange := sorted(high - low))
        ]
        if not self._kept or self.other in self._kept[0]:
            problems.append(f"a frequent hierarchy needs values that stay, and none of them may be {self.other!r}")
        refuse(problems)

    @cached_property
    def _kept(self) -> list[set[str]]:
        return [set(map(as_text, level)) for level in self.levels]

    def path(self, value: Any) -> Sequence[str]:
        text = as_text(value)
        if text in (self.other, TOP):
            raise BadInput(
                f"{text!r} is what other values are published as: give those another name, {option('other', ...)}"
            )
        return [*(text if text in level else self.other for level in self._kept), TOP]

    def fits(self, level: int, label: Any) -> bool:
        return as_text(label) == self.other or as_text(label) in self._kept[level - 1]

    def stand_in(self, level: int, label: Any) -> Any:
        if not self.fits(level, label):
            raise BadInput(f"{label!r} does not stay at level {level}, and is not {self.other!r}")
        if as_text(label) != self.other:
            return label
        return next(text for n in count() if (text := f"{self.other} {n}") not in self._kept[0])


def frequent(levels: Sequence[Sequence[Any]], *, other: str = "other") -> Frequent:
    """Frequent values as they are: `levels` lists those that stay at each level, all others become `other`."""
    return Frequent(tuple(tuple(level) for level in levels), other)


@dataclass(frozen=True, repr=False)
class Grouping(Hierarchy):
    """Neighbours in a given order, in groups of growing size: `sizes[i]` at level i+1, a multiple of the one before."""

    kind: ClassVar[str] = "grouping"
    says: ClassVar[str] = "Neighbours in an order that you give, in growing groups."
    order: tuple[Any, ...] = field(metadata=required("all values in their order", shape=many(cell, 1)))
    sizes: tuple[int, ...] = setting((2,), "number of neighbours that share a value, level by level")

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if len(set(self.order)) != len(self.order) or not self.order:
            problems.append("the order of a grouping must list every value once")
        problems += [
            f"group size {size} is not a larger multiple of {previous}"
            for previous, size in pairwise([1, *self.sizes])
            if size <= previous or size % max(previous, 1)
        ]
        refuse(problems)

    def extra_leaves(self) -> Sequence[Any]:
        return self.order

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {as_text(value): position for position, value in enumerate(self.order)}

    def path(self, value: Any) -> Sequence[str]:
        position = self._positions.get(as_text(value))
        if position is None:
            raise BadInput(f"{value!r} is not in the order of the grouping")
        groups = [self.order[(start := position // size * size) : start + size] for size in self.sizes]
        return [*(str(group[0]) if len(group) == 1 else f"{group[0]}…{group[-1]}" for group in groups), TOP]


def grouping(order: Sequence[Any], *, sizes: Sequence[int] = (2,)) -> Grouping:
    """Neighbours in a given `order` of all values, in groups of growing `sizes`."""
    return Grouping(tuple(order), tuple(sizes))
