"""Charts as small SVG drawings: text stays text, nothing is loaded, and colours follow the page's light or dark theme.

All are drawn 380 units wide, which is about the width of a phone, and grow with the page. Colours are Okabe and Ito's,
through the classes c1…c6 of the style sheet; a shape or a word always repeats what a colour says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log10
from typing import Any

from fairveil.markup import Html, plain, tag
from fairveil.reporting.numbers import log_ticks, short, short_percent, ticks

WIDTH = 380


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


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Html:
    return tag("line", x1=_n(x1), y1=_n(y1), x2=_n(x2), y2=_n(y2), class_=kind)


def bars(label: str, rows: Sequence[tuple[Any, Sequence[ChartBar]]], *, axis: str, most: float | None = None) -> Html:
    """Horizontal bars of shares, one or more per row. The name of a row is above them, so long names have room."""
    left, right, top = 6, 64, 4
    marks = ticks(0, most if most is not None else max((b.value for _, group in rows for b in group), default=1) or 1)
    scale = (WIDTH - left - right) / marks[-1]
    parts: list[Html] = []
    y = float(top)
    for name, group in rows:
        y += 14
        parts.append(text(left, y, cut(str(name), 48), class_="name"))
        y += 5
        for bar in group:
            wide = max(bar.value * scale, 1.0 if bar.value > 0 else 0.0)
            parts.append(tag("rect", x=left, y=_n(y), width=_n(wide), height=11, class_=bar.color))
            parts.append(text(left + wide + 5, y + 9.5, bar.text, class_="value"))
            y += 14
        y += 5
    grid = [line(left + mark * scale, top, left + mark * scale, y, "grid") for mark in marks]
    below = [
        text(left + m * scale, y + 14, short_percent(m), class_="tick", text_anchor=_anchor(m, marks)) for m in marks
    ]
    return svg(
        y + 34,
        label,
        grid,
        parts,
        line(left, top, left, y, "axis"),
        below,
        text(left, y + 29, axis, class_="axis-name"),
    )


def histogram(label: str, edges: Sequence[float], heights: Sequence[float], *, across: str, up: str) -> Html:
    """Vertical bars between edges that are drawn at equal distances."""
    left, bottom, high = 46, 190, 166
    marks = ticks(0, max(heights, default=1))
    step = (WIDTH - left - 16) / max(len(heights), 1)
    parts = [text(4, 12, up, class_="axis-name")]
    for mark in marks:
        y = bottom - mark / marks[-1] * high
        parts += [
            line(left, y, WIDTH - 16, y, "grid"),
            text(left - 6, y + 4, short(mark), class_="tick", text_anchor="end"),
        ]
    for place, value in enumerate(heights):
        tall = max(value / marks[-1] * high, 1.0 if value else 0.0)
        x = left + place * step
        parts.append(tag("rect", x=_n(x + 1), y=_n(bottom - tall), width=_n(step - 2), height=_n(tall), class_="c1"))
    every = 1 + (len(edges) - 1) // 10
    for place, edge in list(enumerate(edges))[::every]:
        x = left + place * step
        parts += [
            line(x, bottom, x, bottom + 4, "axis"),
            text(x, bottom + 17, short(edge), class_="tick", text_anchor="middle"),
        ]
    parts.append(line(left, bottom, WIDTH - 16, bottom, "axis"))
    return svg(bottom + 38, label, parts, text(left, bottom + 33, across, class_="axis-name"))


@dataclass(frozen=True)
class ChartAxis:
    """One side of a scatter plot; shares that span more than a decade and a half go on a logarithmic scale."""

    name: str
    values: Sequence[float]
    share: bool = True

    def words(self, mark: float) -> str:
        return short_percent(mark) if self.share else short(mark)

    @cached_property
    def logarithmic(self) -> bool:
        return min(self.values) > 0 and max(self.values) / min(self.values) > 30

    @cached_property
    def marks(self) -> list[float]:
        low, high = min(self.values), max(self.values)
        if self.share and high - low < 1e-9:  # all the same: a little room on both sides, but no share above 100 %
            low, high = max(low - 0.05, 0.0), min(high + 0.05, 1.0)
        return (log_ticks if self.logarithmic else ticks)(low, high)

    def place(self, value: float) -> float:
        """The position of a value between the ends of the axis (0 and 1), with a margin at both."""
        low, high = self.marks[0], self.marks[-1]
        if self.logarithmic:
            low, high, value = log10(low), log10(high), log10(value)
        return 0.04 + 0.92 * (value - low) / (high - low)

    @property
    def title(self) -> str:
        return self.name + (" (logarithmic scale)" if self.logarithmic else "")


def scatter(label: str, across: ChartAxis, up: ChartAxis, kinds: Sequence[int], chosen: int) -> Html:
    """Points of several kinds, each with its own shape and colour; the chosen one in a ring, with its name."""
    left, top, right, bottom = 58, 26, WIDTH - 14, 232

    def spot(i: int) -> tuple[float, float]:
        return left + across.place(across.values[i]) * (right - left), bottom - up.place(up.values[i]) * (bottom - top)

    parts = [text(4, 12, up.title, class_="axis-name")]
    for mark in up.marks:
        y = bottom - up.place(mark) * (bottom - top)
        parts += [
            line(left, y, right, y, "grid"),
            text(left - 6, y + 4, up.words(mark), class_="tick", text_anchor="end"),
        ]
    for mark in across.marks:
        x = left + across.place(mark) * (right - left)
        parts += [
            line(x, top, x, bottom, "grid"),
            text(x, bottom + 15, across.words(mark), class_="tick", text_anchor="middle"),
        ]
    parts += [line(left, bottom, right, bottom, "axis"), line(left, top, left, bottom, "axis")]
    parts += [marker(kind, *spot(i)) for i, kind in enumerate(kinds) if i != chosen]
    x, y = spot(chosen)
    side = ("end", -11) if x > (left + right) / 2 else ("start", 11)
    parts += [
        marker(kinds[chosen], x, y),
        tag("circle", cx=_n(x), cy=_n(y), r=8, class_="ring"),
        text(x + side[1], y - 9 if y > top + 20 else y + 18, "this release", class_="chosen", text_anchor=side[0]),
    ]
    return svg(bottom + 36, label, parts, text(left, bottom + 31, across.title, class_="axis-name"))


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
    box = tag("rect", x=0, y=1, width=12, height=10, class_=color)
    return tag("svg", box, viewBox="0 0 12 12", class_="swatch", aria_hidden="true")


def sign(kind: int) -> Html:
    return tag("svg", marker(kind, 6, 6), viewBox="0 0 12 12", class_="swatch", aria_hidden="true")


def cut(words: str, longest: int) -> str:
    return words if len(words) <= longest else words[: longest - 1] + "…"


def _anchor(mark: float, marks: Sequence[float]) -> str:
    return "start" if mark == marks[0] else "middle"


def _n(value: float) -> str:
    """A coordinate rounded to a tenth: the same on every machine, and short."""
    return f"{value:.1f}".removesuffix(".0")
