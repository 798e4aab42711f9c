"""Explore: all candidates side by side, the frontier, the lattice, and two candidates compared."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from fairveil import measures
from fairveil.choice.pareto import knee, pareto
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.studio import api
from fairveil.studio.calls import Call
from fairveil.studio.candidate_store import columns_of, release_of
from fairveil.studio.inspecting import context_of, inspected, one_column
from fairveil.studio.jobs import started
from fairveil.studio.runs import Run
from fairveil.studio.searching import need_run
from fairveil.studio.views import number, roles_of


def _runs(call: Call, ids: list[str]) -> list[Run]:
    """Return these runs, or all runs of the document."""
    return [need_run(call, id) for id in ids or call.session.document["runs"] if id in call.session.runs]


def candidates(call: Call) -> api.CandidateColumns:
    asked = str(call.query.get("run", ""))
    with call.session.lock:
        runs = _runs(call, [asked] if asked else [])
        return columns_of([(run.id, run.found, run.heights) for run in runs])


def measure(call: Call) -> api.JobView[api.Done]:
    asked: api.MeasureMore = call.body
    names = [measures.get(name).name for name in asked.measures]
    runs = _runs(call, list(asked.runs))
    if not names:
        raise BadInput("name at least one measure")

    def work(progress: Progress) -> api.Done:
        steps = [(run, name) for run in runs for name in names]
        for done, (run, name) in enumerate(steps):
            progress.tell(done / len(steps), f"measuring {name} of {run.id}")
            run.measure(name)
        return {"done": True}

    return started(call, "measure", work)


def front(call: Call) -> api.Front:
    asked: api.AskFront = call.body
    chosen = [measures.get(name) for name in asked.measures]
    if not chosen:
        raise BadInput("a frontier needs at least one measure")
    with call.session.lock:
        columns = columns_of([(run.id, run.found, {}) for run in _runs(call, list(asked.runs))])
    if not columns["id"]:
        return {"ids": [], "knee": None}
    lists = [columns["measures"].get(one.name, [None] * len(columns["id"])) for one in chosen]
    points = [one.loses(np.array(values, dtype=float)) for one, values in zip(chosen, lists, strict=True)]
    matrix = np.nan_to_num(np.column_stack(points), nan=np.inf, posinf=np.inf, neginf=-np.inf)
    best = np.flatnonzero(pareto(matrix))
    compromise = columns["id"][knee(matrix)] if len(chosen) > 1 and np.isfinite(matrix).all(axis=1).any() else None
    return {"ids": [columns["id"][place] for place in best], "knee": compromise}


def lattice(call: Call) -> api.LatticeView:
    from fairveil.run.lattice_map import LARGEST

    run = need_run(call)
    place = _full_domain(run)
    if place is None:
        raise BadInput("no method of this run generalizes whole columns, so it has no lattice")
    frontier = run.frontier(place)
    large = frontier.task.lattice.size > LARGEST
    if large:
        return {
            "run": run.id, "columns": [], "heights": [], "strides": [], "size": frontier.task.lattice.size,
            "flags": "", "nodes": [], "ids": [], "labels": [], "too_large": True,
        }  # fmt: skip
    found = _map(call, run, place)
    return {
        "run": run.id, "columns": list(found.columns), "heights": [int(height) for height in found.heights],
        "strides": [int(stride) for stride in found.strides], "size": found.size,
        "flags": base64.b64encode(found.flags.tobytes()).decode(), "nodes": [int(node) for node in found.nodes],
        "ids": [f"{run.id}-{number}" for number in frontier.numbers],
        "labels": [guard["kind"] for guard in run.request["guards"]], "too_large": False,
    }  # fmt: skip


def _full_domain(run: Run) -> int | None:
    """Return the place of a method of a run whose candidates are lattice nodes, preferably one that found all."""
    frontiers = [run.frontier(place) for place in run.places]
    places = [(not part.exhaustive, part.result.place) for part in frontiers if part.proposal.nodes is not None]
    return min(places)[1] if places else None


def _map(call: Call, run: Run, place: int) -> Any:
    from fairveil.run.lattice_map import map_of

    return call.session.keep(("lattice", run.id, run.started, place), lambda: map_of(run.frontier(place)))


def node(call: Call) -> api.Inspected:
    """Return what a node would publish, whether or not it satisfies the guards."""
    from fairveil.recipes.full_domain import FullDomain
    from fairveil.release.release import publish

    run, wanted = need_run(call, str(call.need("run"))), int(call.need("node"))
    place = _full_domain(run)
    if place is None:
        raise BadInput("no method of this run generalizes whole columns, so it has no lattice")
    levels = _map(call, run, place).levels(wanted)
    task = run.frontier(place).task
    release = publish(task.source, task.schema, task.guards, FullDomain(task.schema, levels), seed=task.seed)
    return inspected(f"node {wanted}", "", {}, context_of(release), release)


def compare(call: Call) -> api.Compared:
    one, other = str(call.need("one")), str(call.need("other"))
    contexts = [context_of(release_of(call.session, candidate)) for candidate in (one, other)]
    by_name = [{column.name: column for column in context.columns} for context in contexts]
    names = dict.fromkeys([*by_name[0], *by_name[1]])
    values = [context.measures for context in contexts]
    return {
        "one": one,
        "other": other,
        "columns": [
            {"name": name, "roles": roles_of((by_name[0].get(name) or by_name[1][name]).roles),
             "one": one_column(by_name[0].get(name)), "other": one_column(by_name[1].get(name))}
            for name in names
        ],
        "measures": [
            {"name": known.name, "better": known.better, "meaning": known.meaning,
             "one": number(values[0].get(known.name)), "other": number(values[1].get(known.name))}
            for known in measures.MEASURES if known.name in values[0] or known.name in values[1]
        ],
    }  # fmt: skip
