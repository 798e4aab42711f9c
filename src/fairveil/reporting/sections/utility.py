"""What can still be learnt: models trained on the release against models trained on the source, and statistics.

The public page has what `evaluation/disclosure.py` let into the evidence, the internal one all of it; both are drawn
from the same keys, and whatever is missing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairveil.reporting.charts import Bar, bars, figure, legend, sign
from fairveil.reporting.context import Context
from fairveil.reporting.markup import Html, join, shown, table, tag
from fairveil.reporting.numbers import count, number, percent, times
from fairveil.reporting.whiskers import Point, agreement, rule, whiskers

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


def utility(c: Context) -> Html | None:
    found = c.utility
    if not found:
        return by_groups(c)
    survival, groups = found.get("survival"), fairness(found)
    return join([
        tag("p", how(c), " ", UNPROVEN),
        *models(found),
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
NO_TABLE = "The columns are published in several tables, so statistics over columns of different tables are not there."


def by_groups(c: Context) -> Html | None:
    """Where nothing was tried: what the groups of look-alikes tell by themselves, counted on the published data."""
    told = c.told_by_groups
    if told is None:
        return None
    right, guess = told
    rows = [("most frequent decision of the group", [Bar(right, percent(right))]),
            ("most frequent decision of all", [Bar(guess, percent(guess), "c2")])]  # fmt: skip
    chart = bars(
        "Decisions that groups tell", rows, axis="published records whose decision it is, in percent", most=1.0
    )
    caption = (
        "Whoever says of every record the most frequent decision of its group of look-alikes is right this often, on "
        "the published records themselves; the second bar needs no other column. The gap is what the published columns "
        "tell about the decision, and no estimate for other people."
    )
    return join([tag("p", NOT_TRIED), figure(chart, [caption])])


NOT_TRIED = (
    "How models fare that learn from this release is not told here; with a section [utility] a plan tests them on "
    "people they have not seen. What the published data tells by itself:"
)


def how(c: Context) -> str:
    found = c.utility
    records = {key: times(found[f"{key}_rows"], "record") for key in ("train", "test")}
    lost = "A release of fewer records is a little less useful: expect this one to be slightly better."
    if found.get("loss") is not None and "loss" in c.measures:
        lost = (
            f"Made of fewer records, it lost {percent(found['loss'])} of detail; this one lost "
            f"{percent(c.measures['loss'])}. The further they are apart, the better this one may do."
        )
    return HOW[found["learnt"]].format(tested=records["test"], trained=records["train"], lost=lost)


def spoken(name: str) -> str:
    """A classifier in a sentence; loaded here, because most reports name none."""
    from fairveil.learning.classifiers import spoken

    return spoken(name)


def key_of(model: Mapping[str, Any]) -> tuple[str, str]:
    return model["trained"], model["tested"]


def models(found: Mapping[str, Any]) -> list[Html]:
    """How often the models are right: drawn, and all scores in numbers."""
    by_classifier: dict[str, list[Mapping[str, Any]]] = {}
    for model in found["models"]:
        by_classifier.setdefault(model["classifier"], []).append(model)
    rows = [
        (spoken(name), [_point(one["scores"]["accuracy"], KINDS[key_of(one)]) for one in held])
        for name, held in by_classifier.items()
    ]
    present = [key for key in MODELS if any(key_of(one) == key for one in found["models"])]
    keys = [*((sign(KINDS[key]), MODELS[key]) for key in present), (rule(), "always saying the most frequent decision")]
    chart = whiskers(
        "Accuracy of models that learnt from the source and from the release", rows,
        axis="decisions foretold rightly, in percent", beside=found["guess"],
    )  # fmt: skip
    caption = (
        "How often models foretell the decision of people they have not seen, with 95 % intervals. The closer the "
        "release comes to the source, the less was lost for learning; at the dashed line "
        f"({percent(found['guess'])}) nothing can be learnt."
    )
    lines = [
        [_model(one), *(interval(one["scores"][name]) for name in SCORES),
         "–" if key_of(one)[0] == "original" else interval(one["lost"]["accuracy"])]
        for one in found["models"]
    ]  # fmt: skip
    head = ["model", *SCORES.values(), "accuracy lost"]
    note = (
        "Balanced accuracy and F1 count every decision alike, however rare; AUC is the chance that a record with a "
        "decision is ranked above one without, 50 % if guessed. Accuracy lost is the source's minus the release's, on "
        "the same records; below zero the release does better. Recoded records are those of somebody who has the "
        "recipe; records as they are hold values that a coarser release does not know."
    )
    return [
        figure(join([legend(keys), chart]), [caption]),
        table("All scores in percent, with 95 % intervals", head, lines, range(1, 6)),
        tag("p", note, class_="soft"),
    ]


def fairness(found: Mapping[str, Any]) -> list[Html]:
    """How the first classifier treats groups, drawn; all of them in numbers."""
    first = found["models"][0]["classifier"]
    columns = list(dict.fromkeys(one["column"] for model in found["models"] for one in model["fairness"]))
    made: list[Html] = []
    for column in columns:
        held = {
            (m["classifier"], *key_of(m)): f for m in found["models"] for f in m["fairness"] if f["column"] == column
        }
        drawn = [key for key in MODELS if (first, *key) in held and key != ("release", "original")]
        groups = list(dict.fromkeys(g["group"] for f in held.values() for g in f["groups"]))
        rows = [
            (shown(group), [_group_point(held[first, *key], group, KINDS[key]) for key in drawn]) for group in groups
        ]
        chart = whiskers(
            f"Favourable decisions by {column}", rows, axis="given the favourable decision by the model, in percent"
        )
        caption = [
            f"How often the {spoken(first)} gives the favourable decision to people by ", shown(column, 40),
            ", with 95 % intervals. Groups far apart are treated differently by whoever uses the model.",
        ]  # fmt: skip
        keys = [(sign(KINDS[key]), MODELS[key]) for key in drawn]
        made.append(tag("div", figure(join([legend(keys), chart]), caption), _gaps(column, held), class_="charts"))
    if made:
        made.insert(0, tag("h3", "Are groups treated alike?"))
    return made


def _gaps(column: str, held: Mapping[tuple[str, str, str], Mapping[str, Any]]) -> Html:
    """The distance between groups, per model."""
    rows = []
    for (classifier, trained, tested), one in held.items():
        rates = [group["positive"] for group in one["groups"]]
        right = [group["accuracy"] for group in one["groups"]]
        rows.append([
            _model({"classifier": classifier, "trained": trained, "tested": tested}),
            f"{100 * (max(rates) - min(rates)):.0f}\u00a0%", f"{100 * min(right):.0f} to {100 * max(right):.0f}\u00a0%",
        ])  # fmt: skip
    caption = ["Gap of favourable decisions between the groups, and how often the model is right about a group: ",
               shown(column, 40)]  # fmt: skip
    return table(caption, ["model", "gap", "right about"], rows, [1, 2])


def _model(one: Mapping[str, Any]) -> list[Any]:
    """A model in a table: the classifier, and below it what it learnt from and was tested on."""
    return [shown(spoken(one["classifier"]), 40), tag("div", SHORT[key_of(one)], class_="range")]


def statistics(survival: Mapping[str, Any]) -> list[Html]:
    """Queries, marginals and associations."""
    queries = survival["queries"]
    half, mean = queries["median"], queries["mean"]
    said = (
        f"{count(survival['asked'])} random counting questions (how many people have these values in one to three "
        f"columns?) were put to the source and to the release. Half of the answers are off by at most "
        f"{percent(half['value'])} of the true count ({percent(half['low'])} to {percent(half['high'])}). "
        f"Counts of few people are off by more, so the mean error is {percent(mean['value'])}. "
    )
    error = survival.get("association_error")
    if error is not None:
        said += f"How strongly two columns go together (Cramér’s V, 0 to 1) changes by {number(error)} on average."
    made = [tag("h3", "Do statistics survive?"), tag("p", said)]
    if survival.get("marginals"):
        worst = sorted(survival["marginals"].items(), key=lambda item: -item[1])
        chart = bars(
            "Distance of the distributions", [(shown(name), [Bar(v, percent(v))]) for name, v in worst],
            axis="records that would have to change their value, in percent", most=max(worst[0][1], 0.1),
        )  # fmt: skip
        caption = (
            "How far the distribution of each column is from the source’s (total variation distance), when a coarser "
            "value is read as any of the values behind it with equal chance."
        )
        made.append(
            tag("div", figure(chart, [caption]), associations(survival.get("associations")), class_="charts even")
        )
    return made


def associations(pairs: Sequence[Mapping[str, Any]] | None) -> Html | None:
    """Internal: every pair of columns, before and after."""
    if not pairs:
        return None
    worst = sorted(pairs, key=lambda one: -abs(one["original"] - one["release"]))
    chart = agreement(
        f"{len(pairs)} pairs of columns by their association in the source and in the release",
        [(one["original"], one["release"]) for one in pairs],
        across="Cramér’s V in the source", up="Cramér’s V in the release",
    )  # fmt: skip
    rows = [
        [[shown(one["columns"][0], 30), " and ", shown(one["columns"][1], 30)], number(one["original"]),
         number(one["release"])]
        for one in worst[:MOST_PAIRS]
    ]  # fmt: skip
    caption = "Each point is a pair of columns: on the diagonal it goes together as strongly as before."
    some = f"The {MOST_PAIRS} pairs that changed most" if len(pairs) > MOST_PAIRS else "The same in numbers"
    numbers = table(some + ", Cramér’s V", ["pair", "in the source", "in the release"], rows, [1, 2])
    return tag("div", figure(chart, [caption]), numbers)


def interval(found: Mapping[str, Any]) -> Any:
    """A value, and its interval below it; a dash where there is none."""
    ends = [found[key] for key in ("value", "low", "high")]
    if any(end is None for end in ends):
        return "–"
    value, low, high = (f"{100 * end:.1f}".replace("-", "−") for end in ends)
    return [value, tag("div", f"{low} to {high}", class_="range")]


def _point(found: Mapping[str, Any], kind: int) -> Point:
    return Point(found["value"], found["low"], found["high"], kind)


def _group_point(one: Mapping[str, Any], group: str, kind: int) -> Point:
    held = next(g for g in one["groups"] if g["group"] == group)
    return Point(held["positive"], held["low"], held["high"], kind)
