"""Scatter plots as small SVG files that take the colours of the page around them, light or dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 270, 48, 42, 44, 40
HUES = {
    "one level for all": ("#2f6fb0", "#7db7ee"),
    "neighbours together": ("#2a8a4f", "#6fd195"),
    "averages": ("#b4541a", "#f0a06a"),
    "free grouping": ("#8a4fb0", "#c79bea"),
    "split columns": ("#8a7a10", "#d8c65a"),
}
"""Light and dark colour of each kind of method."""


@dataclass(frozen=True)
class Mark:
    """One point: where it is, what it belongs to (joined by a line), its kind, and a label if it has one."""

    x: float
    y: float
    series: str
    kind: str
    label: str = ""


@dataclass(frozen=True)
class Panel:
    """One plot; an axis is logarithmic or not, with the ticks to draw."""

    title: str
    x_name: str
    y_name: str
    x_ticks: Sequence[float]
    y_ticks: Sequence[float]
    marks: Sequence[Mark]
    log_x: bool = False

    def across(self, x: float) -> float:
        low, high = self.x_ticks[0], self.x_ticks[-1]
        share = math.log(x / low) / math.log(high / low) if self.log_x else (x - low) / (high - low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def up(self, y: float) -> float:
        low, high = self.y_ticks[0], self.y_ticks[-1]
        return HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - BOTTOM - TOP)


def drawn(panels: Sequence[Panel], title: str) -> str:
    """All panels one below the other, with a legend at the end."""
    kinds = [kind for kind in HUES if any(mark.kind == kind for panel in panels for mark in panel.marks)]
    width, height = WIDTH, HEIGHT * len(panels) + 26
    body = "".join(f'<g transform="translate(0 {HEIGHT * n})">{_panel(panel)}</g>' for n, panel in enumerate(panels))
    legend, x = "", LEFT
    for kind in kinds:
        legend += f'<circle class="{_class(kind)}" cx="{x}" cy="{height - 15}" r="4"/>'
        legend += f'<text class="soft" x="{x + 9}" y="{height - 11}">{escape(kind)}</text>'
        x += 26 + 6.4 * len(kind)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="fv plot" {size}>\n<title>{escape(title)}</title>'
    return f"{head}\n{_style(kinds)}\n{body}\n{legend}\n</svg>\n"


def _style(kinds: Sequence[str]) -> str:
    """Colours by variables: light, dark by the system (`@media`), dark by the page's own switch (`data-theme`)."""
    light = "".join(f"--{_class(kind)}:{HUES[kind][0]};" for kind in kinds)
    dark = "".join(f"--{_class(kind)}:{HUES[kind][1]};" for kind in kinds)
    fills = "".join(f".plot .{_class(k)}{{fill:var(--{_class(k)});stroke:var(--{_class(k)})}}" for k in kinds)
    return (
        f"<style>.plot{{--ink:#1f2328;--soft:#59636e;--line:#d8dee4;--paper:#fff;{light}"
        "font:12px system-ui,sans-serif}"
        ".plot text{fill:var(--ink)}.plot .soft{fill:var(--soft)}.plot .grid{stroke:var(--line)}"
        ".plot .head{font-weight:600;font-size:13px}"
        ".plot .label{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}"
        f"{fills}.plot path{{fill:none!important;stroke-width:1.4;opacity:.6}}"
        f"@media(prefers-color-scheme:dark){{.plot{{--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--paper:#0d1117;{dark}}}"
        f"body[data-theme=light] .plot{{{light}}}}}body[data-theme=dark] .plot{{{dark}}}</style>"
    )


def _class(kind: str) -> str:
    return "k-" + kind.replace(" ", "-")


def _text(x: float, y: float, text: str, anchor: str = "middle", kind: str = "soft") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _panel(panel: Panel) -> str:
    right, low = WIDTH - RIGHT, HEIGHT - BOTTOM
    grid = [f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{panel.up(y):.1f}" y2="{panel.up(y):.1f}"/>'
            for y in panel.y_ticks]  # fmt: skip
    beside = [_text(LEFT - 6, panel.up(y) + 4, _percent(y), "end") for y in panel.y_ticks]
    below = [_text(panel.across(x), low + 14, _percent(x)) for x in panel.x_ticks]
    names = [
        _text(LEFT, 16, panel.title, "start", "head"),
        _text(LEFT, 32, panel.y_name, "start"),
        _text((LEFT + right) / 2, HEIGHT - 8, panel.x_name),
    ]
    return "".join([*grid, *beside, *below, *names, *_lines(panel), *map(_point(panel), panel.marks), *_labels(panel)])


def _percent(share: float) -> str:
    return f"{100 * share:g}%"


def _lines(panel: Panel) -> list[str]:
    series: dict[str, list[Mark]] = {}
    for mark in panel.marks:
        series.setdefault(mark.series, []).append(mark)
    ways = {name: "L".join(f"{panel.across(m.x):.1f} {panel.up(m.y):.1f}" for m in marks)
            for name, marks in series.items() if len(marks) > 1}  # fmt: skip
    return [f'<path class="{_class(series[name][0].kind)}" d="M{way}"/>' for name, way in ways.items()]


def _point(panel: Panel) -> Callable[[Mark], str]:
    def draw(mark: Mark) -> str:
        x, y = panel.across(mark.x), panel.up(mark.y)
        says = escape(f"{mark.series}: {_percent(round(mark.x, 3))}, {_percent(round(mark.y, 3))}")
        circle = f'<circle class="{_class(mark.kind)}" cx="{x:.1f}" cy="{y:.1f}" r="3">'
        return f"{circle}<title>{says}</title></circle>"

    return draw


def _labels(panel: Panel) -> list[str]:
    """Each label beside its point, moved up or down until it covers no other; equal points share one."""
    placed: list[tuple[float, float, float]] = []
    parts = []
    by_place: dict[tuple[float, float], list[str]] = {}
    for mark in panel.marks:
        if mark.label:
            by_place.setdefault((round(panel.across(mark.x)), round(panel.up(mark.y))), []).append(mark.label)
    for (x, y), labels in by_place.items():
        text = labels[0] if len(labels) == 1 else f"{labels[0]} (and {len(labels) - 1} more)"
        width = 6.2 * len(text)
        left = x - 6 - width if x + 6 + width > WIDTH - 2 else x + 6
        top = next((y + 4 + shift for shift in (0, 11, -11, 22, -22, 33, -33, 44, -44)
                    if all(abs(y + 4 + shift - other) >= 10 or left + width < start or left > end
                           for start, end, other in placed)), y + 4)  # fmt: skip
        placed.append((left, left + width, top))
        parts.append(_text(left, top, text, "start", "label"))
    return parts
