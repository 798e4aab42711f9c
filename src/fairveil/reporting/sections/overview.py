"""The summary: four cards in plain words, and four numbers."""

from __future__ import annotations

from fairveil.markup import Html, join, tag
from fairveil.reporting.context import ReportContext
from fairveil.reporting.numbers import count, number, percent
from fairveil.reporting.plain_words import SUMMARY


def summary(c: ReportContext) -> Html:
    measures = c.measures
    facts = [("records published", count(c.rows["published"]))]
    if "k" in measures:
        facts.append(("records that look alike, at least", number(measures["k"])))
    if "average-risk" in measures and not c.recipe.invents:
        facts.append(("average chance to pick out a person", percent(measures["average-risk"])))
    if "loss" in measures:
        facts.append(("detail lost", percent(measures["loss"])))
    figures = tag("dl", [tag("div", tag("dt", what), tag("dd", value)) for what, value in facts], class_="figures")
    cards = [
        tag("section", tag("h3", title), [tag("p", sentence) for sentence in say(c)],
            class_="care" if name == "at_risk" else None)
        for name, title, say in SUMMARY
    ]  # fmt: skip
    return join([figures, tag("div", cards, class_="cards")])
