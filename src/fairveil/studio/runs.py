"""Runs: searches in the background. The request and the candidates of a run are files of the session, written whenever
a method has found some, also while it still searches: what was found stays after a cancellation, a kill and a restart.

A run keeps the part of the document that it was started with, so that later changes do not affect its candidates.
After a restart the candidates are read from its file; the method is restored when one of them is viewed.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints

from fairveil import measures, shapes
from fairveil.data.atomic import write_text
from fairveil.errors import BadInput, Cancelled
from fairveil.frontier.frontier import Frontier
from fairveil.methods.task import Task
from fairveil.progress import Progress
from fairveil.release.release import Release
from fairveil.run.explore import explore_task, thinned
from fairveil.settings import Setting, current_names, shape_of
from fairveil.shapes import integer, record
from fairveil.studio.answers import Answer, Spec, State
from fairveil.studio.candidate_store import RunCandidates
from fairveil.studio.document import REQUEST, completed, current_parts, methods_of, need_source, plan_of
from fairveil.studio.history import now
from fairveil.studio.jobs import Job
from fairveil.studio.refusals import refusal_of, titled_note
from fairveil.studio.sessions import OpenSession

FORMAT = 1
MAX_MEASURED = 30
"""Maximum number of candidates per method for which measures that train models are computed."""
LIMIT = Setting("maximum number of candidates of each method", minimum=1, name="max_candidates", formerly="most")
"""The setting of a run that is not one of the document."""
INTERRUPTED = "the studio was stopped during this search; what it had found is kept: start it again for the rest"


class RunProgress(Answer):
    """How far a run is. `remaining` seconds are an estimate, null while there is none."""

    id: str
    state: State
    share: float
    doing: str
    seconds: float
    remaining: float | None
    found: int


class RunHead(RunProgress):
    """A run of one or several methods."""

    name: str
    note: str
    started: str
    methods: list[Spec]
    guards: list[Spec]
    measures: list[str]
    stale: bool
    failed: list[str]
    notes: list[str]
    error: str | None


@dataclass
class SavedRun:
    """A run as its file has it."""

    request: dict[str, Any]
    state: State = "interrupted"
    started: str = field(default_factory=now)
    seconds: float = 0.0
    failed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    error: str | None = None
    heights: dict[str, int] = field(default_factory=dict)
    candidates: RunCandidates = field(default_factory=RunCandidates)


_SHAPE = record({
    "format": integer(FORMAT, FORMAT),
    **{name: shape_of(hint) for name, hint in get_type_hints(SavedRun).items() if name != "candidates"},
    "found": record({name: shape_of(hint) for name, hint in get_type_hints(RunCandidates).items()}),
})  # fmt: skip


class Run(SavedRun):
    """One search with one or several methods."""

    def __init__(self, session: OpenSession, id: str, request: dict[str, Any], **saved: Any) -> None:
        super().__init__(request, **saved)
        self.session, self.id = session, id
        self.job: Job[None] | None = None
        self._frontiers: dict[int, Frontier] = {}
        self._saving = threading.RLock()

    def start(self, task: Task | None = None) -> None:
        """Start in the background with a `task` made from the request; a method's new candidates replace its earlier
        ones, which stay until then."""
        self.failed, self.notes, self.error, self._frontiers = [], [], None, {}
        self.state, self.started = "running", now()
        self.save()
        self.job = Job(self.id, "search", lambda progress: self._work(progress, task), Progress(on_found=self._add))

    def _add(self, records: list[Any]) -> None:
        """Save these candidates, and show them only then: what a page has seen survives a kill."""
        again = {place_of(str(record["candidate"])) for record in records}
        with self._saving:
            candidates = self.candidates.where(lambda called: place_of(called) not in again)
            candidates.add(records)
            self.save(candidates=candidates)
            self.candidates = candidates

    def _work(self, progress: Progress, task: Task | None) -> None:
        began = time.monotonic()
        try:
            self._search(progress, task)
            ended: State = "done"
        except Cancelled:
            ended = "cancelled"
        except BaseException as problem:
            ended, self.error = "failed", refusal_of(problem).sentence
        self.seconds = time.monotonic() - began
        try:
            self.save(ended)
        finally:
            self.state = ended  # set last: readers of the state rely on the saved file

    def task(self) -> Task:
        by_cell = all(method.declares_domains for method in methods_of(self.request["methods"]))
        data = None if by_cell else need_source(self.session, self.request)  # the table that is shown has types
        return plan_of(self.session, self.request, data).task()

    def _search(self, progress: Progress, task: Task | None) -> None:
        expensive = [name for name in self.request["measures"] if measures.get(name).cost != "summary"]
        task = task or self.task()
        self.heights = _heights(task)
        frontier = self._explore(task.reporting_to(progress.part(0.0, 0.5 if expensive else 1.0)))
        self.failed, self.notes = (
            [titled_note(text) for text in frontier.failed],
            [titled_note(text) for text in frontier.notes if text not in frontier.failed],
        )
        self._frontiers = {part.result.method_number: part for part in frontier.by_method()}
        for done, name in enumerate(expensive):
            progress.tell(0.5 + 0.5 * done / len(expensive), f"measuring {measures.get(name).title}")
            for part in self._frontiers.values():
                self._measure(part, name)
            self.save()

    def _measure(self, candidates: Frontier, name: str) -> None:
        """Compute an expensive measure for the best candidates of a method."""
        fewer = thinned(candidates, MAX_MEASURED)
        values = dict(zip(map(str, fewer.numbers), map(float, fewer.values(name)), strict=True))
        with self._saving, self.session.lock:
            self.candidates.put(name, values)

    def _explore(self, task: Task, only: int | None = None) -> Frontier:
        """Return the candidates of all methods, or of the one with a number, with all inexpensive measures."""
        applicable = [measure for measure in measures.MEASURES if not measure.lacks(task.schema)]
        return explore_task(
            task,
            methods_of(self.request["methods"]),
            [measure for measure in applicable if measure.cost == "summary"],
            max_candidates=self.request["max_candidates"],
            keep=self.session.folder_of("memory"),
            order=self.request["order"],
            only=only,
            interim=only is not None,
        )

    def measure(self, name: str) -> None:
        """Compute a further measure for the best candidates of each method."""
        for method_number in self.method_numbers:
            self._measure(self.frontier(method_number), name)
        self.save()

    @property
    def method_numbers(self) -> list[int]:
        """The numbers of the methods that found candidates."""
        return list(dict.fromkeys(map(place_of, self.candidates.number)))

    def frontier(self, method_number: int) -> Frontier:
        """Return the candidates of one method, by its number from 1; restored if this process did not search them."""
        with self.session.lock:
            if method_number in self._frontiers:
                return self._frontiers[method_number]
        frontier = self._explore(self.task(), only=method_number)
        with self.session.lock:
            if self.state != "running":  # what a method has found meanwhile is replaced again and again
                self._frontiers[method_number] = frontier
        return frontier

    def release(self, called: str) -> Release:
        frontier = self.frontier(place_of(called))
        return frontier.release(frontier.position_of(called))

    def progress(self) -> RunProgress:
        share, doing, seconds, remaining = float(self.state == "done"), "", self.seconds, None
        if self.job is not None and self.state == "running":
            share, doing, seconds = self.job.progress.share, self.job.progress.what, self.job.seconds
            if share > 0.02 and seconds > 0.5:
                remaining = round(seconds * (1 - share) / share, 1)
        found = len(self.candidates)
        return RunProgress(self.id, self.state, round(share, 4), doing, round(seconds, 2), remaining, found)

    def head(self) -> RunHead:
        document, request = self.session.document, self.request
        label = document["runs"].get(self.id, {"name": self.id, "note": ""})
        return RunHead(
            **vars(self.progress()), name=label["name"], note=label["note"], started=self.started,
            methods=request["methods"], guards=request["guards"], measures=request["measures"],
            stale=any(request[name] != document[name] for name in REQUEST),
            failed=self.failed, notes=self.notes, error=self.error,
        )  # fmt: skip

    def save(self, state: State | None = None, candidates: RunCandidates | None = None) -> None:
        if self.session.closed:  # its folder may be gone
            return
        with self._saving:
            with self.session.lock:
                saved = {entry.name: getattr(self, entry.name) for entry in fields(SavedRun)}
                current = saved.pop("candidates")
                kept = current if candidates is None else candidates
                content = {"format": FORMAT, **saved, "state": state or self.state, "found": vars(kept)}
                text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
            write_text(text, self.session.folder_of("runs") / f"{self.id}.json", private=True)


def place_of(called: str) -> int:
    """Return the number of the method that found a candidate."""
    return int(called.split(".", maxsplit=1)[0]) if "." in called else 1


def _heights(task: Task) -> dict[str, int]:
    """Return the height of each quasi column's hierarchy; where no record may decide on it, as far as it is given."""
    if task.levels:
        return {name: bound.height for name, bound in task.levels.items()}
    heights = {name: task.schema.hierarchy(name).height for name in task.schema.quasi}
    return {name: height for name, height in heights.items() if height is not None}


def read_runs(session: OpenSession) -> dict[str, Run]:
    """Return the saved runs of a session; one that was running is marked interrupted."""
    runs: dict[str, Run] = {}
    files = sorted((session.folder / "runs").glob("r*.json"), key=lambda path: (len(path.name), path.name))
    for path in files:
        try:
            content = _SHAPE(current_parts(shapes.from_json(shapes.read_bytes(path, "run"), "the run's file")), "")
            content["request"] = completed(current_names([LIMIT], content["request"], "the run"))
        except BadInput:  # damaged: ignored
            continue
        del content["format"]
        content["candidates"] = RunCandidates(**content.pop("found"))
        runs[path.stem] = Run(session, path.stem, **content)
        if content["state"] == "running":
            runs[path.stem].state, runs[path.stem].error = "interrupted", INTERRUPTED
    return runs
