"""The report as a page (header, sections, footer) and as plain data for machines.

The page (`page.html`) has no script, and a policy that forbids any, whatever text a value contains.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from fairveil.data.about import in_words, is_day
from fairveil.markup import DataText, Html, join, plain, shown, tag
from fairveil.reporting import plain_words
from fairveil.reporting.glossary import explained
from fairveil.reporting.numbers import times
from fairveil.reporting.sections import INTERNAL, SECTIONS
from fairveil.reporting.sections.findings import rules_left
from fairveil.reporting.sections.internal import GONE, changes, guards_before
from fairveil.reporting.sections.singling_out import counted

if TYPE_CHECKING:
    from fairveil.reporting.context import GroupSizes, ReportContext


def page(c: ReportContext) -> str:
    wanted = (*SECTIONS[:1], *INTERNAL, *SECTIONS[1:]) if c.internal else SECTIONS
    built = [(section, html) for section in wanted if (html := section.build(c)) is not None]
    heading, known = plain_words.title(c), set[str]()
    sections = [
        tag("section", tag("h2", s.title, id=s.name), html, explained(html, known), aria_labelledby=s.name)
        for s, html in built
    ]
    lead = (
        f"What was published, what is promised, what it cost and what remains at risk: "
        f"{times(c.rows['published'], 'record')}, changed as follows: {c.recipe.title or c.recipe.kind}."
    )
    parts = {
        "title": plain(heading), "style": Html(_file("style.css")), "heading": heading, "imprint": imprint(c),
        "lead": lead, "verdict": verdict(c), "banners": banners(c),
        "contents": [tag("li", tag("a", s.title, href=f"#{s.name}")) for s, _ in built],
        "sections": join(sections, "\n"), "version": c.evidence.get("fairveil", ""),
    }  # fmt: skip
    return Template(_file("page.html")).substitute({name: join([part]) for name, part in parts.items()})


@cache
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def imprint(c: ReportContext) -> Html | None:
    """The data set, its publisher and the date, as far as they are given."""
    about = c.evidence.get("about", {})
    day = in_words(about["date"]) if is_day(about.get("date", "")) else DataText(about.get("date", ""))
    facts = (("Data set", about.get("dataset")), ("Published by", about.get("publisher")), ("Date", day))
    given = [tag("div", tag("dt", what), tag("dd", DataText(value))) for what, value in facts if value]
    return tag("dl", given, class_="imprint") if given else None


def verdict(c: ReportContext) -> Html:
    """The overall verdict, for a reader in a hurry."""
    good, sentences = plain_words.verdict(c)
    text = [tag("p", tag("strong", sentences[0])), tag("p", join(sentences[1:], " "))]
    colour = " not" if not good else " amber" if plain_words.doubts(c) else ""
    return tag("div", text, class_=f"verdict{colour}", role="status")


def banners(c: ReportContext) -> Html:
    """What a reader must not miss."""
    warnings = []
    if c.internal:
        warnings.append(
            tag("p", tag("strong", "Internal: do not publish."), " This version shows records of the source.")
        )
    if c.problems:
        listed = tag("ul", [tag("li", DataText(problem)) for problem in c.problems])
        warnings.append(join([tag("p", tag("strong", "This release is not as it was sealed:")), listed]))
    broken = [guard.kind for guard, claim in c.guards if not claim.get("holds")]
    if broken:
        warnings.append(tag("p", tag("strong", "A promise does not hold: "), ", ".join(broken)))
    first = plain_words.headline(c)
    if first:
        listed = tag("ul", [tag("li", tag("strong", name, ": "), sentence) for name, sentence in first])
        warnings.append(join([tag("p", tag("strong", "Read this first.")), listed]))
    return join([tag("div", warning, class_="banner", role="alert") for warning in warnings])


def as_dict(c: ReportContext) -> dict[str, Any]:
    """The evidence unchanged, and under "report" the sentences, columns and class sizes that the page shows."""
    return {
        **c.evidence,
        "report": {
            "title": plain(plain_words.title(c)),
            "verdict": [plain(sentence) for sentence in plain_words.verdict(c)[1]],
            "problems": list(c.problems),
            "headline": {name: plain(sentence).strip() for name, sentence in plain_words.headline(c)},
            "summary": {name: [plain(sentence) for sentence in say(c)] for name, _, say in plain_words.SUMMARY},
            "columns": [
                {"name": column.name, "roles": list(column.roles), "published": column.published, "level": column.level,
                 "height": column.height, "different_values": column.distinct,
                 "examples": [str(shown(value, 1000)) for value in column.examples]}
                for column in c.columns
            ],
            "groups": {
                stem: {"groups": len(of.sizes), "smallest": int(of.sizes.min()), "largest": int(of.sizes.max()),
                       **({} if of.unit == "record" else {"unit": f"{of.unit}s"}), "histogram": _histogram(of)}
                for stem, of in c.class_sizes.items()
            },
            "same_value": c.same_answer,
            "rules": [{**guard.to_dict(), "rules": strongest} for guard, strongest in rules_left(c)],
            "not_covered": [plain(sentence) for sentence in plain_words.not_covered(c)],
            **(_inside(c) if c.internal else {}),
        },
    }  # fmt: skip


def _histogram(of: GroupSizes) -> list[dict[str, int]]:
    edges, groups, rows = counted(of.sizes, of.records)
    return [
        {"from": low, "to": high - 1, "groups": int(count), "records": int(records)}
        for low, high, count, records in zip(edges[:-1], edges[1:], groups, rows, strict=True)
        if count
    ]


def _inside(c: ReportContext) -> dict[str, Any]:
    """What only the internal report has: records, and the guards' answers on the source."""
    return {
        "sample": [
            {name: {"before": _plain(old), "after": None if new is GONE else _plain(new), "published": new is not GONE}
             for name, (old, new) in record.items()}
            for record in changes(c)
        ],
        "guards_before": [
            {**answer.guard.to_dict(), "holds": answer.holds, "sentence": answer.sentence, "rules": answer.rules}
            for answer in guards_before(c)
        ],
    }  # fmt: skip


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
