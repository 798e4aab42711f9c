"""Top and bottom coding: very large and very small values share one label, all others stay as they are.

>>> ages = top_code(above=[85, 80], below=[18])
>>> ages.bind([12, 40, 81, 85, 97]).labels
((12, 40, 81, 85, 97), ('<18', '40', '81', '85+'), ('<18', '40', '80+'), ('*',))

As in census files, "85+" stands for 85 and above, and "<18" for everything below 18. Each level has its own bounds; the
shorter list repeats its last. Bounds are numbers or dates ("1935-01-01"), compared as they are written: a bound of 0.3
is exactly the value 0.3, whether a file stores it as a float or as a decimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from fairveil.data.hierarchy.hierarchy import TOP, LeveledHierarchy
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, refuse
from fairveil.settings import setting
from fairveil.shapes import many, named, wrong

_A_DATE = "date such as 1935-01-01"


def _bound(value: Any, where: str) -> Any:
    """The shape of a bound: a number, or a date, which may be text; decimals and dates are kept as text."""
    position = _day(value) or _number(value)
    if position is None or (isinstance(position, Decimal) and not position.is_finite()):
        raise wrong(where, f"a number or a {_A_DATE}", value)
    return value if isinstance(value, int | float) else as_text(position)


_BOUNDS = named(many(_bound), "a list of numbers or dates")


@dataclass(frozen=True, repr=False)
class TopCode(LeveledHierarchy):
    """Values from `above[i]` on as one, and those under `below[i]`, at level i+1; all others unchanged."""

    kind: ClassVar[str] = "top-code"
    says: ClassVar[str] = "Very large and very small values together, all others as they are."
    above: tuple[Any, ...] = setting((), "where the top begins, decreasing: 85 and above become 85+", shape=_BOUNDS)
    below: tuple[Any, ...] = setting((), "where the bottom ends, increasing: all below 16 becomes <16", shape=_BOUNDS)

    def __post_init__(self) -> None:
        super().__post_init__()
        above, below = self._bounds
        kinds = {type(bound) for bound in (*above, *below)}
        if len(kinds) != 1:
            raise BadInput("a top-code hierarchy needs above or below: all numbers or all dates, one for each level")
        problems = [f"above must decrease: {high} follows {low}" for low, high in pairwise(above) if high >= low]
        problems += [f"below must increase: {high} follows {low}" for low, high in pairwise(below) if high <= low]
        if above and below and below[-1] > above[-1]:
            problems.append(f"what is below {below[-1]} overlaps with what is above {above[-1]}")
        refuse([f"a top-code hierarchy: {problem}" for problem in problems])

    @cached_property
    def _bounds(self) -> list[list[Any]]:
        return [[_day(bound) or _number(bound) for bound in bounds] for bounds in (self.above, self.below)]

    @cached_property
    def _dates(self) -> bool:
        return isinstance((self._bounds[0] or self._bounds[1])[0], date)

    @property
    def depth(self) -> int:
        return max(len(self.above), len(self.below))

    def _tail(self, position: Any, level: int) -> str | None:
        """The label of a value in the top or bottom of a level; None for all others."""
        above, below = (bounds[min(level, len(bounds)) - 1] if bounds else None for bounds in self._bounds)
        if above is not None and position >= above:
            return f"{as_text(above)}+"
        return f"<{as_text(below)}" if below is not None and position < below else None

    def path(self, value: Any) -> Sequence[str]:
        position = _day(value) if self._dates else None if isinstance(value, str) else _number(value)
        if position is None:
            raise BadInput(f"{value!r} is not a {_A_DATE if self._dates else 'number'}")
        tails = [self._tail(position, level) for level in range(1, self.depth + 1)]
        return [*(as_text(value) if tail is None else tail for tail in tails), TOP]

    def fits(self, level: int, label: Any) -> bool:
        text = str(label)
        end = text[1:] if text.startswith("<") else text.removesuffix("+")
        position = (_day if self._dates else _number)(end)
        if position is None:
            return False
        if end == text:
            return self._tail(position, level) is None
        above, below = (bounds[min(level, len(bounds)) - 1 :][:1] for bounds in self._bounds)
        return position in (below if text.startswith("<") else above)

    def stand_in(self, level: int, label: Any) -> Any:
        text = str(label)
        position = (_day if self._dates else _number)(text[1:] if text.startswith("<") else text.removesuffix("+"))
        if position is None:
            raise BadInput(f"{label!r} is not a {_A_DATE if self._dates else 'number'}")
        return position - (timedelta(1) if self._dates else 1) if text.startswith("<") else position


def _day(value: Any) -> Any:
    """The day of a date or of ISO text; None for anything else."""
    if isinstance(value, str) and "-" in value[1:]:
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    return value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None


def _number(value: Any) -> Any:
    """A number as it is written; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        return None
    try:
        number = Decimal(repr(value) if isinstance(value, float) else value)
    except InvalidOperation:
        return None
    return None if number.is_nan() else number


def top_code(*, above: Any = (), below: Any = ()) -> TopCode:
    """Top and bottom coding: `above` lists where the top begins at each level, `below` where the bottom ends; both are
    numbers or dates, or one of them.

    >>> top_code(above=85) == top_code(above=[85])
    True
    """
    return TopCode(*(tuple(given) if isinstance(given, list | tuple) else (given,) for given in (above, below)))
