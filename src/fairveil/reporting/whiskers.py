"""Charts that compare: estimates and their intervals beside a line, and numbers before against numbers after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairveil.markup import Html, tag
from fairveil.reporting.charts import WIDTH, cut, line, marker, svg, text
from fairveil.reporting.numbers import short_percent, ticks


@dataclass(frozen=True)
class WhiskerPoint:
    """A share between 0 and 1 with its interval; `kind` is its shape and colour, as in `charts.marker`."""

    value: float
    low: float
    high: float
    kind: int

    @property
    def numbers(self) -> tuple[float, float, float]:
        return self.low, self.value, self.high

    def words(self, digits: int) -> str:
        low, value, high = (f"{100 * end:.{digits}f}" for end in self.numbers)
        return f"{value} ({low}–{high})"


def whiskers(
    label: str, rows: Sequence[tuple[Any, Sequence[WhiskerPoint]]], *, axis: str, beside: float | None = None
) -> Html:
    """Draw rows of estimates, each name above its points, the figures of a point next to it. `beside` is the line."""
    left, right, top = 22, 140, 4  # on the right, room for “100.0 (100.0–100.0)” in a wide font
    every = [end for _, points in rows for point in points for end in point.numbers]
    digits = 0 if all(abs(100 * end - round(100 * end)) < 1e-9 for end in every) else 1
    marks = ticks(*_span([*every, *([] if beside is None else [beside])]))
    scale = (WIDTH - left - right) / (marks[-1] - marks[0])

    def across(value: float) -> float:
        return left + (value - marks[0]) * scale

    parts: list[Html] = []
    y = float(top)
    for name, points in rows:
        y += 14
        parts.append(text(4, y, cut(str(name), 48), class_="name"))
        y += 4
        for point in points:
            y += 8
            parts += [
                line(across(point.low), y, across(point.high), y, "whisker"),
                marker(point.kind, across(point.value), y, 4.2),
                text(WIDTH - right + 12, y + 4, point.words(digits), class_="value"),
            ]
            y += 8
        y += 4
    grid = [line(across(mark), top, across(mark), y, "grid") for mark in marks]
    drawn = marks if len(marks) <= 6 else marks[::2]
    below = [text(across(m), y + 14, short_percent(m), class_="tick", text_anchor="middle") for m in drawn]
    compared = [] if beside is None else [line(across(beside), top, across(beside), y, "beside")]
    return svg(
        y + 34, label, grid, compared, parts, line(left, y, WIDTH - right, y, "axis"), below,
        text(4, y + 29, axis, class_="axis-name"),
    )  # fmt: skip


def agreement(label: str, points: Sequence[tuple[float, float]], *, across: str, up: str) -> Html:
    """Numbers from 0 to 1, before across and after upwards; on the dashed diagonal nothing has changed."""
    left, top, right, bottom = 46, 26, 266, 246
    wide, tall = right - left, bottom - top
    parts = [text(4, 12, up, class_="axis-name")]
    for mark in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = left + mark * wide, bottom - mark * tall
        parts += [
            line(left, y, right, y, "grid"),
            line(x, top, x, bottom, "grid"),
            text(left - 6, y + 4, f"{mark:g}", class_="tick", text_anchor="end"),
            text(x, bottom + 15, f"{mark:g}", class_="tick", text_anchor="middle"),
        ]
    parts += [line(left, bottom, right, top, "beside"), line(left, bottom, right, bottom, "axis")]
    parts += [line(left, top, left, bottom, "axis")]
    parts += [marker(0, left + before * wide, bottom - after * tall) for before, after in points]
    return svg(bottom + 36, label, parts, text(left, bottom + 31, across, class_="axis-name"))


def rule() -> Html:
    """The symbol of the line in a legend."""
    return tag("svg", line(6, 0, 6, 12, "beside"), viewBox="0 0 12 12", class_="swatch", aria_hidden="true")


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    return max(low - 0.005, 0.0), min(high + 0.005, 1.0)
