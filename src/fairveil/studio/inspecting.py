"""Inspect: details of one candidate. The figures are those of the report; long computations are jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput, suggest
from fairveil.progress import Progress
from fairveil.release.release import Release
from fairveil.reporting.context import ReportContext, ReportedColumn
from fairveil.reporting.sections.singling_out import counted
from fairveil.studio import api
from fairveil.studio.calls import Call
from fairveil.studio.candidate_store import need_candidate, release_of, request_of, split_id
from fairveil.studio.jobs import started
from fairveil.studio.looking import cells_of, histogram
from fairveil.studio.runs import place_of
from fairveil.studio.views import cell, label, number, plain, roles_of

MOST_SIDE = 30
"""Maximum number of labels per side of a contingency table; the others are combined."""


def _release(call: Call) -> tuple[str, Release]:
    candidate = str(call.need("candidate"))
    return candidate, release_of(call.session, candidate)


def context_of(release: Release) -> ReportContext:
    """Return the context from which the report of this release is made."""
    return ReportContext.of(release.published, release.evidence())


def inspect(call: Call) -> api.Inspected:
    candidate, release = _release(call)
    kept: ReportContext = call.session.keep(("context", candidate), lambda: context_of(release))
    owner, called = split_id(candidate)
    if owner not in call.session.runs:
        return inspected(candidate, "preferences", {}, kept, release)
    run = call.session.runs[owner]
    place = run.found.number.index(called)
    settings = run.request["methods"][place_of(called) - 1]
    return inspected(candidate, run.found.methods[run.found.method[place]], settings, kept, release)


def inspected(
    candidate: str, method: str, settings: Mapping[str, Any], context: ReportContext, release: Release
) -> api.Inspected:
    claims: list[api.VerdictFacts] = [
        {
            "guard": plain(guard.to_dict()), "promise": guard.promise(), "holds": bool(claim["holds"]),
            "sentence": claim["sentence"], "worst": number(claim.get("worst")), "limit": number(claim.get("limit")),
        }
        for guard, claim in context.guards
    ]  # fmt: skip
    return {
        "candidate": candidate, "method": method, "settings": dict(settings), "holds": release.holds,
        "verdicts": claims, "rows": dict(context.rows),
        "columns": [
            {"name": facts.name, "roles": roles_of(facts.roles), **one_column(facts)}
            for facts in context.columns
        ],
        "measures": {name: number(value) for name, value in context.measures.items()},
        "before": {name: number(value) for name, value in context.before.items()},
        "class_sizes": [size for sizes in context.class_sizes.values() for size in class_sizes(sizes)],
        "notes": list(release.notes), "private_notes": list(release.private),
    }  # fmt: skip


def one_column(facts: ReportedColumn | None) -> api.ColumnAfter:
    if facts is None:
        return {"level": None, "height": None, "loss": None, "distinct": 0, "examples": [], "published": False}
    return {
        "level": facts.level, "height": facts.height, "loss": number(facts.loss), "distinct": facts.distinct,
        "examples": [cell(value) for value in facts.examples], "published": facts.published,
    }  # fmt: skip


def class_sizes(sizes: np.ndarray) -> list[api.ClassSizes]:
    """Return the report's histogram of class sizes."""
    if not len(sizes):
        return []
    edges, groups, records = counted(sizes)
    return [
        {"least": int(low), "most": int(high) - 1, "classes": int(classes), "records": int(rows)}
        for low, high, classes, rows in zip(edges[:-1], edges[1:], groups, records, strict=True)
        if classes
    ]


def _places(release: Release) -> np.ndarray | None:
    """Return the published row of each source row, -1 where it is suppressed; None if that is unknown."""
    rows = release.source_rows
    if rows is None:
        return None
    places = np.full(release.original.rows, -1, dtype=np.int64)
    places[rows] = np.arange(len(rows))
    return places


def _class_of_row(table: Table, release: Release) -> np.ndarray:
    """Return the size of the equivalence class of each row of a table."""
    quasi = [name for name in release.schema.quasi if name in table]
    cells, cell_of_row = Cells.numbered(table, quasi)
    sizes: np.ndarray = cells.counts[cell_of_row]
    return sizes


def rows(call: Call) -> api.ChangedRows:
    candidate, release = _release(call)
    offset, limit = call.window()
    places = _places(release)
    if places is None:
        raise BadInput("the rows of this candidate are not rows of the source, so none stands beside another")
    original, published = release.original, release.table
    window = np.arange(offset, min(offset + limit, original.rows))
    before = cells_of([original.column(name) for name in original.names], window)
    shown = [published.column(name) if name in published else None for name in original.names]
    after = [_after(shown, int(places[row])) for row in window]
    sizes = call.session.keep(("sizes", candidate), lambda: _class_of_row(published, release))
    return {
        "offset": offset, "total": original.rows, "columns": list(original.names),
        "published": [column is not None for column in shown],
        "rows": [
            {"row": int(row), "before": old, "after": new,
             "class_size": None if new is None else int(sizes[places[row]])}
            for row, old, new in zip(window, before, after, strict=True)
        ],
    }  # fmt: skip


def _after(columns: list[Column | None], place: int) -> list[api.Cell] | None:
    if place < 0:
        return None
    return [None if column is None else cell(column.values[int(column.codes[place])].as_py()) for column in columns]


def _table_with(release: Release, name: str) -> Table | None:
    return next((table for table in release.published.tables.values() if name in table), None)


def _counts(column: Column) -> np.ndarray:
    return np.bincount(column.codes, minlength=len(column.values))


def _need_column(release: Release, name: str) -> Column:
    names = release.original.names
    if name not in names:
        raise BadInput(suggest(name, names, "column"))
    return release.original.column(name)


def distribution(call: Call) -> api.Distribution:
    _, release = _release(call)
    name = str(call.need("column"))
    before, table = _need_column(release, name), _table_with(release, name)
    nothing: api.Histogram = {"labels": [], "counts": [], "rest": 0}
    after = None if table is None else table.column(name)
    return {
        "column": name, "published": after is not None, "before": histogram(before, _counts(before)),
        "after": nothing if after is None else histogram(after, _counts(after)),
    }  # fmt: skip


def contingency(call: Call) -> api.Contingency:
    _, release = _release(call)
    names = [str(call.need("one")), str(call.need("other"))]
    before = [_need_column(release, name) for name in names]
    table = next((t for t in release.published.tables.values() if all(name in t for name in names)), None)
    after = None if table is None else crossed(*(table.column(name) for name in names))
    return {"columns": names, "before": crossed(*before), "after": after}


def crossed(one: Column, other: Column) -> api.Counts:
    """Return how often values of two columns occur together; rare values are combined."""
    sides = [_side(one), _side(other)]
    (rows, row_of), (columns, column_of) = sides
    flat = row_of[one.codes] * len(columns) + column_of[other.codes]
    counts = np.bincount(flat, minlength=len(rows) * len(columns)).reshape(len(rows), len(columns))
    return {"rows": rows, "columns": columns, "counts": counts.tolist()}


def _side(column: Column) -> tuple[list[str], np.ndarray]:
    """Return the labels, and the label of each code."""
    counts = _counts(column)
    order = np.argsort(-counts, kind="stable")
    listed = [int(code) for code in order[:MOST_SIDE] if counts[code]]
    listed.sort()
    place = np.full(len(counts), len(listed), dtype=np.int64)
    place[listed] = np.arange(len(listed))
    values = column.domain
    rest = int(counts.sum() - counts[listed].sum())
    labels = [label(values[code]) for code in listed] + (["(others)"] if rest else [])
    return labels, np.minimum(place, max(len(labels) - 1, 0))


def risky(call: Call) -> api.Risky:
    """Return the people who are easiest to single out in the release, then in the source."""
    candidate, release = _release(call)
    offset, limit = call.window()
    original, places = release.original, _places(release)
    before = call.session.keep(("sizes-before", candidate), lambda: _class_of_row(original, release))
    after = np.full(original.rows, np.iinfo(np.int64).max, dtype=np.int64)
    if places is not None:
        sizes = call.session.keep(("sizes", candidate), lambda: _class_of_row(release.table, release))
        held = places >= 0
        after[held] = sizes[places[held]]
    order = np.lexsort([np.arange(original.rows), before, after])[offset : offset + limit]
    names = list(release.schema.quasi)
    values = cells_of([original.column(name) for name in names], order)
    return {
        "offset": offset, "total": original.rows, "columns": names,
        "rows": [
            {"row": int(row), "values": line, "class_before": int(before[row]),
             "class_after": int(after[row]) if places is not None and places[row] >= 0 else None}
            for row, line in zip(order, values, strict=True)
        ],
    }  # fmt: skip


def report(call: Call) -> api.JobView[api.ReportAnswer]:
    asked: api.AskReport = call.body
    session, candidate = call.session, asked.candidate
    need_candidate(session, candidate)

    def work(progress: Progress) -> api.ReportAnswer:
        from fairveil.run.report import report_dict

        release = release_of(session, candidate)
        if asked.utility:
            release = tried(call, release, progress.part(0.0, 0.5))
        told = report_dict(release, internal=True, progress=progress.part(0.5 if asked.utility else 0.0, 1.0))
        return {"candidate": candidate, "report": plain(told)}

    return started(call, "report", work)


def tried(call: Call, release: Release, progress: Progress) -> Release:
    """Return the release with its utility, evaluated as by a plan's [utility] section."""
    from dataclasses import replace

    from fairveil.run.request.tryout import Tryout, counterpart, need_decision
    from fairveil.run.search import search
    from fairveil.studio.requests import methods_of

    asked: api.AskReport = call.body
    request = request_of(call.session, asked.candidate)
    need_decision(release.schema)
    owner, called = split_id(asked.candidate)
    run = call.session.runs.get(owner)
    if run is None:
        raise BadInput("models are tried with candidates of runs: start a run with the preferences method")
    method = methods_of(request["methods"])[place_of(called) - 1]

    def again(rows: Table) -> Release:
        frontier = search(
            rows, run.schema, guards=release.guards, method=method, seed=release.seed,
            progress=progress.part(0.0, 0.7, "once more for testing: "),
        )  # fmt: skip
        return counterpart(frontier, None, release)

    utility = Tryout().run(release, release.original, None, release.seed, again, progress.part(0.7, 1.0))
    return replace(release, utility=utility)
