"""Look: the rows and columns of the source, and how identifying they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from fairveil.data.integer_meaning import why_a_code
from fairveil.data.numeric import is_number
from fairveil.data.table import Column
from fairveil.engines import Source
from fairveil.run.profile import Profile, profile
from fairveil.studio import api
from fairveil.studio.calls import Call
from fairveil.studio.requests import need_source
from fairveil.studio.sessions import OpenSession
from fairveil.studio.views import cell, label

BARS = 24
"""Number of bars of a small histogram."""
MOST_PAIRS = 500
SHOWN = ("separator", "encoding", "decimal", "sheet")
"""The reading options that are detected and can be corrected."""


def _profile(session: OpenSession, source: Source, *, pairs: bool) -> Profile:
    key = session.sources.key(session.document["source"])
    kept: Profile = session.keep(("profile", key, pairs), lambda: profile(source, pairs=pairs))
    return kept


def suggested_roles(session: OpenSession) -> dict[str, tuple[str, ...]]:
    """Return the suggested roles of each column."""
    found = _profile(session, need_source(session), pairs=False)
    return {column.name: column.roles for column in found.columns}


def table(call: Call) -> api.TableFacts:
    source = need_source(call.session)
    found = _profile(call.session, source, pairs=False)
    columns: list[Any] = [
        {
            "name": column.name, "type": column.type, "distinct": column.distinct, "missing": column.missing,
            "unique": column.unique, "risk": column.risk, "commonest": cell(column.commonest),
            "commonest_share": column.commonest_share,
            **_ends(source.domain(column.name)), "suggested": list(column.roles), "reason": column.reason,
            "look": column.look, "safe_harbor": column.safe_harbor,
            "code": why_a_code(source.domain(column.name), source.rows),
            "histogram": histogram(source.domain(column.name), counts_of(source, column.name)),
        }
        for column in found.columns
    ]  # fmt: skip
    given = (call.session.document["source"] or {}).get("options", {})
    options: Any = {**{name: sign for name, sign in found.read_as.items() if name in SHOWN}, **given}
    return {"rows": source.rows, "dropped": source.dropped, "columns": columns, "options": options}


def _ends(column: Column) -> dict[str, Any]:
    """Return the minimum and maximum number or date, or text length: the initial values of wizards."""
    values = [value for value in column.domain if value is not None]
    nothing: dict[str, Any] = {"least": None, "most": None, "shortest": None, "longest": None}
    if not values or isinstance(values[0], bool):
        return nothing
    if isinstance(values[0], str):
        lengths = [len(value) for value in values]
        return {**nothing, "shortest": min(lengths), "longest": max(lengths)}
    return {**nothing, "least": cell(values[0]), "most": cell(values[-1])}


def pairs(call: Call) -> api.Pairs:
    found = _profile(call.session, need_source(call.session), pairs=True)
    return {
        "pairs": [
            {"names": list(pair.names), "distinct": pair.distinct, "unique": pair.unique, "risk": pair.risk}
            for pair in found.pairs[:MOST_PAIRS]
        ]
    }


def rows(call: Call) -> api.Rows:
    source, (offset, limit) = need_source(call.session), call.window()
    return {
        "offset": offset,
        "total": source.rows,
        "columns": list(source.names),
        "rows": window(source, offset, limit),
    }


def window(source: Source, offset: int, limit: int) -> list[list[api.Cell]]:
    """Return some rows of the source, unchanged."""
    lines: list[list[api.Cell]] = []
    start = 0
    for block in source.blocks():
        first, last = max(offset - start, 0), min(offset + limit - start, block.rows)
        if first < last:
            columns = [block.column(name) for name in block.names]
            lines += cells_of(columns, np.arange(first, last))
        start += block.rows
        if start >= offset + limit:
            break
    return lines


def cells_of(columns: Sequence[Column], places: np.ndarray) -> list[list[api.Cell]]:
    """Return the values of some rows, one list per row."""
    parts = [[cell(value) for value in column.values.take(column.codes[places]).to_pylist()] for column in columns]
    return [list(line) for line in zip(*parts, strict=True)]


def counts_of(source: Source, name: str) -> np.ndarray:
    """Return the number of rows of each value of a column."""
    cells = source.count([name])
    return np.bincount(cells.codes[name], weights=cells.counts, minlength=len(source.domain(name).values))


def histogram(column: Column, counts: np.ndarray) -> api.Histogram:
    """Return a few bars: numbers in ranges of equal width, other values by frequency."""
    values = column.domain
    if is_number(column) and len(values) > BARS:
        held = [place for place, value in enumerate(values) if value is not None and np.isfinite(float(value))]
        numbers = np.array([float(values[place]) for place in held])
        if len(numbers) > 1 and np.isfinite(numbers[-1] - numbers[0]):
            bars, edges = np.histogram(numbers, BARS, weights=counts[held])
            labels = [f"{low:.4g} – {high:.4g}" for low, high in pairwise(edges)]
            rest = int(counts.sum() - bars.sum())
            return {"labels": labels, "counts": [int(bar) for bar in bars], "rest": rest}
    order = range(len(values)) if len(values) <= BARS else np.argsort(-counts, kind="stable")[:BARS]
    shown = [int(place) for place in order if counts[place]]
    rest = int(counts.sum() - counts[shown].sum())
    return {"labels": [label(values[p]) for p in shown], "counts": [int(counts[p]) for p in shown], "rest": rest}
