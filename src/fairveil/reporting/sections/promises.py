"""The summary, the promises with their verdicts, what they do not cover, and how to verify the release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairveil.markup import DataText, Html, join, shown, table, tag
from fairveil.reporting import plain_words
from fairveil.reporting.numbers import count, number, percent

if TYPE_CHECKING:
    from fairveil.reporting.context import ReportContext

HOLDS = Html('<span class="yes">✓ holds</span>')
BROKEN = Html('<span class="no">✗ broken</span>')
FIGURES = (
    ("k", "records that look alike, at least", number),
    ("average-risk", "average chance to pick out a person", percent),
    ("loss", "detail lost", percent),
)
"""Measures that the summary shows as large numbers."""


def summary(c: ReportContext) -> Html:
    facts = {"records published": count(c.rows["published"])}
    for name, words, written in FIGURES:
        if name in c.measures and not (name == "average-risk" and c.recipe.invents):
            facts[c.by_unit(words)] = written(c.measures[name])
    entries = [tag("div", tag("dt", what), tag("dd", value)) for what, value in facts.items()]
    cards = [
        tag("section", tag("h3", title), [tag("p", sentence) for sentence in say(c)],
            class_="care" if name == "at_risk" else None)
        for name, title, say in plain_words.SUMMARY
    ]  # fmt: skip
    return join([tag("dl", entries, class_="figures"), tag("div", cards, class_="cards")])


def promises(c: ReportContext) -> Html:
    rows = [
        [tag("span", guard.kind, class_="nowrap"), HOLDS if claim.get("holds") else BROKEN,
         tag("div", guard.promise_about(c.schema), class_="wide"), tag("div", claim.get("sentence", ""), class_="wide")]
        for guard, claim in c.guards
    ]  # fmt: skip
    again = "Every promise was checked on the published data itself, and anybody can check it again."
    return join([
        tag("p", uncounted(c) or again),
        table("The guards of this release", ["guard", "verdict", "what it means", "what was found"], rows),
    ])  # fmt: skip


def uncounted(c: ReportContext) -> list[Any]:
    """What nobody can check, because the column that says who a record is about is not published."""
    person = c.schema.person
    if person is None or c.schema.links:
        return []
    return [
        "The promises count persons, who may have several records, and the column that says who a record is about, ",
        DataText(person), ", is not published. Anybody can check again what records show, such as that no group has "
        "fewer records than a promise has persons. That persons were counted right has to be taken on trust.",
    ]  # fmt: skip


def not_covered(c: ReportContext) -> Html:
    return join([
        tag("p", "No release promises the following, and neither does this one:"),
        tag("ul", [tag("li", sentence) for sentence in plain_words.not_covered(c)]),
    ])  # fmt: skip


def notes(c: ReportContext) -> Html | None:
    every_note = [*c.evidence.get("notes", []), *(c.inside.notes if c.inside is not None else ())]
    return tag("ul", [tag("li", shown(note, 400)) for note in every_note]) if every_note else None


def proof(c: ReportContext) -> Html:
    versions = {"fairveil": c.evidence.get("fairveil", ""), **c.evidence.get("versions", {})}
    software = ", ".join(f"{name} {version}" for name, version in versions.items())
    files = [[name, tag("code", sha)] for name, sha in c.evidence.get("files", {}).items() if name != "report.html"]
    again = (
        "This reads the data again, re-checks every promise on it, compares every published value with the recipe, and "
        "compares all checksums. From Python: ", tag("code", 'fairveil.verify("FOLDER")'),
        ". The checksums alone can be compared with ", tag("code", "sha256sum"), "; that of this report is in ",
        tag("code", "evidence.json"), ".",
    )  # fmt: skip
    word = (
        "What the report says about the source itself (how many records it had, its risk, what was lost, how models "
        "and statistics fare) cannot be checked: you have to trust those who made the release."
    )
    by = f"Made by {software}, seed {c.evidence.get('seed', 0)}."
    return join([
        tag("p", uncounted(c) or "No promise has to be taken on trust.",
            " With fairveil installed, and FOLDER the folder of this report:"),
        tag("pre", tag("code", "fairveil verify FOLDER")),
        tag("p", again),
        tag("p", word),
        table("SHA-256 checksums", ["file", "checksum"], files) if files else None,
        tag("p", by, " The same source, plan and versions give the same files, byte for byte.", class_="soft"),
    ])  # fmt: skip
