"""Tables that fit the width: unchanged if there is room, else with wrapped text, else row by row.

>>> print(*laid_out(["column", "rows"], [["age", "12"], ["postcode", "3"]], [False, True], 60), sep="\\n")
  column     rows
 ─────────────────
  age          12
  postcode      3
>>> print(*laid_out(["column", "rows", "distinct"], [["age", "12", "7"]], [False, True, True], 20), sep="\\n")
 age
   rows: 12
   distinct: 7
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import compress, zip_longest

from rich.cells import cell_len

GAP, NARROW = "   ", "  "
MIN_WIDTH = 14
"""Minimum width of wrapped text; narrower columns are hard to read."""


def laid_out(names: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], width: int) -> list[str]:
    """The lines of a table of at most `width` cells; numbers are right-aligned and never wrapped."""
    filled = [not rows or any(row[position] for row in rows) for position in range(len(names))]
    names, numeric = [*compress(names, filled)], [*compress(numeric, filled)]
    rows = [[*compress(row, filled)] for row in rows]
    cells = [max((cell_len(row[position]) for row in rows), default=0) for position in range(len(names))]
    words = [max(_longest_word(name), cell) for name, cell in zip(names, cells, strict=True)]
    wanted = [max(cell_len(name), cell) for name, cell in zip(names, cells, strict=True)]
    min_widths = [full if right else min(full, MIN_WIDTH) for full, right in zip(words, numeric, strict=True)]
    gap = next((gap for gap in (GAP, NARROW) if sum(min_widths) <= _room(width, gap, len(names))), None)
    if gap is None:
        return _row_by_row(names, rows, width)
    widths = _shrunk(wanted, min_widths, _room(width, gap, len(names)))
    lines = [*_line(names, widths, numeric, gap), " " + "─" * (sum(widths) + len(gap) * (len(widths) - 1) + 2)]
    for row in rows:
        lines += _line(row, widths, numeric, gap)
    return lines


def _room(width: int, gap: str, columns: int) -> int:
    return width - 3 - len(gap) * (columns - 1)


def _shrunk(wanted: Sequence[int], min_widths: Sequence[int], room: int) -> list[int]:
    """Widths that fit: the widest columns shrink first."""
    widths = list(wanted)
    while (excess := sum(widths) - room) > 0:
        widest = max(
            (position for position in range(len(widths)) if widths[position] > min_widths[position]),
            key=widths.__getitem__,
        )
        others = [width for position, width in enumerate(widths) if width < widths[widest]]
        step = max(min(excess, widths[widest] - max([min_widths[widest], *others])), 1)
        widths[widest] = max(widths[widest] - step, min_widths[widest])
    return widths


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool], gap: str) -> list[str]:
    """One row, in as many lines as its longest cell needs."""
    wrapped = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for line in zip_longest(*wrapped, fillvalue=""):
        parts = [_padded(text, width, right) for text, width, right in zip(line, widths, numeric, strict=True)]
        lines.append(("  " + gap.join(parts)).rstrip())
    return lines


def _row_by_row(names: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each row as a list of its cells under the first one."""
    lines: list[str] = []
    for row in rows:
        lines += [f" {part}" for part in _wrapped(row[0], width - 1)]
        for name, cell in zip(names[1:], row[1:], strict=True):
            if cell not in ("", "–"):
                parts = _wrapped(f"{name}: {cell}", width - 5)
                lines += [f"   {parts[0]}", *(f"     {part}" for part in parts[1:])]
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    if cell_len(text) <= width:
        return [text]
    lines = textwrap.wrap(text, width, break_on_hyphens=True) or [""]
    if all(cell_len(line) <= width for line in lines):
        return lines
    return textwrap.wrap(text, max(width // 2, 1))  # characters two columns wide


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * max(width - cell_len(text), 0)
    return space + text if right else text + space


def _longest_word(name: str) -> int:
    return max(map(cell_len, textwrap.wrap(name, 1, break_long_words=False, break_on_hyphens=True)), default=0)
