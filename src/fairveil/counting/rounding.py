"""Rounding of figures about the source, so that nobody computes a count or one person's value from them.

A share times a published number of rows is a count, and somebody who knows all people but one can try each value that
this one may have until the figure fits. So the step that a figure is rounded to is worth at least `MIN_ROWS` rows: one
person moves it by a tenth of a step or so.

>>> coarse_share(0.4567, 100_000), coarse_share(0.4567, 500), coarse_share(0.4567, 60), coarse_share(0.4567, 8)
(0.457, 0.46, 0.4, 0.5)
>>> coarse_count(14)
10
"""

from __future__ import annotations

import math

MIN_ROWS = 10
STEPS = (1000, 500, 200, 100, 50, 20, 10, 5, 2)
"""The numbers of steps between 0 and 1."""


def coarse_share(value: float, rows: float, *, up: bool = False) -> float:
    """A share or mean over `rows` rows, rounded to a step of at least `MIN_ROWS` of them, and at most one half; `up`:
    never down, as no risk may look smaller than it is."""
    steps = next((steps for steps in STEPS if rows >= steps * MIN_ROWS), STEPS[-1])
    # the last digits of a sum depend on the order of its terms
    number = float(f"{value:.9g}") * steps
    return (math.ceil(number - 1e-9) if up else round(number)) / steps


def coarse_count(value: int) -> int:
    """A count, rounded to a multiple of `MIN_ROWS`."""
    return round(value / MIN_ROWS) * MIN_ROWS
