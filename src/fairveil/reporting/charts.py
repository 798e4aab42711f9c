"""Charts as small SVG drawings: text stays text, nothing is loaded, and colours follow the page's light or dark theme.

All are drawn 380 units wide, which is about the width of a phone, and grow with the page. Colours are Okabe and Ito's,
through the classes c1…c6 of the style sheet; a shape or a word always repeats what a colour says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log10
from typing import Any, TypeVar

from fairveil.markup import Html, plain, tag
from fairveil.reporting.numbers import log_ticks, short, short_percent, ticks

WIDTH = 380
T = TypeVar("T")


@dataclass(frozen=True)
class ChartBar:
    """One bar: its length, the text after it, and its colour class."""

    value: float
    text: str
    color: str = "c1"
    name: str = ""


def figure(drawing: Html, caption: Sequence[Any]) -> Html:
    return tag("figure", drawing, tag("figcaption", *caption))


def svg(height: float, label: str, *parts: Any) -> Html:
    """A drawing with a label for people who cannot see it."""
    box = f"0 0 {WIDTH} {height:.0f}"
    return tag("svg", tag("title", label), parts, viewBox=box, role="img", aria_label=label)


def text(x: float, y: float, words: Any, **attributes: Any) -> Html:
    return tag("text", str(plain([words])), x=_n(x), y=_n(y), **attributes)


def tick(x: float, y: float, words: str, anchor: str = "middle") -> Html:
    return text(x, y, words, class_="tick", text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Html:
    return tag("line", x1=_n(x1), y1=_n(y1), x2=_n(x2), y2=_n(y2), class_=kind)


def _rows(
    rows: Sequence[tuple[Any, Sequence[T]]], drawn: Callable[[T, float], list[Html]], *, left: float, top: float,
    gap: float, height: float,
) -> tuple[list[Html], float]:  # fmt: skip
    """Rows of bars or points below the name of each row, so that long names have room; and where the last row ends."""
    parts: list[Html] = []
    y = float(top)
    for name, items in rows:
        parts.append(text(left, y + 14, cut(str(name), 48), class_="name"))
        y += 14 + gap
        for item in items:
            parts += drawn(item, y)
            y += height
        y += gap
    return parts, y


def bars(
    label: str, rows: Sequence[tuple[Any, Sequence[ChartBar]]], *, axis: str, maximum: float | None = None
) -> Html:
    """Horizontal bars of shares, one or more per row."""
    left, right, top = 6, 64, 4
    marks = ticks(
        0, maximum if maximum is not None else max((b.value for _, group in rows for b in group), default=1) or 1
    )
    scale = (WIDTH - left - right) / marks[-1]

    def drawn(bar: ChartBar, y: float) -> list[Html]:
        wide = max(bar.value * scale, 1.0 if bar.value > 0 else 0.0)
        return [
            tag("rect", x=left, y=_n(y), width=_n(wide), height=11, class_=bar.color),
            text(left + wide + 5, y + 9.5, bar.text, class_="value"),
        ]

    parts, y = _rows(rows, drawn, left=left, top=top, gap=5, height=14)
    spots = [(left + mark * scale, mark) for mark in marks]
    grid = [line(x, top, x, y, "grid") for x, _ in spots]
    below = [
        tick(x, y + 14, short_percent(mark), "middle" if position else "start")
        for position, (x, mark) in enumerate(spots)
    ]
    return svg(
        y + 34, label, grid, parts, line(left, top, left, y, "axis"), below,
        text(left, y + 29, axis, class_="axis-name"),
    )  # fmt: skip


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
    ends = [*every, *([] if beside is None else [beside])] or [0.0, 1.0]
    marks = ticks(max(min(ends) - 0.005, 0.0), min(max(ends) + 0.005, 1.0))
    scale = (WIDTH - left - right) / (marks[-1] - marks[0])

    def across(value: float) -> float:
        return left + (value - marks[0]) * scale

    def drawn(point: WhiskerPoint, y: float) -> list[Html]:
        return [
            line(across(point.low), y + 8, across(point.high), y + 8, "whisker"),
            marker(point.kind, across(point.value), y + 8, 4.2),
            text(WIDTH - right + 12, y + 12, point.words(digits), class_="value"),
        ]

    parts, y = _rows(rows, drawn, left=4, top=top, gap=4, height=16)
    grid = [line(across(mark), top, across(mark), y, "grid") for mark in marks]
    below = [tick(across(mark), y + 14, short_percent(mark)) for mark in marks[:: 1 if len(marks) <= 6 else 2]]
    compared = [] if beside is None else [line(across(beside), top, across(beside), y, "beside")]
    return svg(
        y + 34, label, grid, compared, parts, line(left, y, WIDTH - right, y, "axis"), below,
        text(4, y + 29, axis, class_="axis-name"),
    )  # fmt: skip


def histogram(label: str, edges: Sequence[float], heights: Sequence[float], *, across: str, up: str) -> Html:
    """Vertical bars between edges that are drawn at equal distances."""
    left, bottom, high = 46, 190, 166
    marks = ticks(0, max(heights, default=1))
    step = (WIDTH - left - 16) / max(len(heights), 1)
    parts = [text(4, 12, up, class_="axis-name")]
    for mark in marks:
        y = bottom - mark / marks[-1] * high
        parts += [line(left, y, WIDTH - 16, y, "grid"), tick(left - 6, y + 4, short(mark), "end")]
    for position, value in enumerate(heights):
        tall = max(value / marks[-1] * high, 1.0 if value else 0.0)
        x = left + position * step
        parts.append(tag("rect", x=_n(x + 1), y=_n(bottom - tall), width=_n(step - 2), height=_n(tall), class_="c1"))
    every = 1 + (len(edges) - 1) // 10
    for position, edge in list(enumerate(edges))[::every]:
        x = left + position * step
        parts += [line(x, bottom, x, bottom + 4, "axis"), tick(x, bottom + 17, short(edge))]
    parts.append(line(left, bottom, WIDTH - 16, bottom, "axis"))
    return svg(bottom + 38, label, parts, text(left, bottom + 33, across, class_="axis-name"))


@dataclass(frozen=True)
class ChartAxis:
    """One side of a scatter plot; shares that span more than a decade and a half go on a logarithmic scale."""

    name: str
    values: Sequence[float]
    share: bool = True

    @cached_property
    def logarithmic(self) -> bool:
        return min(self.values) > 0 and max(self.values) / min(self.values) > 30

    @cached_property
    def marks(self) -> list[float]:
        low, high = min(self.values), max(self.values)
        if self.share and high - low < 1e-9:  # all the same: a little room on both sides, but no share above 100 %
            low, high = max(low - 0.05, 0.0), min(high + 0.05, 1.0)
        return (log_ticks if self.logarithmic else ticks)(low, high)

    def position(self, value: float) -> float:
        """The position of a value between the ends of the axis (0 and 1), with a margin at both."""
        low, high = self.marks[0], self.marks[-1]
        if self.logarithmic:
            low, high, value = log10(low), log10(high), log10(value)
        return 0.04 + 0.92 * (value - low) / (high - low)

    @property
    def positions(self) -> list[tuple[float, str]]:
        """The position of each mark, with its words."""
        return [(self.position(mark), short_percent(mark) if self.share else short(mark)) for mark in self.marks]

    @property
    def title(self) -> str:
        return self.name + (" (logarithmic scale)" if self.logarithmic else "")


@dataclass(frozen=True)
class Plane:
    """The area between two axes. Spots and marks are given as shares of its width and height, marks with words."""

    left: float
    top: float
    right: float
    bottom: float

    def spot(self, across: float, up: float) -> tuple[float, float]:
        return self.left + across * (self.right - self.left), self.bottom - up * (self.bottom - self.top)

    def grid(self, across: Iterable[tuple[float, str]], up: Iterable[tuple[float, str]]) -> list[Html]:
        parts = []
        for share, words in up:
            _, y = self.spot(0, share)
            parts += [line(self.left, y, self.right, y, "grid"), tick(self.left - 6, y + 4, words, "end")]
        for share, words in across:
            x, _ = self.spot(share, 0)
            parts += [line(x, self.top, x, self.bottom, "grid"), tick(x, self.bottom + 15, words)]
        return parts

    def drawn(self, label: str, across: str, up: str, *parts: Any) -> Html:
        """The whole drawing, with the names of both axes."""
        names = text(4, 12, up, class_="axis-name"), text(self.left, self.bottom + 31, across, class_="axis-name")
        return svg(self.bottom + 36, label, names[0], parts, names[1])

    @property
    def axes(self) -> list[Html]:
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        return [line(left, bottom, right, bottom, "axis"), line(left, top, left, bottom, "axis")]


def scatter(label: str, across: ChartAxis, up: ChartAxis, kinds: Sequence[int], chosen: int) -> Html:
    """Points of several kinds, each with its own shape and colour; the chosen one in a ring, with its name."""
    plane = Plane(58, 26, WIDTH - 14, 232)
    spots = [plane.spot(across.position(x), up.position(y)) for x, y in zip(across.values, up.values, strict=True)]
    others = [marker(kind, *spots[i]) for i, kind in enumerate(kinds) if i != chosen]
    x, y = spots[chosen]
    anchor, aside = ("end", -11) if x > (plane.left + plane.right) / 2 else ("start", 11)
    this = [
        marker(kinds[chosen], x, y),
        tag("circle", cx=_n(x), cy=_n(y), r=8, class_="ring"),
        text(x + aside, y - 9 if y > plane.top + 20 else y + 18, "this release", class_="chosen", text_anchor=anchor),
    ]
    return plane.drawn(
        label, across.title, up.title, plane.grid(across.positions, up.positions), plane.axes, others, this
    )


def agreement(label: str, points: Sequence[tuple[float, float]], *, across: str, up: str) -> Html:
    """Numbers from 0 to 1, before across and after upwards; on the dashed diagonal nothing has changed."""
    plane = Plane(46, 26, 266, 246)
    marks = [(mark, f"{mark:g}") for mark in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    diagonal = line(*plane.spot(0, 0), *plane.spot(1, 1), "beside")
    drawn = [marker(0, *plane.spot(before, after)) for before, after in points]
    return plane.drawn(label, across, up, plane.grid(marks, marks), diagonal, plane.axes, drawn)


def marker(kind: int, x: float, y: float, size: float = 3.6) -> Html:
    """Circle, square, triangle, diamond, cross, bar: a shape for each method."""
    color = f"c{kind % 6 + 1}"
    s = size
    corners = {
        1: [(-s, -s), (s, -s), (s, s), (-s, s)],
        2: [(0, -s * 1.2), (s * 1.1, s), (-s * 1.1, s)],
        3: [(0, -s * 1.3), (s * 1.3, 0), (0, s * 1.3), (-s * 1.3, 0)],
        4: [(-s, -1), (-1, -1), (-1, -s), (1, -s), (1, -1), (s, -1), (s, 1), (1, 1), (1, s), (-1, s), (-1, 1), (-s, 1)],
        5: [(-s * 1.2, -1.4), (s * 1.2, -1.4), (s * 1.2, 1.4), (-s * 1.2, 1.4)],
    }.get(kind % 6)
    if corners is None:
        return tag("circle", cx=_n(x), cy=_n(y), r=_n(s), class_=f"{color} dot")
    return tag("polygon", points=" ".join(f"{_n(x + dx)},{_n(y + dy)}" for dx, dy in corners), class_=f"{color} dot")


def legend(entries: Sequence[tuple[Html, Any]]) -> Html:
    """A legend of shapes and colours; each symbol is a small drawing of its own."""
    return tag("p", [tag("span", sign, " ", words, class_="key") for sign, words in entries], class_="legend")


def swatch(color: str) -> Html:
    return _symbol(tag("rect", x=0, y=1, width=12, height=10, class_=color))


def sign(kind: int) -> Html:
    return _symbol(marker(kind, 6, 6))


def rule() -> Html:
    """The symbol of the dashed line in a legend."""
    return _symbol(line(6, 0, 6, 12, "beside"))


def _symbol(drawing: Html) -> Html:
    return tag("svg", drawing, viewBox="0 0 12 12", class_="swatch", aria_hidden="true")


def cut(words: str, longest: int) -> str:
    return words if len(words) <= longest else words[: longest - 1] + "…"


def _n(value: float) -> str:
    """A coordinate rounded to a tenth: the same on every machine, and short."""
    return f"{value:.1f}".removesuffix(".0")
