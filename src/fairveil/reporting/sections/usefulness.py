"""What can still be learnt: models trained on the release against models trained on the source, and statistics.

The public page shows what `release/disclosure.py` admits to the evidence, the internal one shows all of it. Both read
the same keys, and leave out what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairveil.markup import Html, join, shown, table, tag
from fairveil.reporting.charts import ChartBar, WhiskerPoint, agreement, bars, figure, legend, rule, sign, whiskers
from fairveil.reporting.numbers import count, number, percent, times

if TYPE_CHECKING:
    from fairveil.reporting.context import ReportContext

SCORES = {"accuracy": "accuracy", "balanced-accuracy": "balanced accuracy", "f1": "F1", "auc": "AUC"}
SOURCE, RECODED, AS_IS = ("original", "original"), ("release", "recoded"), ("release", "original")
"""What a model learnt from, and what it was tested on."""
MODELS = {
    SOURCE: (1, "learnt from the source", "source"),
    RECODED: (0, "learnt from the release, tested on recoded records", "release, recoded"),
    AS_IS: (2, "learnt from the release, tested on records as they are", "release, as they are"),
}
"""For each sort of model: its shape and colour, and its name in a legend and in a table."""
MAX_PAIRS = 8

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
UNPROVEN = (
    "All figures of this section were computed from the source when the release was made. Unlike the promises, they "
    "cannot be checked from the files."
)
NO_GROUPS = (
    "How models treat groups of people is not shown: either the schema does not say which decision is unfavourable, or "
    "the published data names no two groups of a protected column that are large enough."
)
NO_TABLE = "The columns are published in several tables, so there are no statistics over columns of different tables."
NOT_TRIED = (
    "This report does not say how well models learn from the release. With a section [utility], a plan tests them on "
    "people they have not seen. What the published data says by itself:"
)


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


def by_groups(c: ReportContext) -> Html | None:
    """Where nothing was tried: what the equivalence classes alone say, counted on the published data."""
    if c.right_by_group is None:
        return None
    right, guess = c.right_by_group
    rows = [("most frequent decision of the group", [ChartBar(right, percent(right))]),
            ("most frequent decision of all", [ChartBar(guess, percent(guess), "c2")])]  # fmt: skip
    axis = "published records whose decision it is, in percent"
    chart = bars("Decisions that groups give away", rows, axis=axis, maximum=1.0)
    caption = (
        "The first bar shows how often the most frequent decision of a record’s group of look-alikes is the record’s "
        "own, on the published records themselves. The second bar shows the same for the most frequent decision of all "
        "records. The gap is what the published columns say about the decision. It is no estimate for other people."
    )
    return join([tag("p", NOT_TRIED), figure(chart, [caption])])


def how(c: ReportContext) -> str:
    figures = c.utility
    trained, tested = (times(figures[key], "record") for key in ("train_rows", "test_rows"))
    lost = "A release of fewer records is a little less useful: expect this one to be slightly better."
    if figures.get("loss") is not None and "loss" in c.measures:
        lost = (
            f"Made of fewer records, it lost {percent(figures['loss'])} of detail; this one lost "
            f"{percent(c.measures['loss'])}. The further they are apart, the better this one may do."
        )
    return HOW[figures["learnt"]].format(tested=tested, trained=trained, lost=lost)


def spoken(name: str) -> str:
    """The name of a classifier in a sentence; imported here, because most reports name none."""
    from fairveil.learning.classifiers import spoken

    return spoken(name)


def key_of(model: Mapping[str, Any]) -> tuple[str, str]:
    return model["trained"], model["tested"]


def models(figures: Mapping[str, Any]) -> list[Html]:
    """How often the models are right: drawn, and all scores in numbers."""
    points: dict[str, list[WhiskerPoint]] = {}
    for model in figures["models"]:
        point = _point(model["scores"]["accuracy"], "value", key_of(model))
        points.setdefault(spoken(model["classifier"]), []).append(point)
    keys = [*_keys(map(key_of, figures["models"])), (rule(), "always predicting the most frequent decision")]
    chart = whiskers(
        "Accuracy of models that learnt from the source and from the release", list(points.items()),
        axis="decisions predicted correctly, in percent", beside=figures["guess"],
    )  # fmt: skip
    caption = (
        "How often models predict the decision of people they have not seen, with 95 % intervals. The closer the "
        "release comes to the source, the less was lost for learning; at the dashed line "
        f"({percent(figures['guess'])}) nothing can be learnt."
    )
    lines = [
        [_model(model["classifier"], key_of(model)), *(interval(model["scores"][name]) for name in SCORES),
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
        drawn = [key for key in (SOURCE, RECODED) if (first, *key) in fairness_of]
        points: dict[str, list[WhiskerPoint]] = {g["group"]: [] for f in fairness_of.values() for g in f["groups"]}
        for key in drawn:
            for group in fairness_of[first, *key]["groups"]:
                points[group["group"]].append(_point(group, "positive", key))
        rows = [(shown(group), own) for group, own in points.items()]
        axis = "given the favourable decision by the model, in percent"
        chart = whiskers(f"Favourable decisions by {column}", rows, axis=axis)
        caption = [
            f"How often the {spoken(first)} gives the favourable decision to people by ", shown(column, 40),
            ", with 95 % intervals. If groups are far apart, anybody who uses the model treats them differently.",
        ]  # fmt: skip
        drawing = figure(join([legend(_keys(drawn)), chart]), caption)
        parts.append(tag("div", drawing, _gaps(column, fairness_of), class_="charts"))
    return [tag("h3", "Are groups treated alike?"), *parts] if parts else []


def _gaps(column: str, fairness_of: Mapping[tuple[str, str, str], Mapping[str, Any]]) -> Html:
    """The distance between groups, per model."""
    rows = []
    for (classifier, trained, tested), figures in fairness_of.items():
        rates, right = ([group[name] for group in figures["groups"]] for name in ("positive", "accuracy"))
        rows.append([
            _model(classifier, (trained, tested)),
            f"{100 * (max(rates) - min(rates)):.0f}\u00a0%", f"{100 * min(right):.0f} to {100 * max(right):.0f}\u00a0%",
        ])  # fmt: skip
    caption = ["Gap of favourable decisions between the groups, and how often the model is right about a group: ",
               shown(column, 40)]  # fmt: skip
    return table(caption, ["model", "gap", "right about"], rows, [1, 2])


def _model(classifier: str, key: tuple[str, str]) -> list[Any]:
    """A model in a table: the classifier, and below it what it learnt from and was tested on."""
    return [shown(spoken(classifier), 40), tag("div", MODELS[key][2], class_="range")]


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
            axis="records that would have to change their value, in percent", maximum=max(worst[0][1], 0.1),
        )  # fmt: skip
        caption = (
            "How far the distribution of each column is from the source’s (total variation distance), when a coarser "
            "value is read as any of the values behind it with equal chance."
        )
        pairs = associations(survival.get("associations"))
        parts.append(tag("div", figure(chart, [caption]), pairs, class_="charts even"))
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
        for pair in worst[:MAX_PAIRS]
    ]  # fmt: skip
    caption = "Each point is a pair of columns: on the diagonal it goes together as strongly as before."
    title = f"The {MAX_PAIRS} pairs that changed most" if len(pairs) > MAX_PAIRS else "The same in numbers"
    numbers = table(title + ", Cramér’s V", ["pair", "in the source", "in the release"], rows, [1, 2])
    return tag("div", figure(chart, [caption]), numbers)


def interval(estimate: Mapping[str, Any]) -> Any:
    """A value, and its interval below it; a dash where there is none."""
    ends = [estimate[key] for key in ("value", "low", "high")]
    if any(end is None for end in ends):
        return "–"
    value, low, high = (f"{100 * end:.1f}".replace("-", "−") for end in ends)
    return [value, tag("div", f"{low} to {high}", class_="range")]


def _keys(models: Iterable[tuple[str, str]]) -> list[tuple[Html, str]]:
    tried = set(models)
    return [(sign(kind), words) for key, (kind, words, _) in MODELS.items() if key in tried]


def _point(estimate: Mapping[str, Any], value: str, model: tuple[str, str]) -> WhiskerPoint:
    return WhiskerPoint(estimate[value], estimate["low"], estimate["high"], MODELS[model][0])
