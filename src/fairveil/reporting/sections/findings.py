"""What others put into the evidence: attacks, discriminatory rules, utility of models, facts of a method.

Each is a list of plain records, or a mapping; it is shown as it stands. A record may have `holds` (yes or no) and
`sentence` (the verdict in words).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.reporting.context import Context
from fairveil.reporting.markup import Data, Html, join, shown, table, tag
from fairveil.reporting.numbers import number
from fairveil.reporting.sections.promises import BROKEN, HOLDS

MOST_ROWS = 50


def attacks(c: Context) -> Html | None:
    return _section(c, "attacks", "Attacks on the release, with what each achieved")


def rules(c: Context) -> Html | None:
    return _section(c, "rules", "Rules that the published data gives, by group")


def utility(c: Context) -> Html | None:
    return _section(c, "utility", "Models trained on the release")


def details(c: Context) -> Html | None:
    parts = [_shown(c.evidence[key], key) for key in ("facts", "claims") if c.evidence.get(key)]
    return join(parts) if parts else None


def _section(c: Context, key: str, caption: str) -> Html | None:
    found = c.evidence.get(key)
    return _shown(found, caption) if found else None


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
