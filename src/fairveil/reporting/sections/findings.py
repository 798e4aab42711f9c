"""What others put into the evidence: attacks and weaknesses, facts of a method.

Facts are lists of plain records, or mappings, and shown as they stand. A record may have `holds` (yes or
no) and `sentence` (the verdict in words).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.reporting.context import Context
from fairveil.reporting.markup import Data, Html, join, shown, table, tag
from fairveil.reporting.numbers import number, percent
from fairveil.reporting.sections.promises import BROKEN, HOLDS

MOST_ROWS = 50


def attacks(c: Context) -> Html | None:
    """Each attack with its success, what it is compared with, and the verdict; then the weaknesses by name."""
    found = c.evidence.get("attacks", [])
    rows = [
        [
            tag("span", words(one.get("attack", "")), class_="nowrap"),
            shown(one["column"], 40) if one.get("column") else "–",
            badge(one.get("level")),
            *(_share(one.get(key)) for key in ("best", "average", "baseline")),
            tag("div", shown(one.get("verdict", one.get("sentence", "")), 600), _against(one), class_="wide"),
        ]
        for one in found
        if isinstance(one, Mapping)
    ]
    weak = c.evidence.get("weaknesses", {})
    if not rows and not weak:
        return None
    heads = ["attack", "on column", "level", "best success", "average", "baseline", "verdict"]
    known = [tag("li", tag("strong", words(name)), ": ", shown(why, 600)) for name, why in weak.items()]
    return join([
        table("Attacks on the release: success against the easiest person, on average, and without the release's help",
              heads, rows, [3, 4, 5]) if rows else None,
        tag("p", "Weaknesses that a release of this kind has whatever its data:") if known else None,
        tag("ul", known) if known else None,
    ])  # fmt: skip


def _against(one: Mapping[str, Any]) -> Html | None:
    """What the baseline is."""
    words = one.get("against")
    return tag("div", "Baseline: ", shown(words, 200), ".", class_="soft") if words else None


def badge(level: Any) -> Html:
    """How bad a finding is, in a word, a sign and a colour."""
    kinds = {"ok": ("✓ ok", "yes"), "warn": ("! take care", "no"), "danger": ("✗ danger", "no")}
    said, kind = kinds.get(str(level), (str(level or "–"), None))
    return tag("span", said, class_=kind)


def _share(value: Any) -> str:
    return percent(value) if _is_number(value) and value is not None else "–"


def details(c: Context) -> Html | None:
    parts = [_shown(c.evidence[key], key) for key in ("facts", "claims") if c.evidence.get(key)]
    return join(parts) if parts else None


def _shown(found: Any, caption: str) -> Html:
    if isinstance(found, Mapping):
        return table(caption, ["", "value"], [[words(name), value_of(value)] for name, value in found.items()])
    records = [one if isinstance(one, Mapping) else {"finding": one} for one in found]
    heads = list(dict.fromkeys(key for record in records for key in record))
    rows = [[value_of(record.get(head)) for head in heads] for record in records[:MOST_ROWS]]
    numeric = [place for place, head in enumerate(heads) if all(_is_number(record.get(head)) for record in records)]
    rest = len(records) - MOST_ROWS
    more = tag("p", f"{rest:,} more are in evidence.json.", class_="soft") if rest > 0 else None
    return join([table(caption, [words(head) for head in heads], rows, numeric), more])


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def value_of(value: Any) -> Any:
    """Anything that JSON can hold, in a cell."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return HOLDS if value else BROKEN
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, Mapping):
        return [tag("div", words(name), ": ", value_of(inner)) for name, inner in value.items()]
    if isinstance(value, list):
        return join([value_of(inner) for inner in value[:20]] + (["…"] if len(value) > 20 else []), ", ")
    return tag("div", shown(value, 400), class_="wide") if len(str(value)) > 30 else shown(value)


def words(key: Any) -> Data:
    return Data(str(key).replace("_", " "))
