"""Claims: the statements of a release that anybody can recompute from its files.

They are a function of a `Published` and of nothing else. Saving writes them into the evidence, and `verify` computes
them again from the folder, by the same code. Figures that need the source are in `figures.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures
from fairveil.attacks import ATTACKS, cheap, weaknesses
from fairveil.counting.cells import Classes
from fairveil.counting.summary import Summary, information_gain, summarize_classes
from fairveil.data.table import Column
from fairveil.engines.relation import in_value_order, types_of
from fairveil.measures.summarized import loss_per_column
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.progress import Progress
    from fairveil.published.published import Published

UNKNOWN = float("nan")


def named_parts(evidence: Mapping[str, Any]) -> dict[str, list[str]]:
    """The measures and attacks that the evidence names; raises UnknownPart for one that is not installed."""
    figures, findings = evidence.get("measures"), evidence.get("attacks")
    names = {
        "measured_by": list(figures) if isinstance(figures, Mapping) else [],
        "tried": [f.get("attack") for f in findings if isinstance(f, Mapping)] if isinstance(findings, list) else [],
    }
    for name in names["measured_by"]:
        measures.MEASURES.get(name)
    for name in names["tried"]:
        ATTACKS.get(name)
    return names


def claims(
    published: Published,
    progress: Progress,
    measured_by: Sequence[str] | None = None,
    tried: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return the entries of the evidence that follow from the published data. Of measures and attacks of other packages
    only those in `measured_by` and `tried` are included, if these are given."""
    verdicts = published.verdicts()
    summary = summary_of(published)
    types = {name: types_of(content) for name, content in published.content.items()}
    return {
        "format": 1,
        "order": published.order,
        "holds": all(verdicts),
        "guards": [verdict.to_dict() for verdict in verdicts],
        "measures": _rounded(measured(summary, measured_by)),
        "loss_per_column": _rounded(lost(summary, published)),
        "types": types.get(ONLY, types),
        "attacks": [finding.to_dict() for finding in cheap(published, progress, tried)],
        "weaknesses": weaknesses(published),
        "levels": levels(published),
        **({"claims": dict(published.recipe.claimed())} if published.recipe.claimed() else {}),
    }


def summary_of(published: Published) -> Summary:
    """The input of the measures, from the published files; NaN where only the source has the value."""
    names = list(published.schema.quasi)
    paid = {name: (_listed_loss(published, name), UNKNOWN) for name in names}
    rows: float = published.rows + published.suppressed
    classes, schema = published.classes, published.schema
    if classes is None:
        return _split_summary(published, rows)
    heights = {name: (level, height) for name, (level, height) in levels(published).items()}
    if schema.person is not None and not schema.links:  # what was counted by persons
        unknown = (UNKNOWN, UNKNOWN)
        level, height = ([float(heights.get(name, unknown)[i]) for name in names] for i in (0, 1))
        weights = [schema.loss_weight(name) for name in names]
        return Summary.of(1, len(names), levels=level, heights=height, weights=weights)
    if schema.person is not None:
        rows = _persons_of_source(published, len(np.unique(classes.codes[schema.person])))
        paid = {name: (_loss_by_persons(published, classes, name), UNKNOWN) for name in names}
    return summarize_classes(
        classes, schema, rows=rows, paid=paid, full_entropy=dict.fromkeys(names, UNKNOWN), levels=heights
    )


def _persons_of_source(published: Published, here: int) -> float:
    """The number of persons of the source, of whom so many are `here`; NaN where the evidence does not say it, as it
    did not at first."""
    if published.persons is not None:
        return published.persons.source
    return UNKNOWN if published.suppressed else here


def measured(summary: Summary, names: Sequence[str] | None = None) -> dict[str, float]:
    """The value of every measure that applies and is known from a summary, by name."""
    with np.errstate(divide="ignore", invalid="ignore"):  # without published rows most measures are NaN
        return measures.of_summary(summary, names)


def lost(summary: Summary, published: Published) -> dict[str, float]:
    """The mean loss of each quasi column, where it is known; a suppressed row has loss 1."""
    with np.errstate(divide="ignore", invalid="ignore"):  # without any rows
        per_column = loss_per_column(summary)[0]
    named = zip(published.schema.quasi, per_column.tolist(), strict=True)
    return {name: value for name, value in named if np.isfinite(value)}


def levels(published: Published) -> dict[str, list[int]]:
    """The level and height of each quasi column whose values are all published at one level."""
    heights: dict[str, list[int]] = {}
    for name in published.schema.quasi:
        level = published.recipe.level_of(name)
        if level is not None:
            heights[name] = [level, max(published.schema.hierarchy(name).height or level, level)]
    return heights


def _listed_loss(published: Published, name: str) -> float:
    """The loss of a column, summed over its published rows; NaN where it does not follow from the recipe."""
    if not published.whole or name not in published.names:
        return UNKNOWN
    content = published.content[ONLY]
    losses = published.recipe.listed_losses(content.domain(name))
    return UNKNOWN if losses is None else float((in_value_order(content.count([name])).counts * losses).sum())


def _loss_by_persons(published: Published, classes: Classes, name: str) -> float:
    """The same where the release says which records are of one person, who counts once."""
    codes = classes.codes[name]
    losses = published.recipe.listed_losses(Column(name, codes, classes.labels[name]))
    return UNKNOWN if losses is None else float((classes.shares(published.schema.person) * losses[codes]).sum())


def _split_summary(published: Published, rows: float) -> Summary:
    """The summary of projections: the smallest class is the level of anonymity, and each column has its gain."""
    names = list(published.schema.quasi)
    per_column = np.full((1, len(names)), UNKNOWN)
    everything: dict[str, np.ndarray] = {field.name: np.array([UNKNOWN]) for field in fields(Summary)}
    columns = dict.fromkeys(("loss", "entropy", "full_entropy", "levels", "heights"), per_column)
    figures = {
        "rows": np.array([float(rows)]),
        "kept": np.array([float(published.rows)]),
        "smallest": np.array([float(published.projections.level) if published.content else 0.0]),
        "gain": np.array([[_gain(published, name) for name in names]]),
        "weights": np.array([[published.schema.loss_weight(name) for name in names]]),
    }
    return Summary(**{**everything, **columns, **figures})


def _gain(published: Published, name: str) -> float:
    """The highest information gain of a column over the projections that have it; 0 if none has it."""
    decision = published.schema.decision
    assert decision is not None, "projections are joined on the decision"
    alone = [
        Classes.of(in_value_order(content.count([name, decision])), [name])
        for content in published.content.values()
        if name in content.names
    ]
    return max((information_gain(classes, [name], decision) for classes in alone), default=0.0)


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    """The values rounded to twelve significant digits, which are the same on every machine."""
    return {name: float(f"{value:.12g}") for name, value in values.items()}
