"""explore_depths: what the depth of taxonomies does to the candidates (Caruccio et al. 2022, section 7).

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> asked = {"guards": fv.KAnonymity(3), "methods": [fv.Incognito()]}
>>> sweep = fv.explore_depths(credit.table, credit.schema, depths=[1, 2], **asked)
>>> [(one["depth"], one["candidates"]) for one in sweep.rows()]
[(1, 2), (2, 5)]

A hierarchy of depth d keeps its top and the d - 1 levels below that are spread most evenly; one that is not deeper
stays as it is. Everything else, guards, methods and measures, is the same for all depths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures as known_measures
from fairveil.data.hierarchy import Hierarchy, Levels, from_rows
from fairveil.display import Displayable, DisplayTable
from fairveil.errors import BadInput, Infeasible
from fairveil.frontier.frontier import Frontier
from fairveil.guards import Guard
from fairveil.messages import counted, option
from fairveil.progress import Progress, Report
from fairveil.run.explore import DEFAULT_MEASURES, explore_request
from fairveil.run.request import Request
from fairveil.run.sections import Origin

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.methods.method import Method


@dataclass(frozen=True)
class AtDepth:
    """The candidates with hierarchies of one depth; None and the reason if there are none."""

    depth: int
    levels: int
    """Levels above the values, all columns together."""
    frontier: Frontier | None
    problem: str = ""


@dataclass(frozen=True, repr=False)
class DepthSweep(Displayable):
    """The candidates by depth, and the measures that they are compared by."""

    depths: tuple[AtDepth, ...]
    measures: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per depth: its levels, its candidates, and the best value of each measure among them."""
        records = []
        for one in self.depths:
            best: dict[str, float | None] = dict.fromkeys(self.measures)
            for name in self.measures:
                values = np.array([np.nan]) if one.frontier is None else one.frontier.values(name)
                if not np.isnan(values).all():
                    best[name] = float(values[known_measures.get(name).best(values)])
            count = 0 if one.frontier is None else len(one.frontier)
            records.append({"depth": one.depth, "levels": one.levels, "candidates": count, **best})
        return records

    def _headline(self) -> str:
        return f"DepthSweep: {counted(len(self.depths), 'depth')} of hierarchies"

    def _tables(self) -> list[DisplayTable]:
        rows = self.rows()
        return [DisplayTable(list(rows[0]), [list(row.values()) for row in rows])] if rows else []


def explore_depths(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard] | Guard,
    methods: Sequence[Method],
    depths: Sequence[int],
    measures: Sequence[str] = DEFAULT_MEASURES,
    max_candidates: int | None = 30,
    seed: int = 0,
    progress: Progress | Report | bool | None = None,
) -> DepthSweep:
    """Search with all `methods` once for each of the `depths`, with hierarchies thinned out to it; `measures` are
    compared. See `explore` for the other settings."""
    promised = (guards,) if isinstance(guards, Guard) else tuple(guards)
    request = Request(Origin(data=table), promised, schema, tuple(methods), measures=tuple(measures), seed=seed)
    return depths_of_request(request, depths, measures, max_candidates=max_candidates, progress=progress)


def depths_of_request(
    request: Request,
    depths: Sequence[int],
    measures: Sequence[str],
    *,
    max_candidates: int | None = None,
    progress: Progress | Report | bool | None = None,
) -> DepthSweep:
    """Return the candidates of a request's methods, by depth of the hierarchies."""
    if not depths or any(not isinstance(depth, int) or depth < 1 for depth in depths):
        raise BadInput(f"{option('depths')} must be integers of at least 1, such as [1, 2, 4]")
    progress = Progress.visible(progress)
    task = request.task(progress)
    if not task.levels:
        raise BadInput("there is no depth to compare: no quasi column has a hierarchy")
    found = []
    for position, depth in enumerate(sorted(set(depths))):
        part = progress.part(position / len(depths), (position + 1) / len(depths))
        by_column = {name: thinned(levels, depth, task.schema.hierarchies[name])
                     for name, levels in task.levels.items() if name in task.schema.hierarchies}  # fmt: skip
        height = sum(min(levels.height, depth) for levels in task.levels.values())
        thin = replace(request, schema=replace(task.schema, hierarchies={**task.schema.hierarchies, **by_column}))
        try:
            frontier = explore_request(thin, measures, max_candidates=max_candidates, progress=part)
            found.append(AtDepth(depth, height, frontier))
        except Infeasible as problem:
            found.append(AtDepth(depth, height, None, str(problem)))
    return DepthSweep(tuple(found), tuple(measures))


def thinned(levels: Levels, depth: int, hierarchy: Hierarchy) -> Hierarchy:
    """Return a hierarchy with at most so many levels above the values: the top, and others spread evenly below it."""
    if levels.height <= depth:
        return hierarchy
    chosen = np.unique(np.rint(np.linspace(0, levels.height, depth + 1)).astype(int)).tolist()
    paths = (levels.path(leaf) for leaf in range(levels.leaves))
    return from_rows([[path[level] for level in chosen] for path in paths if path[0] is not None])
