"""Views that compute other values each time they are read: no transaction keeps those in one state.

>>> views = {"people": "SELECT * FROM drawn", "drawn": "SELECT random() FROM t", "other": "SELECT 1"}
>>> volatile_view("people", views), volatile_view("other", views)
('drawn', None)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairveil.errors import BadInput

_DRAWN = r"random\w*|rand|uuid|uuidv[47]|gen_random_\w+|uuid_generate_\w+|nextval|clock_timestamp|timeofday"
_CLOCK = r"current_(?:date|time|timestamp)|localtime|localtimestamp|'now'"
DRAWN = re.compile(rf"(?i)\b(?:{_DRAWN})\s*\(|\btablesample\b")
"""What gives other values, or rows, with every query, also in one transaction of PostgreSQL."""
VOLATILE = re.compile(
    rf"(?i)\b(?:{_DRAWN}|now|today|get_current_\w+|transaction_timestamp)\s*\(|\b(?:table)?sample\b|(?:\b|(?=')){_CLOCK}"
)
"""What gives other values, or rows, with every query elsewhere."""


def volatile_view(name: str, views: Mapping[str, str], volatile: re.Pattern[str] = VOLATILE) -> str | None:
    """The view, of this one and those that it reads, whose definition computes other values each time."""
    reached, waiting = set[str](), [name]
    while waiting:
        view = waiting.pop()
        definition = views.get(view)
        if definition is None or view in reached:
            continue
        reached.add(view)
        if volatile.search(definition):
            return view
        waiting += [other for other in views if re.search(rf"(?i)\b{re.escape(other)}\b", definition)]
    return None


def refuse_volatile(name: str, views: Mapping[str, str], volatile: re.Pattern[str] = VOLATILE) -> None:
    """Raise BadInput for a view that computes other values each time."""
    if (view := volatile_view(name.rpartition(".")[2], views, volatile)) is not None:
        raise BadInput(
            f"the view {view!r} computes other values each time it is read, so it has no state that could be "
            "published: store its rows in a table, and name that"
        )
