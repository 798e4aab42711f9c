"""Scatter plots as small SVG files that take the colours of the page around them, light or dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 300, 260, 44, 40, 34, 12
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
    """All panels side by side, with a legend below."""
    kinds = [kind for kind in HUES if any(mark.kind == kind for panel in panels for mark in panel.marks)]
    width, height = WIDTH * len(panels), HEIGHT + 26
    body = "".join(f'<g transform="translate({WIDTH * n} 0)">{_panel(panel)}</g>' for n, panel in enumerate(panels))
    legend, x = "", LEFT
    for kind in kinds:
        legend += f'<circle class="{_class(kind)}" cx="{x}" cy="{HEIGHT + 11}" r="4"/>'
        legend += f'<text class="soft" x="{x + 9}" y="{HEIGHT + 15}">{escape(kind)}</text>'
        x += 26 + 6.4 * len(kind)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="fv plot" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}">\n<title>{escape(title)}</title>\n{_style(kinds)}\n{body}\n{legend}\n</svg>\n')  # fmt: skip


def _style(kinds: Sequence[str]) -> str:
    light = "".join(f".plot .{_class(kind)}{{fill:{HUES[kind][0]};stroke:{HUES[kind][0]}}}" for kind in kinds)
    dark = "".join(f".plot .{_class(kind)}{{fill:{HUES[kind][1]};stroke:{HUES[kind][1]}}}" for kind in kinds)
    by_page = "".join(f"body[data-theme=dark] .plot .{_class(kind)}{{fill:{HUES[kind][1]};stroke:{HUES[kind][1]}}}"
                      for kind in kinds)  # fmt: skip
    return (
        "<style>.plot{--ink:#1f2328;--soft:#59636e;--line:#d8dee4;font:11px system-ui,sans-serif}"
        ".plot text{fill:var(--ink)}.plot .soft{fill:var(--soft)}.plot .grid{stroke:var(--line)}"
        ".plot .head{font-weight:600;font-size:12px}.plot path{fill:none!important;stroke-width:1.4;opacity:.6}"
        f"{light}@media(prefers-color-scheme:dark){{.plot{{--ink:#e6edf3;--soft:#9198a1;--line:#3d444d}}"
        f"body:not([data-theme=light]) .plot,.plot:root{{}}{_not_light(dark)}}}{by_page}</style>"
    )


def _not_light(rules: str) -> str:
    """The same rules wherever the page has not chosen light by itself."""
    return rules.replace(".plot .", ":root:not(:has(body[data-theme=light])) .", ) if rules else ""


def _class(kind: str) -> str:
    return "k-" + kind.replace(" ", "-")


def _panel(panel: Panel) -> str:
    parts = [f'<text class="head" x="{LEFT}" y="16">{escape(panel.title)}</text>']
    for y in panel.y_ticks:
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{panel.up(y):.1f}" y2="{panel.up(y):.1f}"/>')
        parts.append(f'<text class="soft" x="{LEFT - 6}" y="{panel.up(y) + 4:.1f}" text-anchor="end">{_percent(y)}</text>')
    for x in panel.x_ticks:
        parts.append(f'<text class="soft" x="{panel.across(x):.1f}" y="{HEIGHT - BOTTOM + 14}" '
                     f'text-anchor="middle">{_percent(x)}</text>')  # fmt: skip
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text class="soft" x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(panel.x_name)}</text>')
    parts.append(f'<text class="soft" x="{LEFT}" y="29">{escape(panel.y_name)}</text>')
    return "".join([*parts, *_lines(panel), *_points(panel)])


def _percent(share: float) -> str:
    return f"{100 * share:g}%"


def _lines(panel: Panel) -> list[str]:
    series: dict[str, list[Mark]] = {}
    for mark in panel.marks:
        series.setdefault(mark.series, []).append(mark)
    return [f'<path class="{_class(marks[0].kind)}" d="M' + "L".join(
        f"{panel.across(m.x):.1f} {panel.up(m.y):.1f}" for m in marks) + '"/>'
        for marks in series.values() if len(marks) > 1]  # fmt: skip


def _points(panel: Panel) -> list[str]:
    parts = []
    placed: list[tuple[float, float, float]] = []
    for mark in panel.marks:
        x, y = panel.across(mark.x), panel.up(mark.y)
        says = escape(f"{mark.series}: {_percent(round(mark.x, 3))}, {_percent(round(mark.y, 3))}")
        parts.append(f'<circle class="{_class(mark.kind)}" cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{says}</title></circle>')
    for mark in panel.marks:
        if mark.label:
            parts.append(_label(mark, panel.across(mark.x), panel.up(mark.y), placed))
    return parts


def _label(mark: Mark, x: float, y: float, placed: list[tuple[float, float, float]]) -> str:
    """A label beside its point, moved down until it covers no other."""
    width = 5.6 * len(mark.label)
    anchor = "end" if x + width + 6 > WIDTH - 2 else "start"
    start = x - 6 - width if anchor == "end" else x + 6
    top = y + 4
    for shift in (0, 10, -10, 20, -20, 30, -30, 40):
        if all(abs(top + shift - other) >= 10 or start + width < left or start > right for left, right, other in placed):
            top += shift
            break
    placed.append((start, start + width, top))
    return f'<text x="{x - 6 if anchor == "end" else x + 6:.1f}" y="{top:.1f}" text-anchor="{anchor}">{escape(mark.label)}</text>'
