"""Look: the rows and columns of the source, how identifying they are, and whether guards hold on it as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np

from fairveil.data.numeric import is_number, why_a_code
from fairveil.data.schema import Schema
from fairveil.data.table import Column
from fairveil.engines import Relation, Source
from fairveil.guards import Guard
from fairveil.run.feasibility import ColumnBlame, GuardFeasibility
from fairveil.run.profile import PairProfile, Profile, profile
from fairveil.run.sections import PREPARE
from fairveil.studio.answers import Answer, Cell, Role, Spec, Window, cell, label, number, plain, roles_of
from fairveil.studio.document import SCHEMA, ReadingOptions, guards_of, need_source, plan_of
from fairveil.studio.endpoints import Limit, Offset, endpoint
from fairveil.studio.sessions import OpenSession

BARS = 24
"""Number of bars of a small histogram."""
MAX_PAIRS = 500
FIRST = 200
"""Number of rows of a source on an engine that are shown."""
DETECTED = ("separator", "encoding", "decimal", "sheet")
"""The reading options that are detected and can be corrected."""
KEPT = ("name", "type", "distinct", "missing", "unique", "risk", "reason", "certainty", "unsure", "look", "safe_harbor")
"""What a page shows of a column's profile."""


class Histogram(Answer):
    """Bars in order: what each stands for, and how many rows it has. `rest` are rows in no bar, `distinct` counts the
    values."""

    labels: list[str]
    counts: list[int]
    rest: int
    distinct: int


class ColumnFacts(Answer):
    """A column of the source. `unique` is the share of rows alone with their value, `risk` distinct values over
    rows; `suggested` roles come with a reason and a `certainty` from 0 to 1, `unsure` ones are asked for first,
    `look` is what its values look like ("postcodes"), and `safe_harbor` which identifier of HIPAA's Safe Harbor
    rule it seems to be, if any. `minimum` and `maximum` are of numbers and dates, `shortest` and `longest` count
    the characters of texts. `code` says why integers look like codes, or is empty."""

    name: str
    type: str
    distinct: int
    missing: int
    unique: float
    risk: float
    reason: str
    certainty: float
    unsure: bool
    look: str
    safe_harbor: str
    suggested: list[Role]
    code: str
    histogram: Histogram
    minimum: Cell = None
    maximum: Cell = None
    shortest: int | None = None
    longest: int | None = None


class TableFacts(Answer):
    """`options` are those that were set, and what was found in the file where nothing was."""

    rows: int
    dropped: int
    columns: list[ColumnFacts]
    options: ReadingOptions


class VerdictFacts(Answer):
    """A guard, and whether it holds."""

    guard: Spec
    promise: str
    holds: bool
    sentence: str
    worst: float | None
    limit: float | None

    @classmethod
    def of(cls, guard: Guard, schema: Schema, verdict: Mapping[str, Any], **further: Any) -> Self:
        """Return the verdict on a guard from the fields of a `Verdict`, or of its claim in the evidence."""
        holds, sentence = bool(verdict.get("holds")), verdict.get("sentence", "")
        worst, limit = number(verdict.get("worst")), number(verdict.get("limit"))
        return cls(plain(guard.to_dict()), guard.promise_about(schema), holds, sentence, worst, limit, **further)


class Feasibility(VerdictFacts):
    """What a guard says of the source as it is. `reachable`: it holds once every quasi column is fully generalized.
    `blame`: the columns whose removal helps most, first. `problem`: why it cannot be judged at all."""

    broken_rows: int
    rows: int
    reachable: bool
    blame: list[ColumnBlame]
    problem: str | None


def _profile(session: OpenSession, source: Source, *, pairs: bool) -> Profile:
    key = session.sources.key(session.document["source"])
    kept: Profile = session.keep(("profile", key, pairs), lambda: profile(source, pairs=pairs))
    return kept


def suggested_roles(session: OpenSession) -> dict[str, tuple[str, ...]]:
    """Return the suggested roles of each column."""
    return {column.name: column.roles for column in _profile(session, need_source(session), pairs=False).columns}


@endpoint("GET", "/table")
def table(session: OpenSession) -> TableFacts:
    source = need_source(session)
    profiled = _profile(session, source, pairs=False)
    columns = []
    for column in profiled.columns:
        facts = {name: getattr(column, name) for name in KEPT}
        values = source.domain(column.name)
        columns.append(
            ColumnFacts(
                **facts, **_ends(values), suggested=roles_of(column.roles),
                code=why_a_code(values, source.rows), histogram=histogram(values, counts_of(source, column.name)),
            )
        )  # fmt: skip
    options = {name: value for name, value in profiled.read_as.items() if name in DETECTED}
    return TableFacts(source.rows, source.dropped, columns, {**options, **session.document["source"]["options"]})


def _ends(column: Column) -> dict[str, Any]:
    """Return the minimum and maximum number or date, or text length: the initial values of wizards."""
    values = [value for value in column.domain if value is not None]
    if not values or isinstance(values[0], bool):
        return {}
    if isinstance(values[0], str):
        lengths = [len(value) for value in values]
        return {"shortest": min(lengths), "longest": max(lengths)}
    return {"minimum": cell(values[0]), "maximum": cell(values[-1])}


@endpoint("GET", "/pairs")
def pairs(session: OpenSession) -> list[PairProfile]:
    """Return pairs of columns, the most identifying first."""
    return list(_profile(session, need_source(session), pairs=True).pairs[:MAX_PAIRS])


@endpoint("GET", "/rows?offset&limit")
def rows(session: OpenSession, offset: Offset = 0, limit: Limit = 100) -> Window[list[Cell]]:
    """Return some rows of the source, unchanged. Where they are on an engine, only the first ones are shown."""
    source = need_source(session)
    if not source.has_rows:
        lines = session.keep(
            ("first rows", session.sources.key(session.document["source"])), lambda: first_rows(source, FIRST)
        )
        return Window(offset, len(lines), list(source.names), lines[offset : offset + limit])
    table = source.table
    lines = cells_of(table.columns, np.arange(offset, min(offset + limit, table.rows)))
    return Window(offset, source.rows, list(source.names), lines)


def first_rows(source: Source, count: int) -> list[list[Cell]]:
    """Return the first rows of a source on an engine, as it stores them."""
    engine = source.engine
    assert engine is not None
    fetched = engine.fetch(engine.frame.head(count), "fetching the first rows").to_pylist()
    return [[cell(value) for value in row.values()] for row in fetched]


def cells_of(columns: Sequence[Column], positions: np.ndarray) -> list[list[Cell]]:
    """Return the values of some rows, one list per row."""
    parts = [[cell(value) for value in column.values.take(column.codes[positions]).to_pylist()] for column in columns]
    return [list(line) for line in zip(*parts, strict=True)]


def counts_of(relation: Relation, name: str) -> np.ndarray:
    """Return the number of rows of each value of a column."""
    cells = relation.count([name])
    return np.bincount(cells.codes[name], weights=cells.counts, minlength=len(relation.domain(name).values))


def histogram(column: Column, counts: np.ndarray) -> Histogram:
    """Return a few bars: numbers in ranges of equal width, other values by frequency."""
    values, distinct = column.domain, int(np.count_nonzero(counts))
    if is_number(column) and len(values) > BARS:
        finite = [code for code, value in enumerate(values) if value is not None and np.isfinite(float(value))]
        numbers = np.array([float(values[code]) for code in finite])
        if len(numbers) > 1 and np.isfinite(numbers[-1] - numbers[0]):
            bars, edges = np.histogram(numbers, BARS, weights=counts[finite])
            labels = [f"{low:.4g} – {high:.4g}" for low, high in pairwise(edges)]
            return Histogram(labels, [int(bar) for bar in bars], int(counts.sum() - bars.sum()), distinct)
    order = range(len(values)) if len(values) <= BARS else np.argsort(-counts, kind="stable")[:BARS]
    listed = [int(code) for code in order if counts[code]]
    rest = int(counts.sum() - counts[listed].sum())
    return Histogram([label(values[code]) for code in listed], [int(counts[code]) for code in listed], rest, distinct)


@endpoint("POST", "/feasibility")
def feasibility(session: OpenSession, guards: Sequence[Any]) -> list[Feasibility]:
    """Return what guards say of the source as it is, while the user moves a slider; nothing is set."""
    document = session.document
    key = json.dumps([document[name] for name in ("source", *SCHEMA, *PREPARE)], sort_keys=True, default=str)
    counted: GuardFeasibility = session.keep(
        ("feasibility", key), lambda: GuardFeasibility(*plan_of(session, document, need_source(session)).open())
    )
    answers = []
    for answer in counted.of(guards_of(guards)):
        verdict = {} if answer.verdict is None else vars(answer.verdict)
        answers.append(Feasibility.of(
            answer.guard, counted.schema, verdict, broken_rows=verdict.get("broken_rows", 0), rows=counted.source.rows,
            reachable=answer.reachable, blame=list(answer.blame), problem=answer.problem,
        ))  # fmt: skip
    return answers
