"""Rules about protected groups that can be learnt from the published data, where a guard looks for such rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairveil.guards import Guard
from fairveil.markup import Html, join, shown, table, tag
from fairveil.reporting.context import ReportContext
from fairveil.reporting.numbers import count, number, percent

MOST = 10


def rules_left(c: ReportContext) -> list[tuple[Guard, list[dict[str, Any]]]]:
    """Per guard that looks for rules, the strongest ones in the published data, however weak."""
    classes = c.classes
    if classes is None:
        return []
    looking = [guard for guard, _ in c.guards if guard.finds_rules]
    return [(guard, guard.strongest_rules(classes, c.schema, MOST)) for guard in looking]


def rules(c: ReportContext) -> Html | None:
    rules_by_guard = rules_left(c)
    if not rules_by_guard:
        return None
    parts = []
    for guard, strongest in rules_by_guard:
        caption = f"{guard.kind}: the strongest rules left in the published data, by {guard.rules_by}"
        parts.append(
            rule_table(caption, strongest)
            if strongest
            else tag("p", f"{guard.kind}: no frequent rule denies a group more often.")
        )
    words = "A rule says how much more often a group is denied than those it is compared with, in the same context."
    return join([tag("p", words), *parts])


def rule_table(caption: str, rules: Sequence[Mapping[str, Any]]) -> Html:
    """Rules as guards give them (`Rule.to_dict`)."""
    rows = [
        [_items(rule["group"]), _items(rule["context"]) if rule["context"] else "everybody",
         "∞" if rule["value"] is None else number(rule["value"]), percent(rule["confidence"]), count(rule["n1"])]
        for rule in rules
    ]  # fmt: skip
    return table(caption, ["group", "in the context", "value", "denied", "people"], rows, [2, 3, 4])


def _items(condition: Mapping[str, Any]) -> list[Any]:
    return [tag("span", shown(name, 30), " = ", shown(value, 30), class_="chip") for name, value in condition.items()]
