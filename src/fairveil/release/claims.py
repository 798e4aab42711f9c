"""Claims: all that a release says which anybody can compute again from its files.

They are a function of a `Published` and of nothing else. Saving writes them into the evidence, and `verify` computes
them again from the folder, by the same code. What needs the source is in `figures.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from fairveil import measures
from fairveil.attacks import ATTACKS, cheap, weaknesses
from fairveil.counting.cells import Classes
from fairveil.counting.summary import Summary, information_gain, summarize_classes
from fairveil.progress import Progress
from fairveil.published.published import Published
from fairveil.recipes.outcome import ONLY

UNKNOWN = float("nan")


def named_parts(evidence: Mapping[str, Any]) -> dict[str, list[str]]:
    """The measures and attacks of other packages that an evidence names; raises UnknownPart for one that is not
    installed."""
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
    """Everything of the evidence that follows from what is published. Of measures and attacks of other packages only
    those in `measured_by` and `tried` are included, if these are given."""
    verdicts = published.verdicts()
    summary = summary_of(published)
    types = {name: dict(content.types) for name, content in published.content.items()}
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
    """What measures need to know, as far as the published files tell; NaN is what only the source tells."""
    names = list(published.schema.quasi)
    paid = {name: (_listed_loss(published, name), UNKNOWN) for name in names}
    rows = published.rows + published.suppressed
    classes = published.classes
    if classes is None:
        return _split_summary(published, rows)
    heights = {name: (level, height) for name, (level, height) in levels(published).items()}
    return summarize_classes(
        classes, published.schema, rows=rows, paid=paid, full_entropy=dict.fromkeys(names, UNKNOWN), levels=heights
    )


def measured(summary: Summary, names: Sequence[str] | None = None) -> dict[str, float]:
    """Every measure that applies, costs next to nothing and is known, by name."""
    with np.errstate(divide="ignore", invalid="ignore"):  # where nothing is published, most measures say nothing
        return measures.of_summary(summary, names)


def lost(summary: Summary, published: Published) -> dict[str, float]:
    """The mean loss of each quasi column that is known; a suppressed row has lost everything."""
    rows = max(int(summary.rows[0]), 1)
    per_column = (summary.loss[0] + published.suppressed) / rows
    named = zip(published.schema.quasi, per_column.tolist(), strict=True)
    return {name: value for name, value in named if np.isfinite(value)}


def levels(published: Published) -> dict[str, list[int]]:
    """Level and height of each quasi column, where all its values are published at one level."""
    found: dict[str, list[int]] = {}
    for name in published.schema.quasi:
        level = published.recipe.level_of(name)
        if level is not None:
            found[name] = [level, max(published.schema.hierarchy(name).height or level, level)]
    return found


def _listed_loss(published: Published, name: str) -> float:
    """The loss of a column, summed over its published rows, where the recipe alone tells."""
    if not published.whole or name not in published.names:
        return UNKNOWN
    content = published.content[ONLY]
    losses = published.recipe.listed_losses(content.domain(name))
    return UNKNOWN if losses is None else float((content.count([name]).counts * losses).sum())


def _split_summary(published: Published, rows: int) -> Summary:
    """Of projections: the level of anonymity as smallest class, and what each column tells about the decision."""
    names = list(published.schema.quasi)
    per_column = np.full((1, len(names)), UNKNOWN)
    everything: dict[str, np.ndarray] = {field.name: np.array([UNKNOWN]) for field in fields(Summary)}
    columns = dict.fromkeys(("loss", "entropy", "full_entropy", "levels", "heights"), per_column)
    known = {
        "rows": np.array([float(rows)]),
        "kept": np.array([float(published.rows)]),
        "smallest": np.array([float(published.projections.level) if published.content else 0.0]),
        "gain": np.array([[_gain(published, name) for name in names]]),
        "weights": np.array([[published.schema.weight(name) for name in names]]),
    }
    return Summary(**{**everything, **columns, **known})


def _gain(published: Published, name: str) -> float:
    """Of the projections that have a column, the one where it tells most; nothing where none has it."""
    decision = published.schema.decision
    assert decision is not None, "projections are joined on the decision"
    alone = [
        Classes.of(content.count([name, decision]), [name])
        for content in published.content.values()
        if name in content.names
    ]
    return max((information_gain(classes, [name], decision) for classes in alone), default=0.0)


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    """Twelve digits: enough, and the same on every machine."""
    return {name: float(f"{value:.12g}") for name, value in values.items()}
