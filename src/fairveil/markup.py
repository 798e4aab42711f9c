"""Markup: HTML that is always escaped. A string is text until the code says that it is Html.

>>> tag("p", "1 < 2 & ", DataText("<script>"), class_="note")
'<p class="note">1 &lt; 2 &amp; <bdi>&lt;script&gt;</bdi></p>'
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

WIDE = 3
"""The maximum number of columns that fit side by side on a phone."""
_EMPTY = {"meta", "line", "rect", "circle", "polygon"}

# Invisible characters, and those that change the writing direction, are replaced by their names.
_VISIBLE = {
    **{code: chr(0x2400 + code) for code in range(32)},
    0x7F: "␡",
    0x0A: "↵",
    0x0D: "",
    **{code: f"[U+{code:04X}]" for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))},
}


class Html(str):
    """Markup that needs no escaping."""

    __slots__ = ()


class DataText(str):
    """Text that comes from the data: a value, a label, the name of a column. It is isolated from the text around it, so
    that its writing direction does not spread."""

    __slots__ = ()


def shown(value: Any, longest: int = 60) -> DataText:
    """Return a value as text for readers: missing values by name, long values truncated."""
    if value is None:
        return DataText("(missing)")
    text = str(value)
    if not text.strip():
        return DataText(f"“{text}”")
    return DataText(text if len(text) <= longest else text[: longest - 1] + "…")


def escape(text: Any) -> Html:
    """Return text that is safe between tags and inside quoted attributes."""
    return text if isinstance(text, Html) else Html(html.escape(str(text).translate(_VISIBLE), quote=True))


def tag(element: str, /, *children: Any, **attributes: Any) -> Html:
    """Return an element. `class_` becomes class, `aria_label` aria-label; None and False attributes are omitted."""
    inside = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(key if value is True else value)}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if element in _EMPTY:
        return Html(f"<{element}{inside}/>")
    return Html(f"<{element}{inside}>{join(children)}</{element}>")


def join(children: Iterable[Any], between: str = "") -> Html:
    """Return the children side by side: Html as it is, DataText isolated, lists flattened, None omitted, everything
    else escaped. `between` is markup."""
    return Html(between.join(_child(child) for child in children if child is not None))


def listed(items: Iterable[Any]) -> list[Any]:
    """Return items as a list in a sentence: a, b and c."""
    parts: list[Any] = []
    entries = list(items)
    for place, item in enumerate(entries):
        parts += [] if place == 0 else [" and " if place == len(entries) - 1 else ", "]
        parts.append(item)
    return parts


def plain(parts: Iterable[Any]) -> str:
    """Return the sentence without markup."""
    return "".join(plain(part) if isinstance(part, list | tuple) else str(part) for part in parts)


def _child(child: Any) -> str:
    if isinstance(child, Html):
        return child
    if isinstance(child, DataText):
        return f"<bdi>{escape(child)}</bdi>"
    if isinstance(child, list | tuple):
        return join(child)
    return escape(child)


def table(caption: Any, head: Iterable[Any], rows: Iterable[Iterable[Any]], numbers: Iterable[int] = ()) -> Html:
    """Return a table. The columns in `numbers` are right-aligned; the first column is the row header.

    On narrow screens the table scrolls in its own frame or, with more than `WIDE` columns, each row becomes a list of
    its cells, labelled with the names of their columns.
    """
    right, names = set(numbers), list(head)
    stacked = len(names) > WIDE

    def cells(row: Iterable[Any]) -> list[Html]:
        return [
            tag("th", cell, scope="row")
            if place == 0
            else tag(
                "td",
                cell,
                class_="n" if place in right else None,
                data_label=plain([names[place]]) or None if stacked else None,
            )
            for place, cell in enumerate(row)
        ]

    top = [tag("th", cell, scope="col", class_="n" if place in right else None) for place, cell in enumerate(names)]
    lines = [tag("tr", cells(row)) for row in rows]
    body = tag("tbody", lines)
    inside = tag("table", tag("caption", tag("span", caption)), tag("thead", tag("tr", top)), body)
    kind = (
        "scroll" + " stack" * stacked + " short" * (len(lines) <= 8)
    )  # a short table is not split over two printed pages
    return tag("div", inside, class_=kind, tabindex="0", role="group", aria_label=plain([caption]))
