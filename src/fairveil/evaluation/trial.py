"""Examination: classifiers are trained on the original and on the published data, and tested on the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.table import Table
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput
from fairveil.evaluation.individual import ComparedPeople, IndividualFairness
from fairveil.learning.classifiers import fresh
from fairveil.learning.combined import Combined
from fairveil.learning.encoding import Hidden, OneHot, texts
from fairveil.learning.folds import sample
from fairveil.learning.scores import Bootstrap, Estimate, Predictions, estimates, rankings
from fairveil.measures import fairness
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.published.published import Published

Predict = Callable[[Table], Predictions]
"""From rows to the predictions of a model for them."""
PIECE = 1 << 12
"""Rows that are encoded at a time, unless they are test rows."""


@dataclass(frozen=True)
class Fairness:
    """How a model treats the groups of one protected column: the fairness scores, and the figures of each group."""

    column: str
    scores: dict[str, float]
    groups: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Model:
    """One classifier: what it was trained on ("original", "release"), and the test rows as they are ("original") or
    as the recipe recodes them ("recoded"). `lost` is the same classifier's baseline minus this, paired by row.
    `roc` is the ROC curve where there are two decisions; it is never published."""

    classifier: str
    trained: str
    tested: str
    scores: dict[str, Estimate]
    lost: dict[str, Estimate]
    fairness: tuple[Fairness, ...]
    roc: tuple[tuple[float, float], ...] = field(default=(), compare=False, repr=False)
    individual: IndividualFairness | None = None


class Examination:
    """What the models of one release share: decisions as codes, and the resamples of the test rows."""

    def __init__(
        self, published: Published, before: Table, after: Table, names: Sequence[str], resamples: int, seed: int,
        hidden: Hidden,
    ) -> None:  # fmt: skip
        self.published, self.before, self.after, self.names, self.seed = published, before, after, names, seed
        self.hidden = hidden
        self.schema = published.recipe.schema
        self.decision = str(self.schema.decision)
        released = next(iter(published.tables.values()))
        decisions = [texts(table, self.decision) for table in (before, released, after)]
        self.labels = np.unique(np.concatenate(decisions))
        self.known, self.released, self.truth = (np.searchsorted(self.labels, column) for column in decisions)
        self.bootstrap = Bootstrap(self.truth, len(self.labels), resamples=resamples, seed=seed)
        self.unpublished = 0
        self._encodings: dict[
            int, tuple[Table, OneHot, np.ndarray, np.ndarray]
        ] = {}  # with the table: its id is in use
        self._recodings: dict[int, tuple[Table, Table, np.ndarray]] = {}
        if published.whole:
            tables, self.recoded_rows = published.recode(after)
            self.recoded = tables[ONLY]
            self.unpublished = after.rows - len(self.recoded_rows)
            if self.unpublished == after.rows:
                raise BadInput(
                    "the recipe cannot recode any test row: are they of the same kind, and read in the same way?"
                )

    def guess(self) -> float:
        return float((self.truth == np.bincount(self.known).argmax()).mean())

    def models(self, kind: str, classifier: Any) -> Iterator[Model]:
        predict = self._learnt(classifier, self.before, self.known)
        baseline = predict(self.after)
        scores = self.bootstrap.scores(baseline)
        yield self._model(kind, "original", "original", baseline, scores, scores, predict)
        for tested, answers, ask in self.of_release(classifier):
            yield self._model(kind, "release", tested, answers, self.bootstrap.scores(answers), scores, ask)

    def of_release(self, classifier: Any) -> Iterator[tuple[str, Predictions, Predict]]:
        """Yield the predictions of a model trained on the published data, by form of the test rows, recoded first; and
        what predicts for other rows."""
        if not self.published.whole:
            ask = self._of_projections(classifier)
            yield "recoded", ask(self.after), ask
            return
        model = self._learnt(classifier, self.published.table, self.released)
        share = np.bincount(self.released, minlength=len(self.labels)) / len(self.released)

        def of_recoded(asked: Table, recoded: Table, rows: np.ndarray) -> Predictions:
            scored = np.tile(share, (asked.rows, 1))
            decided = np.full(asked.rows, int(share.argmax()))
            if len(rows):
                answers = model(recoded)
                decided[rows], scored[rows] = answers.decided, answers.scored
            return Predictions(decided, scored)

        def recode_and_ask(asked: Table) -> Predictions:
            return of_recoded(asked, *self._recoding(asked))

        yield "recoded", of_recoded(self.after, self.recoded, self.recoded_rows), recode_and_ask
        yield "original", model(self.after), model

    def _recoding(self, asked: Table) -> tuple[Table, np.ndarray]:
        """A table that every classifier is asked about, as the recipe recodes it, and the rows that it recodes."""
        if id(asked) not in self._recodings:
            tables, rows = self.published.recode(asked)
            self._recodings[id(asked)] = asked, tables[ONLY], rows
        return self._recodings[id(asked)][1:]

    def _of_projections(self, classifier: Any) -> Predict:
        """Combine one classifier per projection as in the paper; test rows are recoded as each projection is."""
        model = Combined.fit(self.published.tables, self.decision, self.published.columns, classifier, seed=self.seed)
        places = np.searchsorted(self.labels, [as_text(label) for label in model.labels])

        def predict(asked: Table) -> Predictions:
            scored = np.zeros((asked.rows, len(self.labels)))
            scored[:, places] = model.probabilities(asked)
            return Predictions(scored.argmax(axis=1), scored)

        return predict

    def _learnt(self, classifier: Any, table: Table, target: np.ndarray) -> Any:
        """Return a function from a table to the predictions of a model trained on `table`, or on a sample of it."""
        if id(table) not in self._encodings:
            self._encodings[id(table)] = table, *self._encoded(table, target)
        encoding, inputs, target = self._encodings[id(table)][1:]
        if len(np.unique(target)) < 2 or not inputs.shape[1]:  # there is nothing to learn, or nothing to learn from
            shares = np.bincount(target, minlength=len(self.labels)) / len(target)
            return lambda asked: Predictions(
                np.full(asked.rows, int(shares.argmax())), np.tile(shares, (asked.rows, 1))
            )
        model = fresh(classifier, self.seed).fit(inputs, target)

        def predict(asked: Table) -> Predictions:
            if asked.rows <= max(PIECE, self.after.rows):
                return Predictions.of(model, encoding.matrix(asked), len(self.labels))
            starts = range(0, asked.rows, PIECE)
            pieces = (asked.take(np.arange(start, min(start + PIECE, asked.rows))) for start in starts)
            parts = [Predictions.of(model, encoding.matrix(piece), len(self.labels)) for piece in pieces]
            decided, scored = (np.concatenate([getattr(p, name) for p in parts]) for name in ("decided", "scored"))
            return Predictions(decided, scored)

        return predict

    def _encoded(self, table: Table, target: np.ndarray) -> tuple[OneHot, np.ndarray, np.ndarray]:
        """A table that every classifier learns from, or a sample of it: its encoding, inputs and target."""
        chosen = sample(table.rows, self.seed)
        table, target = (table, target) if chosen is None else (table.take(chosen), target[chosen])
        names = [name for name in self.names if name in table]
        encoding = OneHot.of(table, names, target, seed=self.seed, hidden=self.hidden)
        return encoding, encoding.training(table), target

    def _model(
        self, kind: str, trained: str, tested: str, answers: Predictions, scores: Mapping[str, np.ndarray],
        baseline: Mapping[str, np.ndarray], ask: Predict,
    ) -> Model:  # fmt: skip
        lost = {name: baseline[name] - values for name, values in scores.items()}
        individual = None
        if self.compared is not None:
            together = trained == "original" or self.published.recipe.row_by_row
            individual = self.compared.judge(lambda rows: self.good[ask(rows).decided], together)
        roc = tuple(rankings(answers, self.truth, 2)[0].curve()) if len(self.labels) == 2 else ()
        fair = tuple(self._fairness(answers))
        return Model(kind, trained, tested, estimates(scores), estimates(lost), fair, roc, individual)

    @cached_property
    def good(self) -> np.ndarray:
        """Which decisions are favourable."""
        return ~np.isin(self.labels, [as_text(value) for value in self.schema.denied_values])

    @cached_property
    def compared(self) -> ComparedPeople | None:
        """The people whom models are asked about for individual fairness; None if no decision is unfavourable."""
        if not self.schema.denied_values or not self.schema.protected:
            return None
        return ComparedPeople(self.after, self.names, self.schema.protected, self.seed)

    def _fairness(self, answers: Predictions) -> Iterator[Fairness]:
        """Yield the fairness by each protected column of the test rows, with their original values."""
        if not self.schema.denied_values:
            return
        good = self.good
        right = answers.decided == self.truth
        for column, (labels, groups) in self.groups.items():
            counts = replace(fairness.tally(good[self.truth], good[answers.decided], groups), labels=labels)
            accuracy = np.bincount(groups, weights=right) / counts.rows
            by_group = [
                {"group": ratio.group, "rows": ratio.rows, "positive": ratio.ratio, "low": ratio.low,
                 "high": ratio.high, "accuracy": share}
                for ratio, share in zip(fairness.positive_ratios(counts), accuracy.tolist(), strict=True)
            ]  # fmt: skip
            yield Fairness(column, fairness.scores(counts), tuple(by_group))

    @cached_property
    def groups(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """The groups of each protected column of the test rows: as texts that occur, and the group of each row."""
        by_column = {}
        for column in self.schema.protected:
            labels, groups = np.unique(texts(self.after, column), return_inverse=True)
            by_column[column] = tuple(labels.tolist()), groups
        return by_column
