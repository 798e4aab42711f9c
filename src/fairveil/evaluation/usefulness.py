"""utility: what a release is good for. Models trained on it against models trained on the original, and statistics.

>>> import fairveil as fv
>>> adult = fv.datasets.adult()
>>> train, test = adult.table.take(np.arange(0, 2000)), adult.table.take(np.arange(2000, 3000))
>>> release = fv.search(train, adult.schema, guards=[fv.KAnonymity(5)]).best("loss")
>>> found = fv.utility(release, train, test, resamples=20, queries=50)
>>> [(model.classifier, model.trained, model.tested) for model in found.models[:3]]
[('tree', 'original', 'original'), ('tree', 'release', 'recoded'), ('tree', 'release', 'original')]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from fairveil.comparison.encoding import Encoding
from fairveil.errors import BadInput
from fairveil.evaluation.recoded import recoded
from fairveil.evaluation.scores import Answers, Bootstrap, Estimate, estimates
from fairveil.evaluation.survival import Survival, survival
from fairveil.evaluation.utility import texts
from fairveil.measures import fairness
from fairveil.recipes.decomposition import Decomposition
from fairveil.release import Release
from fairveil.table import Table


@dataclass(frozen=True)
class Fairness:
    """How a model treats the groups of one protected column: the fairness scores, and each group by itself."""

    column: str
    scores: dict[str, float]
    groups: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Model:
    """One classifier: what it was trained on ("original", "release"), and the test rows as they are ("original") or
    as the recipe recodes them ("recoded"). `lost` is the same classifier's baseline minus this, row by row paired."""

    classifier: str
    trained: str
    tested: str
    scores: dict[str, Estimate]
    lost: dict[str, Estimate]
    fairness: tuple[Fairness, ...]


@dataclass(frozen=True)
class Utility:
    """What a release is good for. `unpublished` test rows the recipe cannot recode: there the release's most frequent
    decision is the answer. `guess` is the accuracy of always saying the original's most frequent one."""

    models: tuple[Model, ...]
    survival: Survival | None
    guess: float
    test_rows: int
    unpublished: int

    def rows(self) -> list[dict[str, Any]]:
        """A record per model and score, for tables and frames."""
        return [
            {"classifier": model.classifier, "trained": model.trained, "tested": model.tested, "score": name,
             **asdict(found), "lost": model.lost[name].value, "lost_low": model.lost[name].low,
             "lost_high": model.lost[name].high}
            for model in self.models
            for name, found in model.scores.items()
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        held = asdict(replace(self, survival=None))
        if self.survival is not None:
            held["survival"] = {
                "queries": {name: asdict(found) for name, found in self.survival.queries.items()},
                "asked": self.survival.asked,
                "marginals": dict(self.survival.marginals),
                "association_error": self.survival.association_error,
                "associations": [
                    {"columns": list(pair), "original": before, "release": after}
                    for pair, (before, after) in self.survival.associations.items()
                ],
            }
        return held


def utility(
    release: Release,
    original: Any,
    test: Any,
    *,
    classifiers: Mapping[str, Any] | None = None,
    queries: int = 500,
    resamples: int = 200,
    seed: int = 0,
) -> Utility:
    """Train on the release and on the original, test both on people who are in neither, compare the statistics.

    `original` is the table that was released, `test` others of the same kind. `classifiers` are scikit-learn
    classifiers by name, a decision tree and logistic regression unless given. Intervals are of 95 %: of the scores by
    `resamples` bootstrap resamples of the test rows, of query errors over `queries` random queries.
    """
    schema = release.schema
    before, after = Table.from_frame(original), Table.from_frame(test)
    if schema.decision is None:
        raise BadInput("utility needs a decision column to learn, and the schema names none")
    for name, value, least in (("queries", queries, 1), ("resamples", resamples, 2)):
        if not value >= least:
            raise BadInput(f"{name} must be at least {least}, not {value}")
    parts = release.outcome.parts if release.outcome.parts is not None else (release.table,)
    hidden = {schema.decision, *schema.identifier, *schema.pseudonyms, *schema.drop}
    names = [name for name in before.names if name not in hidden]
    for table in (before, after):
        table.need([*names, schema.decision])
    if not after.rows or not all(part.rows for part in parts):
        raise BadInput("utility needs published rows to learn from and test rows to try it on")
    for part in parts:
        part.need([schema.decision])
    trial = _Trial(release, before, after, names, resamples, seed)
    models = [model for kind, made in (classifiers or usual()).items() for model in trial.models(kind, made)]
    kept = None
    if release.outcome.parts is None:
        shared = [name for name in (*schema.quasi, schema.decision) if name in release.table]
        kept = survival(release.recipe, release.table, before, shared, queries=queries, seed=seed)
    return Utility(tuple(models), kept, trial.guess(), after.rows, trial.unpublished)


def usual() -> dict[str, Any]:
    """The classifiers that are tried unless others are given."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    return {"tree": DecisionTreeClassifier(min_samples_leaf=5), "logistic": LogisticRegression(max_iter=1000)}


class _Trial:
    """Everything that the models of one release share: decisions as codes, and the same resamples of the test rows."""

    def __init__(
        self, release: Release, before: Table, after: Table, names: list[str], resamples: int, seed: int
    ) -> None:
        self.release, self.before, self.after, self.names, self.seed = release, before, after, names, seed
        self.decision = str(release.schema.decision)
        learnt = release.outcome.parts[0] if release.outcome.parts is not None else release.table
        held = [texts(table, self.decision) for table in (before, learnt, after)]
        self.labels = np.unique(np.concatenate(held))
        self.known, self.released, self.truth = (np.searchsorted(self.labels, one) for one in held)
        self.bootstrap = Bootstrap(self.truth, len(self.labels), resamples=resamples, seed=seed)
        self.unpublished = 0
        if release.outcome.parts is None:
            self.recoded, self.recoded_rows = recoded(release.recipe, after)
            self.unpublished = after.rows - len(self.recoded_rows)

    def guess(self) -> float:
        return float((self.truth == np.bincount(self.known).argmax()).mean())

    def models(self, kind: str, classifier: Any) -> Iterator[Model]:
        baseline = self._learnt(classifier, self.before, self.known)
        base = baseline(self.after)
        scores = self.bootstrap.scores(base)
        yield self._model(kind, "original", "original", base, scores, scores)
        for tested, said in self._of_release(classifier):
            yield self._model(kind, "release", tested, said, self.bootstrap.scores(said), scores)

    def _of_release(self, classifier: Any) -> Iterator[tuple[str, Answers]]:
        if isinstance(self.release.recipe, Decomposition):
            yield "recoded", self._of_projections(self.release.recipe, classifier)
            return
        model = self._learnt(classifier, self.release.table, self.released)
        share = np.bincount(self.released, minlength=len(self.labels)) / len(self.released)
        scored = np.tile(share, (self.after.rows, 1))
        decided = np.full(self.after.rows, int(share.argmax()))
        if len(self.recoded_rows):
            said = model(self.recoded)
            decided[self.recoded_rows], scored[self.recoded_rows] = said.decided, said.scored
        yield "recoded", Answers(decided, scored)
        yield "original", model(self.after)

    def _of_projections(self, recipe: Decomposition, classifier: Any) -> Answers:
        """A classifier per projection, combined as the paper does; test rows are recoded as each projection is."""
        from fairveil.methods.dmpd.model import Combined

        model = Combined.fit(recipe, self.release.outcome.parts or (), classifier, seed=self.seed)
        scored = np.zeros((self.after.rows, len(self.labels)))
        scored[:, np.searchsorted(self.labels, [str(label) for label in model.labels])] = model.probabilities(
            self.after
        )
        return Answers(scored.argmax(axis=1), scored)

    def _learnt(self, classifier: Any, table: Table, target: np.ndarray) -> Any:
        """From a table to the answers of a model that was trained on `table`."""
        encoding = Encoding.of(table, [name for name in self.names if name in table])
        if len(np.unique(target)) < 2:
            only, size = int(target[0]), len(self.labels)
            return lambda asked: Answers(np.full(asked.rows, only), np.tile(np.eye(size)[only], (asked.rows, 1)))
        model = _fresh(classifier, self.seed).fit(encoding.matrix(table), target)
        return lambda asked: _answers(model, encoding.matrix(asked), len(self.labels))

    def _model(
        self, kind: str, trained: str, tested: str, said: Answers, scores: Mapping[str, np.ndarray],
        base: Mapping[str, np.ndarray],
    ) -> Model:  # fmt: skip
        lost = {name: base[name] - values for name, values in scores.items()}
        return Model(kind, trained, tested, estimates(scores), estimates(lost), tuple(self._fairness(said)))

    def _fairness(self, said: Answers) -> Iterator[Fairness]:
        """By each protected column of the test rows, as they are in truth."""
        schema = self.release.schema
        if not schema.denied_values:
            return
        good = ~np.isin(self.labels, [str(value) for value in schema.denied_values])
        right = said.decided == self.truth
        for column in schema.protected:
            groups = texts(self.after, column)
            counts = fairness.tally(good[self.truth], good[said.decided], groups)
            each = [
                {"group": ratio.group, "rows": ratio.rows, "positive": ratio.ratio, "low": ratio.low,
                 "high": ratio.high, "accuracy": float(right[groups == ratio.group].mean())}
                for ratio in fairness.positive_ratios(counts)
            ]  # fmt: skip
            yield Fairness(column, {score.name: score.of(counts) for score in fairness.SCORES}, tuple(each))


def _fresh(classifier: Any, seed: int) -> Any:
    """An untrained copy; randomness that was left open follows from the seed."""
    from sklearn.base import clone

    model = clone(classifier)
    open_seeds = [name for name, value in model.get_params().items() if name.endswith("random_state") and value is None]
    return model.set_params(**dict.fromkeys(open_seeds, seed))


def _answers(model: Any, inputs: np.ndarray, classes: int) -> Answers:
    decided = np.asarray(model.predict(inputs))
    scored = np.full((len(inputs), classes), -np.inf)
    if hasattr(model, "predict_proba"):
        scored[:] = 0.0
        scored[:, model.classes_] = model.predict_proba(inputs)
    elif hasattr(model, "decision_function"):
        margin = np.asarray(model.decision_function(inputs))
        scored[:, model.classes_] = np.column_stack([-margin, margin]) if margin.ndim == 1 else margin
    else:
        scored = np.eye(classes)[decided]
    return Answers(decided, scored)
