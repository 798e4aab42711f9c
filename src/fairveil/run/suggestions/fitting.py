"""Hierarchies that fit the values of a column: dates by month and year, numbers in intervals with round edges, codes by
their first characters, rare names together. In plan format, each with a short description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.numeric import numbers_per_value
from fairveil.data.text_form import as_text
from fairveil.run.suggestions.column_words import NAMED
from fairveil.run.suggestions.looks import Look, look_of_column

if TYPE_CHECKING:
    from fairveil.data.table import Column
    from fairveil.engines import Source

FEW = 5
"""Up to this many values, numbers and dates are published unchanged or suppressed."""
SIDE_BY_SIDE, LONGEST = (3, 8), 80
"""Numbers of texts that are joined to pairs, and pairs of these, and the most letters of their labels."""
STEPS = 16
"""Approximate number of finest intervals for nearly all numbers."""
OUTSIDE = 0.01
"""The share of the rows beyond the first and the last edge, so that edges do not disclose outliers."""
RARE = 0.01
"""Values with a smaller share of rows are grouped first."""
COMMON = 4
"""Number of most frequent values kept longest."""

Spec = dict[str, Any]


def fitted_to(source: Source, name: str) -> tuple[Spec, str] | None:
    """A hierarchy for a column of a source, and what it does; None if the values are few."""
    column = source.domain(name)
    return fitted(column, rows_per_value(source, name), look_of_column(column))


def rows_per_value(source: Source, name: str) -> np.ndarray:
    """The rows of each value of a column, in the order of its domain."""
    cells = source.count([name])
    return np.bincount(cells.codes[name], weights=cells.counts, minlength=len(source.domain(name).values))


def fitted(column: Column, rows: np.ndarray, look: Look) -> tuple[Spec, str] | None:
    """A hierarchy for a column with these rows per value, and what it does; None if the values are few."""
    values = [value for value in column.domain if value is not None]
    if look == "text" and (joined := _joined(values, rows[: len(values)])) is not None:
        return joined
    if len(values) <= FEW or look == "true or false":
        return None
    if look in ("dates", "times") and all(map(_is_day, values)):
        years = int(str(values[-1])[:4]) - int(str(values[0])[:4])
        steps = ["month", "year", "decade"] if years > 10 else ["month", "quarter", "year"]
        return {"kind": "dates", "steps": ["day", *steps] if look == "times" else steps}, "coarser and coarser dates"
    if look in ("years", "ages", "amounts", "numbers", "integers"):
        return _intervals(column, rows[: len(values)])
    texts = [as_text(value) for value in values]
    if look in ("months", "dates as numbers"):
        months = [6] if len(texts[0]) == 8 else []
        return {"kind": "prefixes", "lengths": [*months, 4, 3]}, "coarser and coarser dates"
    if look in ("postcodes", "codes", "ICD codes"):
        return _codes(texts, look)
    return _frequent(values, rows[: len(values)], RARE * rows.sum())


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, date) or bool(datetime.fromisoformat(str(value)))
    except ValueError:
        return False


def _intervals(column: Column, rows: np.ndarray) -> tuple[Spec, str] | None:
    numbers = numbers_per_value(column)[: len(rows)]
    whole = bool(np.all(numbers == np.floor(numbers)))
    shares = np.cumsum(rows) / max(rows.sum(), 1)
    low = float(numbers[int(np.searchsorted(shares, OUTSIDE))])
    high = float(numbers[min(int(np.searchsorted(shares, 1 - OUTSIDE)), len(numbers) - 1)])
    if not (np.isfinite(low) and np.isfinite(high)) or high <= low:
        low, high = float(numbers[0]), float(numbers[-1])
    if not np.isfinite(high - low):
        return None
    width, digits = _round_width((high - low) / STEPS, whole)
    levels: list[list[float]] = []
    while len(levels) < 4 and (not levels or width < (high - low)):
        first, last = floor(low / width) + 1, max(ceil(high / width) - 1, floor(low / width) + 1)
        edges = [round(position * width, digits) for position in range(first, last + 1)]
        levels.append([int(edge) for edge in edges] if all(edge == int(edge) for edge in edges) else edges)
        width *= 2
    levels = [[edge for edge in level if edge in levels[0]] for level in levels]
    spec = {"kind": "intervals", "levels": [level for level in levels if level], "open_ended": True}
    return spec, "wider and wider intervals"


def _round_width(width: float, whole: bool) -> tuple[float, int]:
    """The nearest round number (1, 2 or 5 with zeros) that is not smaller, and its number of decimals."""
    power = floor(log10(width)) if width > 0 else 0
    step = next(step for step in (1, 2, 5, 10) if step * 10.0**power >= width * 0.999)
    if whole and step * 10.0**power < 2:
        return 2, 0
    return round(step * 10.0**power, max(-power, 0)), max(-power, 0)


def _codes(texts: Sequence[str], look: Look) -> tuple[Spec, str]:
    longest = max(map(len, texts))
    if look == "ICD codes":
        return {"kind": "prefixes", "lengths": [3, 1]}, "the disease, then its chapter's letter"
    if len({len(text) for text in texts}) == 1 and longest <= 10:
        return {"kind": "mask", "length": longest}, "one character after the other is masked"
    lengths = sorted({ceil(longest * share) for share in (0.75, 0.5, 0.25)}, reverse=True)
    return {"kind": "prefixes", "lengths": lengths}, "shorter and shorter beginnings"


def _joined(values: Sequence[Any], rows: np.ndarray) -> tuple[Spec, str] | None:
    """A hierarchy that joins two of a few texts, then two of these: neighbours if they hold numbers, as bands of ages
    do, and otherwise those of similar frequency. None where fewer than NAMED rows hold one: a plan would name it."""
    if not SIDE_BY_SIDE[0] <= len(values) <= SIDE_BY_SIDE[1] or rows.min() < NAMED or "*" in values:
        return None
    texts = [as_text(value) for value in values]
    if len({text.strip() for text in texts}) < len(texts) or any(
        _is_number(text) or not text.strip() for text in texts
    ):
        return None
    leading = [re.search(r"\d+", text) for text in texts]
    if all(leading):
        order = sorted(range(len(texts)), key=lambda place: (_lower_end(texts[place]), texts[place]))
    else:
        order = np.argsort(rows, kind="stable").tolist()  # the rarest together
    paths = {place: [texts[place]] for place in order}
    groups = [[place] for place in order]
    while len(groups) > 2:
        groups = [[*one, *(groups[2 * pair + 1] if 2 * pair + 1 < len(groups) else ())]
                  for pair, one in enumerate(groups[::2])]  # fmt: skip
        for group in groups:
            label = " or ".join(texts[place] for place in sorted(group))
            for place in group:
                paths[place].append(label)
    labels = {label for path in paths.values() for label in path}
    if max(map(len, labels)) > LONGEST or any(" or " in text for text in texts):
        return None
    tree = [[*paths[place], "*"] for place in range(len(texts))]
    return {"kind": "tree", "rows": tree}, "two values together, then more"


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*[+-]?\d*[.,]?\d*\s*", text) is not None


def _lower_end(label: str) -> float:
    """The number that a band begins with; below it where the label says less than."""
    number = float(re.findall(r"\d+", label)[0])
    return (
        number - 0.5
        if label.lstrip()[:1] in "<≤-" or label.lower().startswith(("under", "bis", "moins", "menos"))
        else number
    )


def _frequent(values: Sequence[Any], rows: np.ndarray, min_rows: float) -> tuple[Spec, str] | None:
    """A hierarchy that names values of at least `min_rows`, not rare ones; None if there are none."""
    order = np.argsort(-rows, kind="stable")
    common = [int(position) for position in order if rows[position] >= max(min_rows, NAMED)]
    if not common or not all(isinstance(values[position], str | int | float) for position in common):
        return None  # a plan cannot hold others, such as times of day
    if len(common) == len(values):
        common = common[: max(len(values) * 2 // 3, 1)]
    kept = [[values[position] for position in sorted(part)] for part in (common, common[:COMMON])]
    levels = kept if len(common) > COMMON else kept[:1]
    levels += [[values[order[0]]]] if len(levels[-1]) > 1 else []  # so that one of two parts can be shown
    texts = {as_text(value).lower() for value in values}
    other = next(name for name in ("other", "others", "all others", "any other") if name not in texts)
    return {"kind": "frequent", "levels": levels, "other": other}, "rare values go together first"
