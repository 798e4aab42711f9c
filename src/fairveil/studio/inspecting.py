"""Inspect: details of one candidate. The figures are those of the report; long computations are jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic, NotRequired, TypedDict, TypeVar

import numpy as np

from fairveil.data.table import Column
from fairveil.engines import Relation
from fairveil.errors import BadInput, suggest
from fairveil.evaluation.trial import Model
from fairveil.progress import Progress
from fairveil.release.release import Release
from fairveil.reporting.context import GroupSizes, ReportContext, ReportedColumn
from fairveil.reporting.sections.singling_out import counted
from fairveil.run.attacker_risks import class_size_of_rows
from fairveil.run.report import attacked_with_source, report_dict
from fairveil.run.sections import Tryout, need_decision
from fairveil.studio.answers import Answer, Cell, cell, label, number, plain
from fairveil.studio.candidate_store import need_candidate, release_of, split_id
from fairveil.studio.document import methods_of, schema_of
from fairveil.studio.endpoints import Limit, Offset, endpoint
from fairveil.studio.jobs import JobView, started
from fairveil.studio.looking import Histogram, VerdictFacts, cells_of, counts_of, histogram
from fairveil.studio.refusals import titled_note
from fairveil.studio.runs import place_of
from fairveil.studio.sessions import OpenSession

T = TypeVar("T")
ROWS_STAY = (
    "The rows stay where they are, so they are not shown one by one. Under Columns, every column is counted before and "
    "after; under Risk, the groups of records that are easiest to single out are listed."
)
NO_ROW_BY_ROW = (
    "The rows of this candidate are not rows of the source, so they cannot be compared row by row. Under Columns, "
    "every column is counted before and after."
)
MAX_SIDE = 30
"""Maximum number of labels per side of a contingency table; the others are combined."""


class ClassSizes(Answer):
    """Classes of `minimum` to `maximum` records or persons: how many classes, and how many records are in them."""

    minimum: int
    maximum: int
    classes: int
    records: int
    unit: str


class Inspected(Answer):
    """The figures of a candidate that are available immediately; slow ones come from the `report` job."""

    candidate: str
    holds: bool
    verdicts: list[VerdictFacts]
    rows: dict[str, int]
    columns: list[ReportedColumn]
    measures: dict[str, float | None]
    before: dict[str, float | None]
    class_sizes: list[ClassSizes]
    notes: list[str]
    private_notes: list[str]


class ChangedRow(Answer):
    """`after` is null where the row is suppressed; a column that is not published has null in its place."""

    row: int
    before: list[Cell]
    after: list[Cell] | None
    class_size: int | None


class ChangedRows(Answer):
    """A window of rows; `published` says which columns are. `note` says why there are none, if so."""

    offset: int
    total: int
    columns: list[str]
    published: list[bool]
    rows: list[ChangedRow]
    note: str = ""


class BeforeAndAfter(Answer, Generic[T]):
    """A column, each time with its own labels, or two columns together; null where they are not published."""

    before: T
    after: T | None


class Counts(Answer):
    """Counts of two columns together: a row per label of the first."""

    rows: list[str]
    columns: list[str]
    counts: list[list[int]]


class RuleFacts(Answer):
    """A discriminatory rule: `a1` of `n1` records of the group are denied, `a2` of `n2` of the others. `value` is null
    where it is infinite."""

    group: dict[str, Any]
    context: dict[str, Any]
    measure: str
    value: float | None
    a1: int
    n1: int
    a2: int
    n2: int


class GuardRules(Answer):
    """The strongest rules that a guard finds."""

    kind: str
    rules: list[RuleFacts]


class GuardBefore(GuardRules):
    """A guard's verdict on the source."""

    holds: bool
    sentence: str


class AttackFacts(Answer):
    """The result of an attack; `baseline` is what `against` would reach without the release."""

    attack: str
    level: str
    verdict: str
    average: float | None
    baseline: float | None
    against: str


class UtilityFacts(Answer):
    """`guess` is the accuracy of always predicting the most frequent decision."""

    models: list[Model]
    guess: float
    test_rows: int


class ReportSections(Answer):
    summary: dict[str, list[str]]
    rules: list[GuardRules]
    guards_before: list[GuardBefore]


class InternalReport(TypedDict):
    """The parts of the internal report that the page shows; its figures are those of report.html."""

    attacks: NotRequired[list[AttackFacts]]
    weaknesses: NotRequired[dict[str, str]]
    utility: NotRequired[UtilityFacts]
    report: ReportSections


class ReportAnswer(Answer):
    """`with_source`: attacks used the rows of the source, not only what is published."""

    candidate: str
    report: InternalReport
    with_source: bool


def context_of(release: Release) -> ReportContext:
    """Return the context from which the report of this release is made."""
    return ReportContext(release.published, release.evidence())


@endpoint("GET", "/inspect?candidate")
def inspect(session: OpenSession, candidate: str) -> Inspected:
    release = release_of(session, candidate)
    return inspected(candidate, release, session.keep(("context", candidate), lambda: context_of(release)))


def inspected(candidate: str, release: Release, context: ReportContext) -> Inspected:
    return Inspected(
        candidate,
        release.holds,
        [VerdictFacts.of(guard, context.schema, claim) for guard, claim in context.guards],
        dict(context.rows),
        [reported(column) for column in context.columns],
        {name: number(value) for name, value in context.measures.items()},
        {name: number(value) for name, value in context.before.items()},
        class_sizes_of(release, context),
        [*([] if release.persons is None else [release.persons.sentence]), *map(titled_note, release.notes)],
        list(map(titled_note, release.private)),
    )


def reported(column: ReportedColumn) -> ReportedColumn:
    """Return what became of a column, with JSON values."""
    return replace(column, loss=number(column.loss), examples=tuple(map(cell, column.examples)))


def class_sizes_of(release: Release, context: ReportContext) -> list[ClassSizes]:
    """Return the histogram of the sizes of the published classes, in persons where these are counted."""
    classes, person = release.judged.sized, release.schema.person
    every = list(context.class_sizes.values())
    if classes is not None and person is not None:
        every = [GroupSizes(classes.people(person), classes.rows, "person")] if len(classes) else []
    return [
        ClassSizes(int(low), int(high) - 1, int(groups), int(records), f"{of.unit}s")
        for of, (edges, *tallies) in ((of, counted(of.sizes, of.records)) for of in every)
        for low, high, groups, records in zip(edges[:-1], edges[1:], *tallies, strict=True)
        if groups
    ]


def published_rows(release: Release) -> np.ndarray | None:
    """Return the published row of each source row, -1 where it is suppressed; None if that is unknown."""
    rows = release.published.source_rows
    if rows is None:
        return None
    positions = np.full(release.original.rows, -1, dtype=np.int64)
    positions[rows] = np.arange(len(rows))
    return positions


@endpoint("GET", "/inspect/rows?candidate&offset&limit")
def rows(session: OpenSession, candidate: str, offset: Offset = 0, limit: Limit = 100) -> ChangedRows:
    """Return rows before and after."""
    release = release_of(session, candidate)
    if not release.source.has_rows:
        return ChangedRows(offset, 0, [], [], [], ROWS_STAY)
    positions = published_rows(release)
    if positions is None:
        return ChangedRows(offset, 0, [], [], [], NO_ROW_BY_ROW)
    original, published = release.original, release.table
    window = np.arange(offset, min(offset + limit, original.rows))
    before = cells_of([original.column(name) for name in original.names], window)
    columns = [published.column(name) if name in published else None for name in original.names]
    sizes = session.keep(
        ("sizes", candidate), lambda: class_size_of_rows(published, release, release.published.source_rows)
    )
    changed = [
        ChangedRow(int(row), old, None, None) if position < 0
        else ChangedRow(int(row), old, _values(columns, position), int(sizes[position]))
        for row, old, position in zip(window, before, positions[window], strict=True)
    ]  # fmt: skip
    published_columns = [column is not None for column in columns]
    return ChangedRows(offset, original.rows, list(original.names), published_columns, changed)


def _values(columns: list[Column | None], row: int) -> list[Cell]:
    return [None if column is None else cell(column.values[int(column.codes[row])].as_py()) for column in columns]


def _before_and_after(session: OpenSession, candidate: str, *names: str) -> tuple[Relation, Relation | None]:
    """Return the source, and the published table that has all these columns, if there is one."""
    release, run = release_of(session, candidate), session.runs.get(split_id(candidate)[0])
    source = release.source
    if run is not None and not set(names) <= set(source.names):  # rows grouped on an engine have published columns only
        source = session.keep(("source", run.id), lambda: run.task().source)
    for name in names:
        if name not in source.names:
            raise BadInput(suggest(name, source.names, "column"))
    tables = (table for table in release.published.content.values() if all(name in table.names for name in names))
    return source, next(tables, None)


@endpoint("GET", "/inspect/distribution?candidate&column")
def distribution(session: OpenSession, candidate: str, column: str) -> BeforeAndAfter[Histogram]:
    before, after = _before_and_after(session, candidate, column)
    return BeforeAndAfter(
        counted_histogram(before, column), None if after is None else counted_histogram(after, column)
    )


def counted_histogram(relation: Relation, name: str) -> Histogram:
    return histogram(relation.domain(name), counts_of(relation, name))


@endpoint("GET", "/inspect/contingency?candidate&one&other")
def contingency(session: OpenSession, candidate: str, one: str, other: str) -> BeforeAndAfter[Counts]:
    before, after = _before_and_after(session, candidate, one, other)
    return BeforeAndAfter(crossed(before, one, other), None if after is None else crossed(after, one, other))


def crossed(relation: Relation, one: str, other: str) -> Counts:
    """Return how often values of two columns occur together; rare values are combined."""
    cells = relation.count([one, other])
    (rows, row_of), (columns, column_of) = (_side(relation, name) for name in (one, other))
    flat = row_of[cells.codes[one]] * len(columns) + column_of[cells.codes[other]]
    counts = np.bincount(flat, weights=cells.counts, minlength=len(rows) * len(columns)).astype(np.int64)
    return Counts(rows, columns, counts.reshape(len(rows), len(columns)).tolist())


def _side(relation: Relation, name: str) -> tuple[list[str], np.ndarray]:
    """Return the labels, and the label of each code."""
    counts, values = counts_of(relation, name), relation.domain(name).domain
    order = np.argsort(-counts, kind="stable")
    listed = sorted(int(code) for code in order[:MAX_SIDE] if counts[code])
    label_of = np.full(len(counts), len(listed), dtype=np.int64)
    label_of[listed] = np.arange(len(listed))
    labels = [label(values[code]) for code in listed] + (["(others)"] if counts.sum() > counts[listed].sum() else [])
    return labels, np.minimum(label_of, max(len(labels) - 1, 0))


@endpoint("POST", "/inspect/report")
def report(session: OpenSession, candidate: str, utility: bool = False) -> JobView[ReportAnswer]:
    """Make the internal report of a candidate. `utility`: try models on it, which takes long."""
    need_candidate(session, candidate)

    def work(progress: Progress) -> ReportAnswer:
        release = release_of(session, candidate)
        if utility:
            release = tried(session, candidate, release, progress.part(0.0, 0.5))
        content = report_dict(release, internal=True, progress=progress.part(0.5 if utility else 0.0, 1.0))
        if release.utility is not None:  # never part of a report that is published
            for model, own in zip(content["utility"]["models"], release.utility.models, strict=True):
                model["roc"] = own.roc
        return ReportAnswer(candidate, plain(content), attacked_with_source(release))

    return started(session, "report", work)


def tried(session: OpenSession, candidate: str, release: Release, progress: Progress) -> Release:
    """Return the release with its utility, evaluated as by a plan's [utility] section."""
    need_decision(release.schema)
    owner, called = split_id(candidate)
    run = session.runs.get(owner)
    if run is None:
        raise BadInput("models are tried with candidates of runs: start a run with the preferences method")
    method = methods_of(run.request["methods"])[place_of(called) - 1]
    schema, seed = schema_of(run.request), release.seed
    utility = Tryout().run(release, release.original, schema, method=method, seed=seed, progress=progress)
    return replace(release, utility=utility)
