"""explore and search: the candidates of one or several methods on the same data. All searches are run from here.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> frontier = fv.search(credit.table, credit.schema, guards=fv.KAnonymity(3))
>>> methods = [fv.Incognito(), fv.Mondrian()]
>>> both = fv.explore(credit.table, credit.schema, guards=fv.KAnonymity(3), methods=methods)
>>> bool(both.values("k").min() >= 3)
True

Each method searches and is measured separately; methods share the cores. If a folder is given, results of finished
methods are kept there and not recomputed. A method that finds nothing does not stop the others: `failed` says why.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures as known_measures
from fairveil.counting import threads
from fairveil.data.dialect import Dialect, Missing
from fairveil.data.join import Join
from fairveil.errors import BadInput, Infeasible, refuse
from fairveil.frontier.frontier import Frontier
from fairveil.frontier.search_result import SearchResult
from fairveil.messages import option
from fairveil.methods.blocks.row_search import searched
from fairveil.methods.incognito import Incognito
from fairveil.progress import Progress, Report, StepProgress
from fairveil.run.given import given_data, given_guards, given_methods, given_schema
from fairveil.run.request import Request
from fairveil.run.sections import Earlier, Origin

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.engines import Order
    from fairveil.guards import Guard
    from fairveil.measures import Measure
    from fairveil.methods.method import Method, Proposal
    from fairveil.methods.task import Task
    from fairveil.run.cache import SearchCache

DEFAULT_MEASURES = ("k", "loss")


def explore(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard] | Guard,
    methods: Sequence[Method],
    measures: Sequence[str] = DEFAULT_MEASURES,
    max_candidates: int | None = 30,
    keep: str | Path | None = None,
    missing: Missing = "category",
    order: Order = "sorted",
    earlier: Sequence[Any] = (),
    join: Sequence[Join | str] = (),
    seed: int = 0,
    progress: Progress | Report | bool | None = None,
) -> Frontier:
    """Search with all `methods` and return their candidates side by side, all measured in the same way.

    `table` is a Table, any data frame, a lazy frame of an engine, a path or a source; it is not changed. `order="keep"`
    publishes the rows in the order of the source instead of by their values. `earlier` are releases of the same people,
    or their folders: k then also holds on all together (docs/publishing-again.md). `join` are further tables whose
    columns are added by a key (docs/engines.md).

    If a method finds more than `max_candidates`, those on its own frontier by the cheap ones of `measures` are kept,
    thinned out evenly if they are still too many; None keeps all. `keep` names a folder where the results of finished
    methods are kept; its files reveal facts about the source, so do not publish them. When several methods are
    compared, a method's own figures are not used: the same code measures all candidates, with classifiers on the same
    folds of the source. The records of each method are added to `progress.found` as soon as it has searched; those of
    one that is still searching are there before, with numbers that end with *.
    """
    table, promised, schema = given_data(table), given_guards(guards), given_schema(schema)
    place: dict[str, Any] = {"path": str(table)} if join and isinstance(table, str | Path) else {"data": table}
    origin = Origin(**place, join=tuple(map(Join.of, join)), dialect=Dialect(missing=missing))
    refuse(origin.problems() if "path" in place else [])
    options: dict[str, Any] = {"measures": tuple(measures), "order": order, "seed": seed}
    past = tuple(one if isinstance(one, Earlier) else Earlier(one) for one in earlier)
    request = Request(origin, promised, schema, given_methods(methods), earlier=past, **options)
    return explore_request(request, measures, max_candidates=max_candidates, keep=keep, progress=progress)


def search(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard] | Guard,
    method: Method | None = None,
    measures: Sequence[str] = (),
    missing: Missing = "category",
    order: Order = "sorted",
    earlier: Sequence[Any] = (),
    join: Sequence[Join | str] = (),
    seed: int = 0,
    progress: Progress | Report | bool | None = None,
) -> Frontier:
    """Return all candidates that one `method` finds (Incognito by default).

    `table` is a Table, any data frame, a lazy frame of an engine, a path or a source; it is not changed. `measures` are
    computed at once; any other is computed when first asked for. `order="keep"` publishes the rows in the order of the
    source instead of by their values. `earlier` are releases of the same people, or their folders: k then also holds on
    all together (docs/publishing-again.md). `join` are further tables whose columns are added by a key
    (docs/engines.md). The candidates' records are added to `progress.found` before the measures
    that need more than a summary are computed.
    """
    return explore(
        table, schema, guards=guards, methods=[method or Incognito()], measures=measures, max_candidates=None,
        missing=missing, order=order, earlier=earlier, join=join, seed=seed, progress=progress,
    )  # fmt: skip


def explore_request(
    request: Request,
    measures: Sequence[str],
    *,
    max_candidates: int | None = None,
    keep: str | Path | None = None,
    only: int | None = None,
    progress: Progress | Report | bool | None = None,
) -> Frontier:
    """Return the candidates of a request's methods, or of `only` the one with this number (from 1).

    The settings are those of `explore`; a candidate has the same number whether or not all methods are searched.
    """
    resolved = [known_measures.get(name) for name in measures]
    if not request.methods:
        raise BadInput("nothing to explore: name at least one method")
    if max_candidates is not None and max_candidates < 1:
        raise BadInput(f"{option('max_candidates')} must be at least 1, not {max_candidates}")
    progress = Progress.visible(progress)

    def work() -> Frontier:
        task = request.task(progress)
        return explore_task(
            task, request.methods, resolved, max_candidates=max_candidates, keep=keep, order=request.order, only=only
        )

    return progress.run(work)


def explore_task(
    task: Task,
    methods: Sequence[Method],
    measures: Sequence[Measure],
    *,
    max_candidates: int | None = None,
    keep: str | Path | None = None,
    order: Order = "sorted",
    only: int | None = None,
    interim: bool = False,
) -> Frontier:
    """Like `explore_request`, for a request's task. `interim`: what a method had found when it was stopped will do."""
    cache = None
    if keep is not None:
        from fairveil.run.cache import SearchCache

        cache = SearchCache(Path(keep), task, alone=len(methods) == 1)
    chosen = [number for number in range(1, len(methods) + 1) if only in (None, number)]
    shared = _SharedProgress(task.progress, [methods[number - 1] for number in chosen], measures)

    def work(index: int) -> Frontier | Infeasible | BadInput:
        steps = _MethodProgress(shared, index)
        try:
            return _searched(
                task.reporting_to(steps),
                methods,
                chosen[index],
                measures,
                max_candidates,
                cache,
                steps,
                order,
                interim,
            )
        except (Infeasible, BadInput) as problem:
            return problem
        except Exception as problem:
            shared.problem = problem
            raise
        finally:
            shared.done(index)

    if len(chosen) == 1:  # a thread slows a short search down
        results = [work(0)]
    else:
        with ThreadPoolExecutor(min(threads.count(), len(chosen))) as pool:
            try:
                results = list(pool.map(work, range(len(chosen))))
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
    frontiers = [result for result in results if isinstance(result, Frontier)]
    problems = {methods[number - 1].kind: result for number, result in zip(chosen, results, strict=True)
                if not isinstance(result, Frontier)}  # fmt: skip
    failed = [f"{kind}: {problem}" for kind, problem in problems.items()]
    if not frontiers and len(problems) == 1:
        raise next(iter(problems.values()))
    if not frontiers:
        raise Infeasible("no method found a release that keeps the guards: " + "; ".join(failed))
    return Frontier.joined(frontiers, failed)


def _searched(
    task: Task, methods: Sequence[Method], method_number: int, measures: Sequence[Measure], max_candidates: int | None,
    cache: SearchCache | None, steps: _MethodProgress, order: Order, interim: bool = False,
) -> Frontier:  # fmt: skip
    """At most `max_candidates` of the method with a number, with their measures."""
    method, requested = methods[method_number - 1], len(methods)
    cheap = [measure.name for measure in measures if measure.cost == "summary"]
    recalled = cache.recall(task, method, measures, max_candidates, order, method_number) if cache else None
    if cache and recalled is None and interim:
        recalled = cache.recall(task, method, measures, max_candidates, order, method_number, interim=True)
    if recalled is not None:
        frontier = Frontier.of(recalled, requested=requested)
    else:

        def found(proposal: Proposal, **numbering: Any) -> Frontier:
            settings: dict[str, Any] = {"method_number": method_number, "own_values": requested == 1, **numbering}
            result = SearchResult.of(task, proposal, order, **settings)
            return thinned(Frontier.of(result, requested=requested), max_candidates, cheap or DEFAULT_MEASURES)

        numbers = _InterimNumbers()
        if cache and (before := cache.recall(task, method, measures, max_candidates, order, method_number, True)):
            numbers.last = before.total

        def offered(proposal: Proposal) -> None:
            given = numbers.of(proposal)
            early = found(proposal, interim=True, numbers=given, total=numbers.last)
            for name in cheap:
                early.values(name)
            task.progress.check()  # what compiled code returned after a cancel is undefined
            if cache and method.deterministic and len(cheap) == len(measures):
                cache.keep(method, measures, max_candidates, early)
            task.progress.add(lambda: early.records(cheap), method_number)

        steps.on_offer = offered
        try:
            frontier = found(searched(method, task, order))
        finally:
            steps.on_offer = None  # it refers to the task: a source is closed as soon as nobody uses it
    if recalled is not None or task.progress.watched:
        for name in cheap:  # now, because nothing is measured after a cancel
            frontier.values(name)
        task.progress.add(lambda: frontier.records(cheap), method_number)
    if recalled is not None:
        return frontier
    for measure in measures:
        if measure.cost != "summary":
            steps.step += 1
            frontier.values(measure)
    # a candidate that is not derived from the source (noise) cannot be rebuilt from its change: search again
    if cache and method.deterministic and frontier.proposal.task is None:
        cache.keep(method, measures, max_candidates, frontier)
    return frontier


def thinned(candidates: Frontier, max_candidates: int | None, names: Sequence[str] = DEFAULT_MEASURES) -> Frontier:
    """At most `max_candidates`: the Pareto frontier by these measures, thinned out evenly."""
    if max_candidates is None or len(candidates) <= max_candidates:
        return candidates
    front = candidates.pareto(*names)
    if len(front) <= max_candidates:
        return front
    order = np.argsort(front.values(names[0] if names != DEFAULT_MEASURES else "loss"), kind="stable")
    chosen = np.zeros(len(front), dtype=bool)
    chosen[order[np.linspace(0, len(front) - 1, max_candidates).round().astype(int)]] = True
    return front.some(chosen)


class _InterimNumbers:
    """Numbers of candidates of a method that is still searching: one that is proposed again keeps its number, and none
    is ever given to another, also not of an earlier search that was stopped: `last` is the last one that was given."""

    def __init__(self) -> None:
        self.last, self._numbers = 0, dict[bytes, int]()

    def of(self, proposal: Proposal) -> np.ndarray:
        keys = [row.tobytes() for row in proposal.nodes] if proposal.nodes is not None else [
            hashlib.sha256(json.dumps(change.to_dict(), sort_keys=True, default=str).encode()).digest()
            for change in proposal.changes
        ]  # fmt: skip
        for key in keys:
            if key not in self._numbers:
                self.last += 1
                self._numbers[key] = self.last
        return np.array([self._numbers[key] for key in keys], dtype=np.int64)


class _SharedProgress:
    """Progress of many methods: the mean of their shares, reported one at a time. `problem` is an unexpected exception
    of one of them, which stops the others."""

    def __init__(self, progress: Progress, methods: Sequence[Method], measures: Sequence[Measure]) -> None:
        self.progress, self.kinds = progress, [method.kind for method in methods]
        self.shares, self.finished, self.lock = np.zeros(len(methods)), 0, Lock()
        self.per_method = 1 + sum(measure.cost != "summary" for measure in measures)
        self.problem: Exception | None = None

    def tell(self, number: int, share: float, what: str) -> None:
        if self.problem is not None:
            raise self.problem
        with self.lock:
            self.shares[number] = max(self.shares[number], share)  # a method may start again from 0
            alone = len(self.shares) == 1
            where = "" if alone else f"{self.finished} of {len(self.shares)} methods done; {self.kinds[number]}: "
            self.progress.tell(float(self.shares.mean()), where + what)

    def done(self, number: int) -> None:
        with self.lock:
            self.shares[number] = 1.0
            self.finished += 1
            if len(self.shares) > 1 and not self.progress.cancelled:
                share = float(self.shares.mean())
                self.progress.tell(share, f"{self.finished} of {len(self.shares)} methods done")


class _MethodProgress(StepProgress):
    """The progress of one method: its search and each slow measure have equal shares."""

    def __init__(self, shared: _SharedProgress, number: int) -> None:
        super().__init__(shared.progress, 0.0, 1.0, "")
        self.shared, self.number, self.step = shared, number, 0
        self.on_offer: Callable[[Proposal], None] | None = None
        self._next_offer = 0.0

    def tell(self, share: float, what: str) -> None:
        self.share, self.what = share, what
        self.shared.tell(self.number, (self.step + min(share, 0.99)) / self.shared.per_method, what)

    def offer(self, proposal: Callable[[], Proposal | None]) -> None:
        """Pass on what the method would propose now, if anything: after half a second at the earliest, and in a tenth
        of its time at most."""
        if self.on_offer is None or not self.watched:
            return
        began = time.monotonic()
        if not self._next_offer:
            self._next_offer = began + 0.5
        if began >= self._next_offer:
            if (current := proposal()) is not None:
                self.on_offer(current)
            ended = time.monotonic()
            self._next_offer = ended + max(2.0, 10 * (ended - began))
