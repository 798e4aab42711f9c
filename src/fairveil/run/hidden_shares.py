"""How much a release hides, and what would help: a column left out, two merged, or a smaller k, each tried with what it
gains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil import guards, methods
from fairveil.data import hierarchy
from fairveil.data.hierarchy import TOP
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, Infeasible
from fairveil.run.request import variant

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table
    from fairveil.engines import Source
    from fairveil.progress import Progress
    from fairveil.release.release import Release
    from fairveil.run.plan import Plan

MOST, NOTHING = 0.5, 0.99
"""The share of hidden cells from which most is hidden, and from which nothing is left of a column."""
MAX_ROWS = 200_000
"""Maximum number of records with which remedies are tried."""
SMALLEST_K = 3
TELLS, MAX_PAIRS = 0.98, 2
"""The share of the doubt about a column that another takes for the two to be merged, and the most pairs tried."""


def hidden_shares(release: Release) -> dict[str, float]:
    """For each published quasi column, the share of the source's records that show nothing of it."""
    shares = {}
    rows = max(release.published.rows + release.suppressed, 1)
    for table in release.published.content.values():
        for name in table.names:
            if name not in release.schema.quasi:
                continue
            column = table.domain(name)
            shown = np.array([value is None or as_text(value) != TOP for value in column.domain])
            if shown.all():
                shares[name] = 1 - table.rows / rows
                continue
            cells = table.count([name])
            counts = np.bincount(cells.codes[name], weights=cells.counts, minlength=len(column.values))
            shares[name] = 1 - float(counts[shown].sum()) / rows
    return shares


def mostly_hidden(shares: Mapping[str, float]) -> list[str]:
    """What to say first: that most cells are hidden, and of which columns nothing is left; empty if neither is so."""
    gone = [name for name, share in shares.items() if share >= NOTHING]
    most = float(np.mean([*shares.values()])) if shares else 0.0
    lines = [f"{most:.0%} of the cells by which people could be recognized are hidden"] if most > MOST else []
    return lines + ([f"nothing is left of {', '.join(gone)}"] if gone else [])


def remedies(plan: Plan, release: Release, progress: Progress) -> list[str]:
    """What would help, the best first, each tried with the methods of the plan: the share hidden then."""
    shares = hidden_shares(release)
    if plan.schema is None or not shares or release.published.rows > MAX_ROWS:
        return []
    before, tried = float(np.mean([*shares.values()])), []
    for label, changed in _changes(plan, plan.schema, shares):
        try:
            after = hidden_shares(changed.run(progress))
        except (BadInput, Infeasible):
            continue
        share = float(np.mean([*after.values()])) if after else 1.0
        if share < before - 0.01:
            tried.append((share, f"{label}: {share:.0%} hidden instead of {before:.0%}"))
    return [line for _, line in sorted(tried, key=lambda one: (round(one[0], 2), len(one[1])))]


def _changes(plan: Plan, schema: Schema, shares: Mapping[str, float]) -> Iterator[tuple[str, Plan]]:
    """Changes of a plan that may help, in words and as a plan."""
    worst = sorted((name for name in shares if name in schema.quasi), key=lambda name: -shares[name])
    for names in (worst[:1], worst[1:2], worst[:2]):
        if names and len(worst) > len(names):
            yield f"leave out {' and '.join(names)}", _without(plan, schema, names)
    source = plan.open()[0]
    for coarse, fine in _mergeable(source, worst):
        yield f"merge {coarse} into {fine}, which tells it", _merged(plan, schema, source.table, coarse, fine)
    for guard in plan.guards:
        k = guard.to_dict().get("k")
        if isinstance(k, int) and k > SMALLEST_K:
            smaller = guards.from_dict({**guard.to_dict(), "k": SMALLEST_K})
            others = [smaller if other is guard else other for other in plan.guards]
            yield f"k = {SMALLEST_K} instead of {k}", variant(plan, guards=tuple(others))


def _mergeable(source: Source, names: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of quasi columns of which the first nearly follows from the second, as a state from a city."""
    from fairveil.run.suggestions.same_columns import codes_of, told

    codes = codes_of(source, names) if len(names) > 1 else {}
    pairs = [
        (coarse, fine)
        for coarse in codes
        for fine in codes
        if codes[coarse][1] < codes[fine][1] and told(codes, coarse, by=fine) >= TELLS
    ]
    return pairs[:MAX_PAIRS]


def _merged(plan: Plan, schema: Schema, table: Table, coarse: str, fine: str) -> Plan:
    """The plan with one of two columns, whose hierarchy leads to the other where it can."""
    from fairveil.run.suggestions.same_columns import tied

    fewer = _without(plan, schema, [coarse])
    spec = tied(table.column(fine), table.column(coarse), np.ones(1))
    if spec is None or fewer.schema is None:
        return fewer
    hierarchies = {**fewer.schema.hierarchies, fine: hierarchy.from_dict(spec)}
    return variant(fewer, schema=replace(fewer.schema, hierarchies=hierarchies))


def _without(plan: Plan, schema: Schema, names: Sequence[str]) -> Plan:
    """The plan with these quasi columns left out, also of the levels that a method names."""
    searches = []
    for method in plan.methods:
        spec = method.to_dict()
        if isinstance(spec.get("levels"), dict):
            spec["levels"] = {name: level for name, level in spec["levels"].items() if name not in names}
        searches.append(methods.from_dict(spec))
    return variant(plan, schema=schema.without(names), methods=tuple(searches))
