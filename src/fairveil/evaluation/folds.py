"""Cross-validation through a recipe: what is published of some rows of the source, tested on the others as recoded."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairveil.data.table import Table
from fairveil.evaluation.trial import Published, Trial
from fairveil.learning.scores import SCORES
from fairveil.measures.accuracy import folds_of
from fairveil.release.release import Release


def through_the_recipe(release: Release, source: Table, classifier: Any, *, folds: int) -> dict[str, float]:
    """The mean scores over folds of the source's rows; of a table that is not made of them, one test on all rows."""
    published, decision = Published.of(release), str(release.schema.decision)
    if published.parts is None:
        return _scores(published, source, source, classifier, release.seed)
    codes = source.column(decision).codes
    able = hasattr(classifier, "predict_proba")  # classifiers of projections are combined by their probabilities
    if not able or not published.parts or source.rows < folds or len(np.unique(codes)) < 2:
        return dict.fromkeys(SCORES, float("nan"))
    fold = folds_of(codes, folds, release.seed)
    every = []
    for number in range(folds):
        kept, aside = (source.take(np.flatnonzero(mask)) for mask in (fold != number, fold == number))
        every.append(_scores(published.only(kept), kept, aside, classifier, release.seed))
    return {name: float(np.mean([one[name] for one in every])) for name in SCORES}


def _scores(published: Published, kept: Table, aside: Table, classifier: Any, seed: int) -> dict[str, float]:
    trial = Trial(published, kept, aside, published.recipe.schema.quasi, resamples=0, seed=seed)
    _, said = next(trial.of_release(classifier))
    return {name: float(values[0]) for name, values in trial.bootstrap.scores(said).items()}
