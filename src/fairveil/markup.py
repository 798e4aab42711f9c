"""Markup: HTML that is always escaped. A string is text until the code says that it is Html.

>>> tag("p", "1 < 2 & ", DataText("<script>"), class_="note")
'<p class="note">1 &lt; 2 &amp; <bdi>&lt;script&gt;</bdi></p>'
"""

from __future__ import annotations

import html
import re
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
_MARKUP = re.compile("[&<>\"']")


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
    if isinstance(text, Html):
        return text
    text = str(text)
    if text.isalnum() or (text.isprintable() and not _MARKUP.search(text)):  # nothing to replace
        return Html(text)
    return Html(html.escape(text.translate(_VISIBLE), quote=True))


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
    parts = [part for item in items for part in (", ", item)][1:]
    if len(parts) > 1:
        parts[-2] = " and "
    return parts


def plain(parts: Iterable[Any]) -> str:
    """Return the sentence without markup."""
    return "".join(plain(part) if isinstance(part, list | tuple) else str(part) for part in parts)


def _child(child: Any) -> str:
    if isinstance(child, list | tuple):
        return join(child)
    return f"<bdi>{escape(child)}</bdi>" if isinstance(child, DataText) else escape(child)


def table(caption: Any, head: Iterable[Any], rows: Iterable[Iterable[Any]], numbers: Iterable[int] = ()) -> Html:
    """Return a table. The columns in `numbers` are right-aligned; the first column is the row header.

    On narrow screens the table scrolls in its own frame or, with more than `WIDE` columns, each row becomes a list of
    its cells, labelled with the names of their columns.
    """
    right, names = set(numbers), list(head)
    stacked = len(names) > WIDE
    classes = ["n" if position in right else None for position in range(len(names))]
    labels = [plain([name]) or None if stacked else None for name in names]

    def line(first: Any, *others: Any) -> Html:
        cells = zip(others, classes[1:], labels[1:], strict=False)
        inner = [tag("td", cell, class_=class_, data_label=label) for cell, class_, label in cells]
        return tag("tr", tag("th", first, scope="row"), inner)

    top = [tag("th", name, scope="col", class_=class_) for name, class_ in zip(names, classes, strict=True)]
    lines = [line(*row) for row in rows]
    inside = tag("table", tag("caption", tag("span", caption)), tag("thead", tag("tr", top)), tag("tbody", lines))
    short = len(lines) <= 8  # is not split over two printed pages
    frame = "scroll" + " stack" * stacked + " short" * short
    return tag("div", inside, class_=frame, tabindex="0", role="group", aria_label=plain([caption]))
