"""Which figures of a Utility may be published with the release, and how many digits of them.

All of them are computed from the source, so what is published is little, coarse and about many people:

- nothing where fewer than `LEAST_ROWS` people were tested: a share of a few people is a count, and a count of the
  source is what k-anonymity keeps from the reader;
- nothing beside differential privacy: these figures would not be covered by its ε;
- three digits of what is about everybody, two of what is about a group;
- groups of at least `LEAST_GROUP` people that the published data itself names; where a protected column was made
  coarser, its groups are put together as it is published;
- distributions of columns of which the release shows something; associations only as their mean change, because a
  hidden column's association with the decision is what hiding it was for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.evaluation.utility import Utility
from fairveil.measures import fairness

if TYPE_CHECKING:
    from fairveil.release.release import Release

LEAST_ROWS = 100
LEAST_GROUP = 50
DIGITS, GROUP_DIGITS = 3, 2


def withheld(release: Release) -> str:
    """Why nothing of its utility may be published; empty where it may."""
    utility = release.utility
    if utility is None:
        return "it was not measured"
    if "differential_privacy" in release.recipe.claimed():
        return "its figures are computed from the source and would not be covered by the ε that is promised"
    if utility.test_rows < LEAST_ROWS:
        return (
            f"its figures are about {utility.test_rows} test records, and fewer than {LEAST_ROWS} are too few to tell"
        )
    return ""


def public(release: Release) -> dict[str, Any] | None:
    """What `evidence.json` says of the utility; None where nothing may be said."""
    if release.utility is None or withheld(release):
        return None
    whole = release.utility.to_dict()
    shown = _shown_values(release)
    said = {
        "learnt": whole["learnt"],
        "train_rows": whole["train_rows"],
        "test_rows": whole["test_rows"],
        "guess": rounded(whole["guess"], DIGITS),
        **({"loss": rounded(whole["loss"], DIGITS)} if whole["loss"] is not None else {}),
        "models": [
            {
                **{key: model[key] for key in ("classifier", "trained", "tested")},
                "scores": rounded(model["scores"], DIGITS),
                "lost": rounded(model["lost"], DIGITS),
                "fairness": [kept for one in model["fairness"] if (kept := _fairness(one, shown, release)) is not None],
            }
            for model in whole["models"]
        ],
    }
    if whole["survival"] is None:
        return said
    kept = {key: rounded(whole["survival"][key], DIGITS) for key in ("queries", "asked", "association_error")}
    visible = {name: rounded(v, DIGITS) for name, v in whole["survival"]["marginals"].items() if len(shown[name]) > 1}
    return {**said, "survival": {**kept, "marginals": visible}}


def plainly(found: Utility) -> dict[str, Any]:
    """All of it, for the internal report; what has no value is None."""
    whole: dict[str, Any] = rounded(found.to_dict(), 12)
    return whole


def _fairness(one: Mapping[str, Any], shown: Mapping[str, frozenset[str]], release: Release) -> dict[str, Any] | None:
    """The groups that are large and named in the data; scores over all groups only where all of them are."""
    names = shown.get(one["column"], frozenset())
    groups = [dict(group) for group in one["groups"]]
    labels = _labels(release, one["column"])
    if labels is not None:
        groups = _merged(groups, labels)
    told = [
        {"group": g["group"], **{key: rounded(g[key], GROUP_DIGITS) for key in ("positive", "low", "high", "accuracy")}}
        for g in groups
        if g["rows"] >= LEAST_GROUP and g["group"] in names
    ]
    if len(told) < 2:
        return None
    whole = len(told) == len(one["groups"])  # nothing was put together or left out
    return {"column": one["column"], "scores": rounded(one["scores"], GROUP_DIGITS) if whole else {}, "groups": told}


def _labels(release: Release, column: str) -> dict[str, str] | None:
    """How each value of a column is published, where that is always the same way; None where it is not."""
    rows = release.source_rows
    if rows is None or column not in release.source.names or column not in release.table:
        return None
    before, after = release.original.column(column), release.table.column(column)
    pairs = np.unique(np.column_stack([before.codes[rows], after.codes]), axis=0)
    if len(np.unique(pairs[:, 0])) < len(pairs):
        return None
    return {str(before.domain[int(old)]): str(after.domain[int(new)]) for old, new in pairs}


def _merged(groups: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """The groups as they are published; people whose value is not published at all are in none."""
    held: dict[str, list[Mapping[str, Any]]] = {}
    for group in groups:
        if group["group"] in labels:
            held.setdefault(labels[group["group"]], []).append(group)
    rows = np.array([sum(g["rows"] for g in some) for some in held.values()])
    counts = [
        [round(sum(g["rows"] * g[key] for g in some)) for some in held.values()] for key in ("positive", "accuracy")
    ]
    ratios = fairness.positive_ratios(fairness.Tally(tuple(held), rows, np.array(counts[0]))) if held else []
    return [
        {"group": one.group, "rows": one.rows, "positive": one.ratio, "low": one.low, "high": one.high,
         "accuracy": right / one.rows}
        for one, right in zip(ratios, counts[1], strict=True)
    ]  # fmt: skip


def _shown_values(release: Release) -> dict[str, frozenset[str]]:
    """The values of each published column, as texts."""
    return {
        column.name: frozenset(str(value) for value in column.compact().domain)
        for table in release.published.tables.values()
        for column in table.columns
    }


def rounded(value: Any, digits: int) -> Any:
    """Numbers anywhere in plain data to so many digits after the point; what is no number is None."""
    if isinstance(value, Mapping):
        return {key: rounded(inner, digits) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner, digits) for inner in value]
    if isinstance(value, float):
        return round(value, digits) if isfinite(value) else None
    return value
