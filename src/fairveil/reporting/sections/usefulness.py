"""What can still be learnt: models trained on the release against models trained on the source, and statistics.

The public page shows what `release/disclosure.py` admits to the evidence, the internal one shows all of it. Both read
the same keys, and leave out what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairveil.markup import Html, join, shown, table, tag
from fairveil.reporting.charts import ChartBar, bars, figure, legend, sign
from fairveil.reporting.context import ReportContext
from fairveil.reporting.numbers import count, number, percent, times
from fairveil.reporting.whiskers import WhiskerPoint, agreement, rule, whiskers

SCORES = {"accuracy": "accuracy", "balanced-accuracy": "balanced accuracy", "f1": "F1", "auc": "AUC"}
KINDS = {("original", "original"): 1, ("release", "recoded"): 0, ("release", "original"): 2}
"""What a model learnt from and was tested on -> its shape and colour."""
MODELS = {
    ("original", "original"): "learnt from the source",
    ("release", "recoded"): "learnt from the release, tested on recoded records",
    ("release", "original"): "learnt from the release, tested on records as they are",
}
SHORT = {
    ("original", "original"): "source",
    ("release", "recoded"): "release, recoded",
    ("release", "original"): "release, as they are",
}
MOST_PAIRS = 8

HOW = {
    "release": "Models learnt from the release itself and were tested on {tested} who are not in it.",
    "recipe": (
        "{tested} of the source were set aside for testing; models learnt from the other {trained}, published by the "
        "same recipe. The recipe itself was made with all of them, which can make models look a little better than "
        "they are."
    ),
    "search": (
        "The release holds everybody, so it cannot be tested on people who are not in it. Instead {tested} of the "
        "source were set aside, the same search was done once more with the other {trained}, and models learnt from "
        "what it would have published. So neither they nor the recipe had seen the people they were tested on. {lost}"
    ),
}


def utility(c: ReportContext) -> Html | None:
    figures = c.utility
    if not figures:
        return by_groups(c)
    survival, groups = figures.get("survival"), fairness(figures)
    return join([
        tag("p", how(c), " ", UNPROVEN),
        *models(figures),
        *groups,
        tag("p", NO_GROUPS, class_="soft") if c.schema.protected and not groups else None,
        *(statistics(survival) if survival else [tag("p", NO_TABLE, class_="soft")]),
    ])  # fmt: skip


UNPROVEN = (
    "All figures of this section were computed from the source when the release was made. Unlike the promises, they "
    "cannot be checked from the files."
)
NO_GROUPS = (
    "How models treat groups of people is not shown: either the schema does not say which decision is unfavourable, or "
    "the published data names no two groups of a protected column that are large enough."
)
NO_TABLE = "The columns are published in several tables, so there are no statistics over columns of different tables."


def by_groups(c: ReportContext) -> Html | None:
    """Where nothing was tried: what the equivalence classes alone say, counted on the published data."""
    shares = c.right_by_group
    if shares is None:
        return None
    right, guess = shares
    rows = [("most frequent decision of the group", [ChartBar(right, percent(right))]),
            ("most frequent decision of all", [ChartBar(guess, percent(guess), "c2")])]  # fmt: skip
    chart = bars(
        "Decisions that groups give away", rows, axis="published records whose decision it is, in percent", most=1.0
    )
    caption = (
        "The first bar shows how often the most frequent decision of a record’s group of look-alikes is the record’s "
        "own, on the published records themselves. The second bar shows the same for the most frequent decision of all "
        "records. The gap is what the published columns say about the decision. It is no estimate for other people."
    )
    return join([tag("p", NOT_TRIED), figure(chart, [caption])])


NOT_TRIED = (
    "This report does not say how well models learn from the release. With a section [utility], a plan tests them on "
    "people they have not seen. What the published data says by itself:"
)


def how(c: ReportContext) -> str:
    figures = c.utility
    records = {key: times(figures[f"{key}_rows"], "record") for key in ("train", "test")}
    lost = "A release of fewer records is a little less useful: expect this one to be slightly better."
    if figures.get("loss") is not None and "loss" in c.measures:
        lost = (
            f"Made of fewer records, it lost {percent(figures['loss'])} of detail; this one lost "
            f"{percent(c.measures['loss'])}. The further they are apart, the better this one may do."
        )
    return HOW[figures["learnt"]].format(tested=records["test"], trained=records["train"], lost=lost)


def spoken(name: str) -> str:
    """The name of a classifier in a sentence; imported here, because most reports name none."""
    from fairveil.learning.classifiers import spoken

    return spoken(name)


def key_of(model: Mapping[str, Any]) -> tuple[str, str]:
    return model["trained"], model["tested"]


def models(figures: Mapping[str, Any]) -> list[Html]:
    """How often the models are right: drawn, and all scores in numbers."""
    by_classifier: dict[str, list[Mapping[str, Any]]] = {}
    for model in figures["models"]:
        by_classifier.setdefault(model["classifier"], []).append(model)
    rows = [
        (spoken(name), [_point(model["scores"]["accuracy"], KINDS[key_of(model)]) for model in tried])
        for name, tried in by_classifier.items()
    ]
    present = [key for key in MODELS if any(key_of(model) == key for model in figures["models"])]
    keys = [*((sign(KINDS[key]), MODELS[key]) for key in present), (rule(), "always saying the most frequent decision")]
    chart = whiskers(
        "Accuracy of models that learnt from the source and from the release", rows,
        axis="decisions predicted correctly, in percent", beside=figures["guess"],
    )  # fmt: skip
    caption = (
        "How often models predict the decision of people they have not seen, with 95 % intervals. The closer the "
        "release comes to the source, the less was lost for learning; at the dashed line "
        f"({percent(figures['guess'])}) nothing can be learnt."
    )
    lines = [
        [_model(model), *(interval(model["scores"][name]) for name in SCORES),
         "–" if key_of(model)[0] == "original" else interval(model["lost"]["accuracy"])]
        for model in figures["models"]
    ]  # fmt: skip
    head = ["model", *SCORES.values(), "accuracy lost"]
    note = (
        "Balanced accuracy and F1 count every decision alike, however rare; AUC is the chance that a record with a "
        "decision is ranked above one without it, 50 % if guessed. Accuracy lost is the source's minus the release's, "
        "on the same records; below zero the release does better. Recoded records are those of somebody who has the "
        "recipe; records as they are hold values that a coarser release does not know."
    )
    return [
        figure(join([legend(keys), chart]), [caption]),
        table("All scores in percent, with 95 % intervals", head, lines, range(1, 6)),
        tag("p", note, class_="soft"),
    ]


def fairness(figures: Mapping[str, Any]) -> list[Html]:
    """How the first classifier treats groups, drawn; all of them in numbers."""
    first = figures["models"][0]["classifier"]
    columns = list(dict.fromkeys(f["column"] for model in figures["models"] for f in model["fairness"]))
    parts: list[Html] = []
    for column in columns:
        fairness_of = {
            (m["classifier"], *key_of(m)): f for m in figures["models"] for f in m["fairness"] if f["column"] == column
        }
        drawn = [key for key in MODELS if (first, *key) in fairness_of and key != ("release", "original")]
        groups = list(dict.fromkeys(g["group"] for f in fairness_of.values() for g in f["groups"]))
        rows = [
            (shown(group), [_group_point(fairness_of[first, *key], group, KINDS[key]) for key in drawn])
            for group in groups
        ]
        chart = whiskers(
            f"Favourable decisions by {column}", rows, axis="given the favourable decision by the model, in percent"
        )
        caption = [
            f"How often the {spoken(first)} gives the favourable decision to people by ", shown(column, 40),
            ", with 95 % intervals. If groups are far apart, anybody who uses the model treats them differently.",
        ]  # fmt: skip
        keys = [(sign(KINDS[key]), MODELS[key]) for key in drawn]
        parts.append(
            tag("div", figure(join([legend(keys), chart]), caption), _gaps(column, fairness_of), class_="charts")
        )
    if parts:
        parts.insert(0, tag("h3", "Are groups treated alike?"))
    return parts


def _gaps(column: str, fairness_of: Mapping[tuple[str, str, str], Mapping[str, Any]]) -> Html:
    """The distance between groups, per model."""
    rows = []
    for (classifier, trained, tested), figures in fairness_of.items():
        rates = [group["positive"] for group in figures["groups"]]
        right = [group["accuracy"] for group in figures["groups"]]
        rows.append([
            _model({"classifier": classifier, "trained": trained, "tested": tested}),
            f"{100 * (max(rates) - min(rates)):.0f}\u00a0%", f"{100 * min(right):.0f} to {100 * max(right):.0f}\u00a0%",
        ])  # fmt: skip
    caption = ["Gap of favourable decisions between the groups, and how often the model is right about a group: ",
               shown(column, 40)]  # fmt: skip
    return table(caption, ["model", "gap", "right about"], rows, [1, 2])


def _model(model: Mapping[str, Any]) -> list[Any]:
    """A model in a table: the classifier, and below it what it learnt from and was tested on."""
    return [shown(spoken(model["classifier"]), 40), tag("div", SHORT[key_of(model)], class_="range")]


def statistics(survival: Mapping[str, Any]) -> list[Html]:
    """Queries, marginals and associations."""
    queries = survival["queries"]
    half, mean = queries["median"], queries["mean"]
    sentences = (
        f"{count(survival['asked'])} random counting questions (how many people have these values in one to three "
        f"columns?) were asked of the source and of the release. Half of the answers are off by at most "
        f"{percent(half['value'])} of the true count ({percent(half['low'])} to {percent(half['high'])}). "
        f"Counts of few people are off by more, so the mean error is {percent(mean['value'])}. "
    )
    error = survival.get("association_error")
    if error is not None:
        sentences += f"How strongly two columns go together (Cramér’s V, 0 to 1) changes by {number(error)} on average."
    parts = [tag("h3", "Do statistics survive?"), tag("p", sentences)]
    if survival.get("marginals"):
        worst = sorted(survival["marginals"].items(), key=lambda item: -item[1])
        chart = bars(
            "Distance of the distributions", [(shown(name), [ChartBar(v, percent(v))]) for name, v in worst],
            axis="records that would have to change their value, in percent", most=max(worst[0][1], 0.1),
        )  # fmt: skip
        caption = (
            "How far the distribution of each column is from the source’s (total variation distance), when a coarser "
            "value is read as any of the values behind it with equal chance."
        )
        parts.append(
            tag("div", figure(chart, [caption]), associations(survival.get("associations")), class_="charts even")
        )
    return parts


def associations(pairs: Sequence[Mapping[str, Any]] | None) -> Html | None:
    """Internal: every pair of columns, before and after."""
    if not pairs:
        return None
    worst = sorted(pairs, key=lambda pair: -abs(pair["original"] - pair["release"]))
    chart = agreement(
        f"{len(pairs)} pairs of columns by their association in the source and in the release",
        [(pair["original"], pair["release"]) for pair in pairs],
        across="Cramér’s V in the source", up="Cramér’s V in the release",
    )  # fmt: skip
    rows = [
        [[shown(pair["columns"][0], 30), " and ", shown(pair["columns"][1], 30)], number(pair["original"]),
         number(pair["release"])]
        for pair in worst[:MOST_PAIRS]
    ]  # fmt: skip
    caption = "Each point is a pair of columns: on the diagonal it goes together as strongly as before."
    title = f"The {MOST_PAIRS} pairs that changed most" if len(pairs) > MOST_PAIRS else "The same in numbers"
    numbers = table(title + ", Cramér’s V", ["pair", "in the source", "in the release"], rows, [1, 2])
    return tag("div", figure(chart, [caption]), numbers)


def interval(estimate: Mapping[str, Any]) -> Any:
    """A value, and its interval below it; a dash where there is none."""
    ends = [estimate[key] for key in ("value", "low", "high")]
    if any(end is None for end in ends):
        return "–"
    value, low, high = (f"{100 * end:.1f}".replace("-", "−") for end in ends)
    return [value, tag("div", f"{low} to {high}", class_="range")]


def _point(estimate: Mapping[str, Any], kind: int) -> WhiskerPoint:
    return WhiskerPoint(estimate["value"], estimate["low"], estimate["high"], kind)


def _group_point(figures: Mapping[str, Any], group: str, kind: int) -> WhiskerPoint:
    shares = next(g for g in figures["groups"] if g["group"] == group)
    return WhiskerPoint(shares["positive"], shares["low"], shares["high"], kind)
