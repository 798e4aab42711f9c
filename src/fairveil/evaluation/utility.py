"""utility: how useful a release is. Compares models trained on it with models trained on the original, and statistics.

>>> import numpy as np
>>> import fairveil as fv
>>> adult = fv.datasets.adult()
>>> train, test = adult.table.take(np.arange(0, 2000)), adult.table.take(np.arange(2000, 3000))
>>> release = fv.search(train, adult.schema, guards=[fv.KAnonymity(5)]).best("loss")
>>> utility = fv.utility(release, train, test, resamples=20, queries=50)
>>> [(model.classifier, model.trained, model.tested) for model in utility.models[:3]]
[('tree', 'original', 'original'), ('tree', 'release', 'recoded'), ('tree', 'release', 'original')]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from fairveil.counting.ordering import content_order
from fairveil.data.row_sample import RowSample
from fairveil.data.table import Table
from fairveil.display import Displayable, DisplayTable
from fairveil.engines.all_rows import rows_of
from fairveil.engines.open_data import is_on_engine
from fairveil.errors import BadInput, refuse
from fairveil.evaluation.mined_patterns import MinedPatterns, patterns
from fairveil.evaluation.survival import Survival, survival
from fairveil.evaluation.trial import Examination, Model
from fairveil.learning.classifiers import by_name
from fairveil.learning.encoding import Hidden
from fairveil.learning.folds import need_share, sample, set_aside
from fairveil.messages import counted, option
from fairveil.progress import Progress, Report
from fairveil.published.folder import Publishing, published_of
from fairveil.published.published import Published

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.data.schema import Schema

Learnt = Literal["release", "recipe", "search"]
"""What models were trained on: the release itself; the training rows recoded by its recipe, which was also derived from
the test rows; or what the same search publishes of the training rows alone."""

SAMPLE = 1 << 20
"""Rows of a release, and of its original, that are used if the release has too many to load."""


class ReleaseOfOtherRows(Protocol):
    """A release of other rows."""

    @property
    def published(self) -> Published: ...

    @property
    def measures(self) -> Mapping[str, float]: ...


@dataclass(frozen=True, repr=False)
class Utility(Displayable):
    """How useful a release is; without a decision column there are no models and no `guess`.

    The recipe cannot recode `unpublished` of the test rows: for these, the prediction is the release's most frequent
    decision. `guess` is the accuracy of always predicting the original's most frequent one. `loss` is the loss of the
    release that models were trained on, if that is not the published one. `sampled`: if only a sample of the release
    was used, the number of its rows, and of those of the release. `patterns`: association rules and clusters, where one
    table is published.
    """

    models: tuple[Model, ...]
    survival: Survival | None
    guess: float | None
    train_rows: int
    test_rows: int
    unpublished: int
    learnt: Learnt = "release"
    loss: float | None = None
    sampled: tuple[int, int] | None = None
    patterns: MinedPatterns | None = None

    def _headline(self) -> str:
        return f"Utility: {counted(len(self.models), 'model')} tested on {counted(self.test_rows, 'row')}"

    def _tables(self) -> list[DisplayTable]:
        names = list(self.models[0].scores) if self.models else []
        rows = [[m.classifier, m.trained, m.tested, *(m.scores[name].value for name in names)] for m in self.models]
        return [DisplayTable(["classifier", "learnt from", "tested on", *names], rows)]

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per model and score, for tables and data frames."""
        return [
            {"classifier": model.classifier, "trained": model.trained, "tested": model.tested, "score": name,
             **asdict(estimate), "lost": model.lost[name].value, "lost_low": model.lost[name].low,
             "lost_high": model.lost[name].high}
            for model in self.models
            for name, estimate in model.scores.items()
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain data."""
        fields = asdict(replace(self, survival=None))
        for model in fields["models"]:
            del model["roc"]
        if self.sampled is None:
            del fields["sampled"]
        if self.survival is not None:
            fields["survival"] = {
                "queries": {name: asdict(estimate) for name, estimate in self.survival.queries.items()},
                "asked": self.survival.asked,
                "marginals": dict(self.survival.marginals),
                "association_error": self.survival.association_error,
                "associations": [
                    {"columns": list(pair), "original": before, "release": after}
                    for pair, (before, after) in self.survival.associations.items()
                ],
            }
        return fields


def utility(
    release: Publishing,
    original: Any,
    test: Any = 0.3,
    *,
    classifiers: Mapping[str, Any] | None = None,
    queries: int = 500,
    resamples: int = 200,
    hidden: Hidden = "missing",
    seed: int = 0,
    remake: Callable[[Table], ReleaseOfOtherRows] | None = None,
    published: Any = None,
    table: str | None = None,
    dialect: Dialect | None = None,
    progress: Progress | Report | bool | None = None,
) -> Utility:
    """Train on the release and on the original, test both on the same people, compare the statistics.

    Without a decision column there is nothing to train, and only the statistics are compared.

    `release` is a release or its folder, `original` the table that was released, `test` further rows of the same kind.
    If there are none, `test` is a share of the original: models are trained on the rest of it, as the release's recipe
    publishes it, or as `remake` releases it (by a search that does not use the test rows).
    `classifiers` are scikit-learn classifiers by name, by default a decision tree and logistic regression. Intervals
    are 95 % intervals: for scores from `resamples` bootstrap resamples of the test rows, for query errors over
    `queries` random queries. `hidden` says what a missing or suppressed cell is to a model: missing, or a category like
    others. `published` and `table` say where the rows of a release are that are in a database (see `verify`). Of a
    release with more rows than are loaded, and of its original, random samples are used, and `sampled` of the result
    says so; an original that is a file is then never in memory whole. `dialect` says how such a file is read, by
    default as the source of the release was. `progress` receives progress reports, and may cancel.
    """
    refuse([] if hidden in get_args(Hidden) else [f"hidden must be missing or category, not {hidden!r}"])
    progress = Progress.visible(progress)

    def work() -> Utility:
        given = published_of(release, progress, database=published, table=table)
        used = given if given.has_rows else given.sampled(SAMPLE, seed)
        part = None if used is given else RowSample(SAMPLE, seed)
        whole = _original(original, dialect or given.schema.read, part, given.schema)
        trained = {} if given.schema.decision is None else classifiers or by_name()
        measured = _measured(used, whole, test, trained, queries, resamples, hidden, seed, remake, progress)
        return measured if used is given else replace(measured, sampled=(used.rows, given.rows))

    return progress.run(work)


def _original(original: Any, dialect: Dialect, part: RowSample | None, schema: Schema) -> Table:
    """The original, or a sample of its rows, as a table."""
    needed = {*schema.published, *schema.quasi, *schema.protected, schema.person}
    on_engine = is_on_engine(original)
    if isinstance(original, str | Path) and not on_engine:
        return Table.read(original, dialect=dialect, sample=part)
    table = rows_of(original, dialect if on_engine else None, needed=needed)
    chosen = None if part is None else sample(table.rows, part.seed, part.size)
    return table if chosen is None else table.take(chosen).compact()


@dataclass(frozen=True)
class _Lesson:
    """What models are trained and tested on: the same training rows, original and published, and test rows."""

    train: Table
    published: Published
    test: Table
    learnt: Learnt = "release"
    loss: float | None = None


def _measured(
    release: Published,
    original: Table,
    test: Any,
    classifiers: Mapping[str, Any],
    queries: int,
    resamples: int,
    hidden: Hidden,
    seed: int,
    remake: Callable[[Table], ReleaseOfOtherRows] | None,
    progress: Progress,
) -> Utility:
    schema = release.schema
    whole, others = _tables(schema, original, test)
    order = content_order(whole)  # the results must not depend on the order of the source
    whole, original = whole.take(order), original.take(order)
    others = others.take(content_order(others)) if isinstance(others, Table) else others
    names = _inputs(schema, whole, others, queries=queries, resamples=resamples)
    if schema.decision is None:
        progress.tell(0.0, "comparing statistics")
        statistics, found = _statistics(release, whole, queries, seed)
        return Utility((), statistics, None, whole.rows, 0, 0, patterns=found)
    if isinstance(others, Table):
        lesson = _Lesson(whole, release, others)
    else:
        lesson = _set_aside(release, original, whole, others, seed, remake)
    tables = lesson.published.tables
    if not lesson.test.rows or not tables or not all(part.rows for part in tables.values()):
        raise BadInput("utility needs published rows to learn from and test rows to try it on")
    chosen = sample(lesson.test.rows, seed)
    tested = lesson.test if chosen is None else lesson.test.take(chosen)
    examination = Examination(lesson.published, lesson.train, tested, names, resamples, seed, hidden)
    models: list[Model] = []
    for done, (kind, classifier) in enumerate(classifiers.items()):
        progress.tell(done / (len(classifiers) + 1), f"training {kind}")
        models += examination.models(kind, classifier)
    progress.tell(len(classifiers) / (len(classifiers) + 1), "comparing statistics")
    statistics, found = _statistics(release, whole, queries, seed)
    return Utility(
        tuple(models),
        statistics,
        examination.guess(),
        lesson.train.rows,
        tested.rows,
        examination.unpublished,
        lesson.learnt,
        lesson.loss,
        patterns=found,
    )


def _statistics(
    release: Published, whole: Table, queries: int, seed: int
) -> tuple[Survival | None, MinedPatterns | None]:
    """Return how well counts, distributions, associations and patterns are preserved; None if the columns are split."""
    if not release.whole:
        return None, None
    schema = release.schema
    shared = [name for name in (*schema.quasi, str(schema.decision)) if name in release.table]
    return survival(release, whole, shared, queries=queries, seed=seed), patterns(release, whole, shared, seed=seed)


def _set_aside(
    release: Published,
    original: Any,
    whole: Table,
    share: float,
    seed: int,
    remake: Callable[[Table], ReleaseOfOtherRows] | None,
) -> _Lesson:
    """Set aside a share of the original for testing; the recipe publishes the rest, or `remake` releases it."""
    rest, aside = set_aside(whole.column(str(release.schema.decision)).codes, share, seed)
    train, test = whole.take(rest).compact(), whole.take(aside).compact()
    if remake is None:
        return _Lesson(train, release.of_rows(train), test, "recipe")
    repeated = remake(Table.from_frame(original).take(rest).compact())
    return _Lesson(train, repeated.published, test, "search", repeated.measures.get("loss"))


def _tables(schema: Schema, original: Any, test: Any) -> tuple[Table, Table | float]:
    """Return the two tables with the recipe's columns but without identifiers: models are not trained on those."""

    def fitting(given: Any) -> Table:
        table = Table.of(given, schema.read)
        return table.drop(name for name in table.names if name not in schema.columns or name in schema.identifier)

    return fitting(original), need_share(test) if isinstance(test, int | float) else fitting(test)


def _inputs(schema: Schema, before: Table, after: Table | float, **counts: int) -> list[str]:
    """Return the columns to train on; raises for invalid requests."""
    minimum = {"queries": 1, "resamples": 2}
    refuse(
        [f"{option(name)} must be at least {minimum[name]}, not {n}" for name, n in counts.items() if n < minimum[name]]
    )
    decision = [] if schema.decision is None else [schema.decision]
    left_out = {*decision, *schema.identifier, *schema.drop}
    names = [name for name in before.names if name in schema.columns and name not in left_out]
    for table in (before, after):
        if isinstance(table, Table):
            table.need([*schema.quasi, *names, *decision])
    return names
