"""The page: header, sections, footer. No script, and a policy that forbids any, whatever text a value contains."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from fairveil.markup import DataText, Html, join, plain, tag
from fairveil.published.about import in_words, is_day
from fairveil.reporting import plain_words
from fairveil.reporting.context import ReportContext
from fairveil.reporting.glossary import explained
from fairveil.reporting.numbers import times
from fairveil.reporting.sections import INTERNAL, SECTIONS

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(c: ReportContext) -> str:
    wanted = (*SECTIONS[:1], *INTERNAL, *SECTIONS[1:]) if c.internal else SECTIONS
    built = [(section, html) for section in wanted if (html := section.build(c)) is not None]
    title = plain_words.title(c)
    contents = tag("ul", [tag("li", tag("a", s.title, href=f"#{s.name}")) for s, _ in built])
    lead = (
        f"What was published, what is promised, what it cost and what remains at risk: "
        f"{times(c.rows['published'], 'record')}, made by the recipe “{c.recipe.kind}”."
    )
    top = tag(
        "header", tag("h1", title), imprint(c), tag("p", lead, class_="lead"), verdict(c), banners(c),
        tag("nav", contents, aria_label="Contents"),
    )  # fmt: skip
    known: set[str] = set()
    body = [
        tag("section", tag("h2", s.title, id=s.name), html, explained(html, known), aria_labelledby=s.name)
        for s, html in built
    ]
    foot = tag(
        "footer",
        tag("p", f"Made by fairveil {c.evidence.get('fairveil', '')}. This file loads nothing and runs nothing."),
    )
    head = join([
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", f"{plain(title)} · fairveil"),
        tag("style", style()),
    ], "\n")  # fmt: skip
    inner = join([top, tag("main", join(body, "\n")), foot], "\n")
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{inner}\n</body>\n</html>\n'


def imprint(c: ReportContext) -> Html | None:
    """The data set, its publisher and the date, as far as they are given."""
    about = c.about
    day = in_words(about["date"]) if is_day(about.get("date", "")) else DataText(about.get("date", ""))
    facts = (("Data set", about.get("dataset")), ("Published by", about.get("publisher")), ("Date", day))
    given = [tag("div", tag("dt", what), tag("dd", DataText(value))) for what, value in facts if value]
    return tag("dl", given, class_="imprint") if given else None


def verdict(c: ReportContext) -> Html:
    """The overall verdict, for a reader in a hurry."""
    good, sentences = plain_words.verdict(c)
    text = [tag("p", tag("strong", sentences[0])), tag("p", join(sentences[1:], " "))]
    return tag("div", text, class_="verdict" if good else "verdict not", role="status")


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


@cache
def style() -> Html:
    return Html(files("fairveil.reporting").joinpath("style.css").read_text(encoding="utf-8"))
