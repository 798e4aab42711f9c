"""Displayable: how results are displayed in a notebook, and in one line everywhere else.

>>> class Pair(Displayable):
...     def _headline(self): return "Pair: 1 < 2"
...     def _tables(self): return [DisplayTable(["one", "other"], [[1, "<b>"]])]
>>> Pair()
<Pair: 1 < 2>
>>> "<bdi>&lt;b&gt;</bdi>" in Pair()._repr_html_()
True

Values come from data that cannot be trusted, so all text is escaped. There is no script, at most `MAX_SHOWN` rows of a
table are shown, and colours are those of the page, light or dark.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from fairveil.markup import Html, join, shown, tag
from fairveil.messages import counted

MAX_SHOWN = 20
"""Maximum number of rows, and of columns, of a displayed table."""
LONGEST = 60
"""Maximum number of characters of one setting in a line."""
_CELL = "text-align:left;vertical-align:top;padding:.2em .8em .2em 0;border-bottom:1px solid rgba(128,128,128,.35)"
_QUIET = "opacity:.75;margin:.3em 0"


@dataclasses.dataclass(frozen=True)
class DisplayTable:
    """A table to display. `rows` may be truncated; `of` is the total number of rows."""

    head: Sequence[Any]
    rows: Sequence[Sequence[Any]]
    of: int | None = None
    title: str = ""

    def markup(self) -> Html:
        def line(row: Sequence[Any], element: str) -> Html:
            return tag("tr", [tag(element, _cell(cell), style=_CELL) for cell in row[:MAX_SHOWN]])

        top, lines = line(self.head, "th"), [line(row, "td") for row in self.rows[:MAX_SHOWN]]
        hidden = (len(self.rows) if self.of is None else self.of) - len(lines)
        more = [counted(hidden, "more row")] if hidden > 0 else []
        if len(self.head) > MAX_SHOWN:
            more.append(f"{len(self.head) - MAX_SHOWN:,} more columns")
        title = tag("p", tag("em", self.title), style="margin:.6em 0 .2em") if self.title else None
        table = tag("table", tag("thead", top), tag("tbody", lines), style="border-collapse:collapse")
        return join([title, table, tag("p", "… and ", " and ".join(more), style=_QUIET) if more else None])


class Displayable:
    """A class with a display form. `_headline` returns the one-line form, `_tables` the tables of a notebook,
    `_details` the text below them."""

    def _headline(self) -> str:
        raise NotImplementedError

    def _tables(self) -> Iterable[DisplayTable]:
        return ()

    def _details(self) -> Iterable[Html]:
        return ()

    def __repr__(self) -> str:
        return f"<{self._headline()}>"

    def _repr_html_(self) -> str:
        head = tag("p", tag("strong", self._headline()), style="margin:.2em 0")
        return tag("div", head, [sheet.markup() for sheet in self._tables()], list(self._details()))


def brief(part: Any) -> str:
    """Return a dataclass as one line: the settings that differ from their defaults, truncated where long.

    >>> from fairveil.data.hierarchy import from_rows
    >>> brief(from_rows([[str(leaf), "*"] for leaf in range(100)]))
    "Tree(rows=(('0', '*'), ('1', '*'), ('2', '*'), ('3', '*'), ('4', '*')…)"
    """
    settings = []
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        usual = field.default_factory() if callable(field.default_factory) else field.default
        if not field.repr or (usual is not dataclasses.MISSING and value == usual):
            continue
        cut = repr(value[:5]) if isinstance(value, str | list | tuple) and len(value) > LONGEST else repr(value)
        text = cut if len(cut) <= LONGEST and cut == repr(value) else cut[: LONGEST - 1] + "…"
        settings.append(f"{field.name}={text}")
    return f"{type(part).__name__}({', '.join(settings)})"


def _cell(value: Any) -> Any:
    if isinstance(value, Html) or value == "":
        return value
    return shown(f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if type(value) is int else value)
