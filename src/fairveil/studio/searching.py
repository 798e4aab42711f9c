"""Search and explore: runs are started, watched, named and removed; their candidates stand side by side, with the
frontier, the lattice, and two candidates compared."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from fairveil import measures as known_measures
from fairveil.choice.compromise import compromise
from fairveil.choice.pareto import pareto
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from fairveil.reporting.context import ReportedColumn
from fairveil.run.lattice_map import LARGEST, LatticeMap, map_of
from fairveil.studio.answers import Answer, finite, number
from fairveil.studio.candidate_store import CandidateColumns, columns_of, release_of
from fairveil.studio.document import methods_of, requested
from fairveil.studio.endpoints import Offset, endpoint
from fairveil.studio.inspecting import Inspected, context_of, inspected, reported
from fairveil.studio.jobs import JobView, started
from fairveil.studio.refusals import unknown
from fairveil.studio.runs import LIMIT, Run, RunHead, RunProgress
from fairveil.studio.sessions import OpenSession


class Pulse(Answer):
    """What a page polls: it fetches the session again when the version or the state of a run has changed."""

    version: int
    runs: list[RunProgress]


class RunView(Answer):
    """A run, and its candidates from `since` on."""

    run: RunHead
    candidates: CandidateColumns


class LatticeView(Answer):
    """All generalizations of the quasi columns. Node number n has level `n // stride % (height + 1)` in each column.

    `flags` are bytes in base64, one a node: 1 k-anonymous, 2 keeps the guards about rules (such as alpha-protection),
    4 keeps all guards, 8 minimal. `nodes` are the node numbers of the run's candidates `ids`, in the same order. A
    lattice that is too large has only its size, and where no method generalizes whole columns it is 0.
    """

    run: str
    size: int
    too_large: bool
    columns: Sequence[str] = ()
    heights: Sequence[int] = ()
    strides: Sequence[int] = ()
    flags: str = ""
    nodes: Sequence[int] = ()
    ids: Sequence[str] = ()


class Front(Answer):
    """The candidates that no other beats in these measures; the best compromise among them, and why it is; and the most
    useful candidate of all."""

    ids: list[str]
    knee: str | None
    reason: str
    useful: str | None


class Compared(Answer):
    """Two candidates: what became of each column, and the measures by name, each in one and in the other."""

    columns: list[tuple[ReportedColumn, ReportedColumn]]
    measures: dict[str, tuple[float | None, float | None]]


@endpoint("POST", "/runs")
def start(
    session: OpenSession,
    name: str = "",
    methods: Sequence[Any] | None = None,
    measures: Sequence[str] | None = None,
    max_candidates: Annotated[int | None, {"setting": LIMIT}] = None,
) -> RunHead:
    """Start a run; raises before it starts if the request cannot be met. The document's methods and measures are used
    unless others are named. At most `max_candidates` a method."""
    chosen = methods_of(session.document["methods"] if methods is None else methods)
    if not chosen:
        raise BadInput("nothing to search with: choose at least one method")
    request = requested(
        session.document,
        methods=[finite(method.to_dict()) for method in chosen],
        measures=list(session.document["measures"] if measures is None else measures),
        max_candidates=max_candidates,
    )
    task = Run(session, "", request).task()
    with session.lock:
        run = Run(session, f"r{session.next_number('r')}", request)
        session.runs[run.id] = run
        label = {"name": name or f"Run {run.id[1:]}", "note": ""}
        session.change(f"Started {label['name']}", lambda document: document["runs"].update({run.id: label}))
        run.start(task)
    return run.head()


@endpoint("GET", "/pulse")
def pulse(session: OpenSession) -> Pulse:
    """Return a short status: pages request it several times a second during a run."""
    with session.lock:
        runs = [run.progress() for id, run in session.runs.items() if id in session.document["runs"]]
        return Pulse(session.history.version, runs)


def need_run(session: OpenSession, id: str) -> Run:
    if id not in session.runs or id not in session.document["runs"]:
        raise unknown("run", id)
    return session.runs[id]


@endpoint("GET", "/runs/{run}?since")
def show(session: OpenSession, run: str, since: Offset = 0) -> RunView:
    searched = need_run(session, run)
    with session.lock:
        newer = columns_of([(run, searched.candidates.since(since), searched.heights)], len(searched.candidates))
        return RunView(searched.head(), newer)


@endpoint("POST", "/runs/{run}/cancel")
def cancel(session: OpenSession, run: str) -> RunHead:
    """Stop a run; what it found stays."""
    running = need_run(session, run)
    if running.job is not None and running.state == "running":
        running.job.stop(2.0)
    return running.head()


@endpoint("POST", "/runs/{run}/again")
def again(session: OpenSession, run: str) -> RunHead:
    """Repeat a run with the same request and name, after a restart, a cancellation or a failure."""
    repeated = need_run(session, run)
    if repeated.state == "running":
        raise BadInput("this run is still going on")
    repeated.start()
    return repeated.head()


@endpoint("PUT", "/runs/{run}")
def label(session: OpenSession, run: str, name: str | None = None, note: str | None = None) -> None:
    need_run(session, run)
    session.label("runs", run, name, note)


@endpoint("DELETE", "/runs/{run}")
def delete(session: OpenSession, run: str) -> None:
    job = need_run(session, run).job
    if job is not None:
        job.progress.cancel()
    session.remove("runs", run)


def _runs(session: OpenSession, ids: Sequence[str]) -> list[Run]:
    """Return these runs, or all runs of the document."""
    return [need_run(session, id) for id in ids or session.document["runs"] if id in session.runs]


@endpoint("GET", "/candidates?run")
def candidates(session: OpenSession, run: str = "") -> CandidateColumns:
    """Return the candidates of a run, or of all runs, column by column."""
    with session.lock:
        return columns_of([(run.id, run.candidates, run.heights) for run in _runs(session, [run] if run else [])])


@endpoint("POST", "/measures")
def measure(session: OpenSession, measures: Sequence[str], runs: Sequence[str] = ()) -> JobView[bool]:
    """Compute measures that take longer, for all candidates of these runs, or of all runs."""
    names = [known_measures.get(name).name for name in measures]
    if not names:
        raise BadInput("name at least one measure")
    steps = [(run, name) for run in _runs(session, runs) for name in names]

    def work(progress: Progress) -> bool:
        for done, (run, name) in enumerate(steps):
            progress.tell(done / len(steps), f"measuring {known_measures.get(name).title} of {run.id}")
            run.measure(name)
        return True

    return started(session, "measure", work)


@endpoint("POST", "/front")
def front(session: OpenSession, measures: Sequence[str], runs: Sequence[str] = ()) -> Front:
    """Return the Pareto frontier by these measures."""
    chosen = [known_measures.get(name) for name in measures]
    if not chosen:
        raise BadInput("a frontier needs at least one measure")
    with session.lock:
        columns = columns_of([(run.id, run.candidates, {}) for run in _runs(session, runs)])
    if not columns.id:
        return Front([], None, "", None)

    def values_of(name: str) -> np.ndarray:
        return np.array(columns.measures.get(name, [None] * len(columns.id)), dtype=float)

    values = {by: values_of(by.name) for by in chosen}
    points = [by.loses(column) for by, column in values.items()]
    matrix = np.nan_to_num(np.column_stack(points), nan=np.inf, posinf=np.inf, neginf=-np.inf)
    ids = [columns.id[position] for position in np.flatnonzero(pareto(matrix))]
    kept = known_measures.get("entropy" if len(set(columns.methods)) > 1 else "loss")
    charged = values_of(kept.name)
    useful = columns.id[kept.best(charged)] if np.isfinite(charged).any() else None
    if len(values) < 2 or not np.isfinite(matrix).all(axis=1).any():
        return Front(ids, None, "", useful)
    found = compromise(values)
    return Front(ids, columns.id[found.position], found.reason, useful)


@endpoint("GET", "/runs/{run}/lattice")
def lattice(session: OpenSession, run: str) -> LatticeView:
    """Return all generalizations of a run."""
    searched = need_run(session, run)
    method_number = _full_domain(searched)
    if method_number is None:
        return LatticeView(run, 0, False)
    frontier = searched.frontier(method_number)
    if frontier.task.lattice.size > LARGEST:
        return LatticeView(run, frontier.task.lattice.size, True)
    lattice_map = _map(session, searched, method_number)
    return LatticeView(
        run, lattice_map.size, False, lattice_map.columns, lattice_map.heights.tolist(), lattice_map.strides.tolist(),
        base64.b64encode(lattice_map.flags.tobytes()).decode(), lattice_map.nodes.tolist(),
        [f"{run}-{number}" for number in frontier.numbers],
    )  # fmt: skip


def _full_domain(run: Run) -> int | None:
    """Return the number of a method of a run whose candidates are lattice nodes, preferably one that found all; None if
    there is none."""
    frontiers = [run.frontier(method_number) for method_number in run.method_numbers]
    with_nodes = [part for part in frontiers if part.proposal.nodes is not None]
    return min(((not part.exhaustive, part.result.method_number) for part in with_nodes), default=(False, None))[1]


def _map(session: OpenSession, run: Run, method_number: int) -> LatticeMap:
    key = ("lattice", run.id, run.started, method_number)
    lattice_map: LatticeMap = session.keep(key, lambda: map_of(run.frontier(method_number)))
    return lattice_map


@endpoint("GET", "/node?run&node")
def node(session: OpenSession, run: str, node: int) -> Inspected:
    """Return what a node would publish, whether or not it satisfies the guards."""
    searched = need_run(session, run)
    method_number = _full_domain(searched)
    if method_number is None:
        raise BadInput("no method of this run generalizes whole columns, so it has no lattice")
    task, levels = searched.frontier(method_number).task, _map(session, searched, method_number).levels(node)
    release = publish(task.source, task.schema, task.guards, FullDomain(task.schema, levels), seed=task.seed)
    return inspected(f"node {node}", release, context_of(release))


@endpoint("GET", "/compare?one&other")
def compare(session: OpenSession, one: str, other: str) -> Compared:
    """Return two candidates, column by column."""
    contexts = [context_of(release_of(session, candidate)) for candidate in (one, other)]
    columns: list[dict[str, Any]] = [{column.name: column for column in context.columns} for context in contexts]
    first, second = (context.measures for context in contexts)
    return Compared(
        [
            (reported(columns[0].get(name, ReportedColumn(name, column.roles))),
             reported(columns[1].get(name, ReportedColumn(name, column.roles))))
            for name, column in {**columns[0], **columns[1]}.items()
        ],
        {
            name: (number(first.get(name)), number(second.get(name)))
            for name in known_measures.MEASURES.names if name in first or name in second
        },
    )  # fmt: skip
