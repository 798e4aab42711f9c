"""The promises with their verdicts, and what they do not cover."""

from __future__ import annotations

from fairveil.markup import Html, join, table, tag
from fairveil.reporting import plain_words
from fairveil.reporting.context import ReportContext

HOLDS = Html('<span class="yes">✓ holds</span>')
BROKEN = Html('<span class="no">✗ broken</span>')


def promises(c: ReportContext) -> Html:
    rows = [
        [
            tag("span", guard.kind, class_="nowrap"),
            HOLDS if claim.get("holds") else BROKEN,
            tag("div", guard.promise() or "", class_="wide"),
            tag("div", claim.get("sentence", ""), class_="wide"),
        ]
        for guard, claim in c.guards
    ]
    intro = "Every promise was checked on the published data itself, and anybody can check it again."
    return join([
        tag("p", intro),
        table("The guards of this release", ["guard", "verdict", "what it means", "what was found"], rows),
    ])  # fmt: skip


def not_covered(c: ReportContext) -> Html:
    return join([
        tag("p", "No release promises the following, and neither does this one:"),
        tag("ul", [tag("li", sentence) for sentence in plain_words.not_covered(c)]),
    ])  # fmt: skip
