"""What attacks, guards that look for rules, and methods found: findings, weaknesses, rules, facts.

Facts are lists of plain records, or mappings. They are shown as they are. A record may have `holds` (yes or
no) and `sentence` (the verdict in words).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairveil.attacks.attack import LEVELS
from fairveil.markup import DataText, Html, join, shown, table, tag
from fairveil.reporting.numbers import count, number, percent
from fairveil.reporting.sections.promises import BROKEN, HOLDS

if TYPE_CHECKING:
    from fairveil.guards import Guard
    from fairveil.reporting.context import ReportContext

MAX_ROWS = 50
MAX_RULES = 10


def attacks(c: ReportContext) -> Html | None:
    """Each attack with its success, what it is compared with, and the verdict; then the weaknesses by name."""
    rows = [
        [tag("span", words(finding.get("attack", "")), class_="nowrap"),
         shown(finding["column"], 40) if finding.get("column") else "–", badge(finding.get("level")),
         *(_share(finding.get(key)) for key in ("best", "average", "baseline")),
         tag("div", shown(finding.get("verdict", finding.get("sentence", "")), 600),
             tag("div", "Baseline: ", shown(finding["against"], 200), ".", class_="soft") if finding.get("against")
             else None, class_="wide")]
        for finding in _once(c)
    ]  # fmt: skip
    weaknesses = c.evidence.get("weaknesses", {})
    if not rows and not weaknesses:
        return None
    heads = ["attack", "on column", "level", "best success", "average", "baseline", "verdict"]
    known = [tag("li", tag("strong", words(name)), ": ", shown(why, 600)) for name, why in weaknesses.items()]
    return join([
        table("Attacks on the release: success against the easiest person, on average, and without the release's help",
              heads, rows, [3, 4, 5]) if rows else None,
        tag("p", "Known weaknesses of a release like this one:") if known else None,
        tag("ul", known) if known else None,
    ])  # fmt: skip


def _once(c: ReportContext) -> list[Mapping[str, Any]]:
    """What attacks found, each once: where one was also tried by persons whose column is not published, its figures
    are those by records, and its level the worse of both."""
    by_persons = {
        (finding.get("attack"), finding.get("column")): finding for finding in c.evidence.get("by_persons", [])
    }
    listed = []
    for finding in c.evidence.get("attacks", []):
        tried = by_persons.pop((finding.get("attack"), finding.get("column")), None)
        if tried is not None:
            verdict = f"{tried['verdict']}; by records: {finding.get('verdict', '')}"
            level = max(tried.get("level"), finding.get("level"), key=lambda level: (*LEVELS, level).index(level))
            finding = {**finding, "level": level, "verdict": verdict.removesuffix(" (records are counted)")}
        listed.append(finding)
    return [*by_persons.values(), *listed]


def badge(level: Any) -> Html:
    """How bad a finding is: a word, a symbol and a colour."""
    kinds = {"ok": ("✓ ok", "yes"), "warn": ("! take care", "no"), "danger": ("✗ danger", "no")}
    label, kind = kinds.get(str(level), (str(level or "–"), None))
    return tag("span", label, class_=kind)


def _share(value: Any) -> str:
    return percent(value) if _is_number(value) and value is not None else "–"


def details(c: ReportContext) -> Html | None:
    parts = [_shown(c.evidence[key], key) for key in ("facts", "claims") if c.evidence.get(key)]
    return join(parts) if parts else None


def _shown(facts: Any, caption: str) -> Html:
    if isinstance(facts, Mapping):
        return table(caption, ["", "value"], [[words(name), value_of(value)] for name, value in facts.items()])
    records = [fact if isinstance(fact, Mapping) else {"finding": fact} for fact in facts]
    heads = list(dict.fromkeys(key for record in records for key in record))
    rows = [[value_of(record.get(head)) for head in heads] for record in records[:MAX_ROWS]]
    numeric = [index for index, head in enumerate(heads) if all(_is_number(record.get(head)) for record in records)]
    rest = len(records) - MAX_ROWS
    more = tag("p", f"{rest:,} more are in evidence.json.", class_="soft") if rest > 0 else None
    return join([table(caption, [words(head) for head in heads], rows, numeric), more])


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def value_of(value: Any) -> Any:
    """Any JSON value, as the content of a cell."""
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


def words(key: Any) -> DataText:
    return DataText(str(key).replace("_", " "))


def rules_left(c: ReportContext) -> list[tuple[Guard, list[dict[str, Any]]]]:
    """Per guard that looks for rules, the strongest ones in the published data, however weak."""
    classes, schema = c.published.classes, c.published.visible
    if classes is None:
        return []
    return [(guard, guard.strongest_rules(classes, schema, MAX_RULES)) for guard, _ in c.guards if guard.finds_rules]


def rules(c: ReportContext) -> Html | None:
    rules_by_guard = rules_left(c)
    if not rules_by_guard:
        return None
    parts = [
        rule_table(f"{guard.kind}: the strongest rules left in the published data, by {guard.rules_by}", strongest)
        if strongest
        else tag("p", f"{guard.kind}: no frequent rule denies a group more often.")
        for guard, strongest in rules_by_guard
    ]
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
