"""Which figures of a Utility may be published with the release, and with how many digits.

All of them are computed from the source, so only a few are published, rounded and about many people:

- nothing if fewer than `MIN_ROWS` people were tested: a share of a few people is a count, and k-anonymity must not
  disclose counts of the source;
- nothing with differential privacy: its ε would not cover these figures;
- rounded to steps of at least ten of the people that a figure is about (`counting/rounding.py`);
- groups of at least `MIN_GROUP` people that the published data itself names; where a protected column was
  generalized, its groups are merged accordingly;
- distributions only of columns that are published with more than one value; associations only as their mean change,
  because a hidden column was hidden for its association with the decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.rounding import coarse_share
from fairveil.data.text_form import as_text
from fairveil.measures import fairness
from fairveil.release.figures import coarse

if TYPE_CHECKING:
    from fairveil.evaluation.utility import Utility
    from fairveil.release.release import Release

MIN_ROWS = 100
MIN_GROUP = 50


UNPUBLISHED = "what the release is good for is not published"


def uncovered(release: Release) -> str:
    """Why a promise of the recipe forbids publishing the utility; empty if none does."""
    if "differential_privacy" in release.recipe.claimed():
        return "its figures are computed from the source, and the promised ε would not cover them"
    return ""


def withheld(release: Release) -> str:
    """Why the utility may not be published; empty if it may."""
    utility = release.utility
    if utility is None:
        return "it was not measured"
    if uncovered(release):
        return uncovered(release)
    if utility.test_rows < MIN_ROWS:
        few = f"fewer than {MIN_ROWS} are too few to publish"
        return f"its figures are about {utility.test_rows} test records, and {few}"
    return ""


def public(release: Release) -> dict[str, Any] | None:
    """The utility as published in `evidence.json`; None if nothing may be published."""
    if release.utility is None or withheld(release):
        return None
    every_figure = release.utility.to_dict()
    texts_of = _shown_values(release)
    rows = release.utility.test_rows
    figures = {
        "learnt": every_figure["learnt"],
        "train_rows": every_figure["train_rows"],
        "test_rows": every_figure["test_rows"],
        "guess": rounded(every_figure["guess"], rows),
        **({"loss": rounded(every_figure["loss"], rows)} if every_figure["loss"] is not None else {}),
        "models": [
            {
                **{key: model[key] for key in ("classifier", "trained", "tested")},
                "scores": rounded(model["scores"], rows),
                "lost": rounded(model["lost"], rows),
                "fairness": [
                    f for by_group in model["fairness"] if (f := _fairness(by_group, texts_of, release)) is not None
                ],
            }
            for model in every_figure["models"]
        ],
    }
    if every_figure["survival"] is None:
        return figures
    statistics = {
        key: rounded(every_figure["survival"][key], rows) for key in ("queries", "asked", "association_error")
    }
    visible = {
        name: rounded(v, rows) for name, v in every_figure["survival"]["marginals"].items() if len(texts_of[name]) > 1
    }
    return {**figures, "survival": {**statistics, "marginals": visible}}


def plainly(utility: Utility) -> dict[str, Any]:
    """All figures, for the internal report; undefined ones are None."""
    figures: dict[str, Any] = rounded(utility.to_dict())
    return figures


def _fairness(
    by_group: Mapping[str, Any], texts_of: Mapping[str, frozenset[str]], release: Release
) -> dict[str, Any] | None:
    """The groups that are large and named in the published data; scores over all groups only if all of them are."""
    names = texts_of.get(by_group["column"], frozenset())
    groups = [dict(group) for group in by_group["groups"]]
    labels = _labels(release, by_group["column"])
    if labels is not None:
        groups = _merged(groups, labels)
    public_groups = [
        {
            "group": group["group"],
            **{key: rounded(group[key], group["rows"]) for key in ("positive", "low", "high", "accuracy")},
        }
        for group in groups
        if group["rows"] >= MIN_GROUP and group["group"] in names
    ]
    if len(public_groups) < 2:
        return None
    whole = len(public_groups) == len(by_group["groups"])  # no group was merged or left out
    return {
        "column": by_group["column"],
        "scores": rounded(by_group["scores"], min(g["rows"] for g in groups)) if whole else {},
        "groups": public_groups,
    }


def _labels(release: Release, column: str) -> dict[str, str] | None:
    """The published label of each value of a column; None if a value is published in several ways."""
    rows = release.published.source_rows
    if rows is None or column not in release.source.names or column not in release.table:
        return None
    before, after = release.original.column(column), release.table.column(column)
    pairs = np.unique(np.column_stack([before.codes[rows], after.codes]), axis=0)
    if len(np.unique(pairs[:, 0])) < len(pairs):
        return None
    return {as_text(before.domain[int(old)]): as_text(after.domain[int(new)]) for old, new in pairs}


def _merged(groups: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """The groups merged by published label; people whose value is not published are in no group."""
    merged: dict[str, list[Mapping[str, Any]]] = {}
    for group in groups:
        if group["group"] in labels:
            merged.setdefault(labels[group["group"]], []).append(group)
    rows = np.array([sum(g["rows"] for g in parts) for parts in merged.values()])
    counts = [
        [round(sum(g["rows"] * g[key] for g in parts)) for parts in merged.values()] for key in ("positive", "accuracy")
    ]
    ratios = fairness.positive_ratios(fairness.GroupCounts(tuple(merged), rows, np.array(counts[0]))) if merged else []
    return [
        {"group": ratio.group, "rows": ratio.rows, "positive": ratio.ratio, "low": ratio.low, "high": ratio.high,
         "accuracy": right / ratio.rows}
        for ratio, right in zip(ratios, counts[1], strict=True)
    ]  # fmt: skip


def _shown_values(release: Release) -> dict[str, frozenset[str]]:
    """The values of each published column, as text."""
    return {
        column.name: frozenset(as_text(value) for value in column.compact().domain)
        for table in release.published.tables.values()
        for column in table.columns
    }


def rounded(value: Any, rows: int | None = None) -> Any:
    """Round the shares of `rows` people in plain data, or to twelve decimal places; NaN and infinities become None."""
    if isinstance(value, Mapping):
        return {key: rounded(inner, rows) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner, rows) for inner in value]
    if isinstance(value, float):
        if not isfinite(value):
            return None
        return coarse(value, 12) if rows is None else coarse_share(value, rows)
    return value
