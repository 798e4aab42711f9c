"""Runs: searches in the background. The request and the candidates of a run are files of the session.

A run keeps the part of the document that it was started with, so that later changes do not affect its candidates.
After a restart the candidates are read from its file; the method is restored when one of them is viewed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil import shapes
from fairveil.data.atomic import write_text
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.shapes import each, many, number, optional, record, text, whole
from fairveil.studio import api
from fairveil.studio.candidate_store import RunCandidates
from fairveil.studio.document import REQUEST, now
from fairveil.studio.jobs import Job

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.frontier.frontier import Frontier
    from fairveil.methods.task import Task
    from fairveil.release.release import Release
    from fairveil.run.request import Request
    from fairveil.studio.sessions import OpenSession

FORMAT = 1
MOST_MEASURED = 30
"""Maximum number of candidates per method for which measures that train models are computed."""


class Run:
    """One search with one or several methods."""

    def __init__(
        self, session: OpenSession, id: str, request: Mapping[str, Any], found: RunCandidates | None = None
    ) -> None:
        self.session, self.id, self.request = session, id, dict(request)
        self.found = found or RunCandidates()
        self.state: api.State = "interrupted"
        self.started, self.took = now(), 0.0
        self.failed: list[str] = []
        self.notes: list[str] = []
        self.error: str | None = None
        self.heights: dict[str, int] = {}
        self.job: Job[None] | None = None
        self._frontiers: dict[int, Frontier] = {}

    def start(self, task: Task | None = None) -> None:
        """Start in the background with a `task` made from the request; earlier candidates are discarded."""
        self.found, self.failed, self.notes, self.error = RunCandidates(), [], [], None
        self.state, self.started = "running", now()
        self.save()
        self.job = Job(self.id, "search", lambda progress: self._work(progress, task), Progress(on_found=self._add))

    def _add(self, records: list[Any]) -> None:
        with self.session.lock:
            self.found.add(records)

    def _work(self, progress: Progress, task: Task | None) -> None:
        began = time.monotonic()
        try:
            self._search(progress, task)
            ended: api.State = "done"
        except BaseException as problem:
            from fairveil.errors import Cancelled
            from fairveil.studio.faults import fault_of

            ended = "cancelled" if isinstance(problem, Cancelled) else "failed"
            self.error = None if ended == "cancelled" else fault_of(problem).sentence
        self.took = time.monotonic() - began
        try:
            if not self.session.closed:
                self.save(ended)
        finally:
            self.state = ended  # set last: readers of the state rely on the saved file

    def _search(self, progress: Progress, task: Task | None) -> None:
        from fairveil import measures

        long = [name for name in self.request["measures"] if measures.get(name).cost != "summary"]
        task = task or request_from(self.session, self.request).task()
        self.heights = _heights(task)
        frontier = self._explore(task.reporting_to(progress.part(0.0, 0.5 if long else 1.0)))
        self.failed, self.notes = list(frontier.failed), list(frontier.notes)
        self._frontiers = {part.result.place: part for part in frontier.by_method()}
        for done, name in enumerate(long):
            progress.tell(0.5 + 0.5 * done / len(long), f"measuring {name}")
            for part in self._frontiers.values():
                self._measure(part, name)

    def _measure(self, candidates: Frontier, name: str) -> None:
        """Compute an expensive measure for the best candidates of a method."""
        from fairveil.run.explore import thinned

        fewer = thinned(candidates, MOST_MEASURED)
        values = dict(zip(map(str, fewer.numbers), map(float, fewer.values(name)), strict=True))
        with self.session.lock:
            self.found.put(name, values)

    def _explore(self, task: Task, only: int | None = None) -> Frontier:
        """Return the candidates of all methods, or of the one at a place, with all inexpensive measures."""
        from fairveil import measures
        from fairveil.run.explore import explore_task
        from fairveil.studio.requests import methods_of

        known = [m for m in measures.MEASURES if task.schema.decision is not None or "decision" not in m.needs]
        return explore_task(
            task,
            methods_of(self.request["methods"]),
            [measure for measure in known if measure.cost == "summary"],
            most=self.request["most"],
            keep=self.session.folder_of("memory"),
            order=self.request["order"],
            only=only,
        )

    @property
    def schema(self) -> Schema:
        from fairveil.studio.requests import schema_of

        return schema_of(self.request)

    def measure(self, name: str) -> None:
        """Compute a further measure for the best candidates of each method."""
        for place in self.places:
            self._measure(self.frontier(place), name)
        self.save()

    @property
    def places(self) -> list[int]:
        """The places of the methods that found candidates."""
        return list(dict.fromkeys(map(place_of, self.found.number)))

    def frontier(self, place: int) -> Frontier:
        """Return the candidates of the method at a place (from 1); restored if this process did not search them."""
        with self.session.lock:
            if place in self._frontiers:
                return self._frontiers[place]
        frontier = self._explore(request_from(self.session, self.request).task(), only=place)
        with self.session.lock:
            self._frontiers[place] = frontier
        return frontier

    def release(self, called: str) -> Release:
        frontier = self.frontier(place_of(called))
        return frontier.release(frontier.position_of(called))

    def seconds(self) -> float:
        return self.job.seconds if self.job is not None and self.state == "running" else self.took

    def progress(self) -> api.RunProgress:
        running = self.job is not None and self.state == "running"
        share = self.job.progress.share if self.job is not None and running else float(self.state == "done")
        seconds = self.seconds()
        remaining = seconds * (1 - share) / share if running and share > 0.02 and seconds > 0.5 else None
        return {
            "id": self.id, "state": self.state, "share": round(share, 4),
            "doing": self.job.progress.what if self.job is not None and running else "", "seconds": round(seconds, 2),
            "remaining": None if remaining is None else round(remaining, 1), "found": len(self.found),
        }  # fmt: skip

    def head(self) -> api.RunHead:
        document = self.session.document
        label = document["runs"].get(self.id, {"name": self.id, "note": ""})
        return {
            **self.progress(), "name": label["name"], "note": label["note"], "started": self.started,
            "methods": self.request["methods"], "guards": self.request["guards"],
            "measures": self.request["measures"],
            "stale": any(self.request[name] != document[name] for name in REQUEST),
            "failed": self.failed, "notes": self.notes, "error": self.error,
        }  # fmt: skip

    def path(self) -> Path:
        return self.session.folder_of("runs") / f"{self.id}.json"

    def save(self, state: api.State | None = None) -> None:
        with self.session.lock:
            content = {
                "format": FORMAT, "request": self.request, "state": state or self.state, "started": self.started,
                "seconds": self.took, "failed": self.failed, "notes": self.notes, "error": self.error,
                "heights": self.heights, "found": self.found.to_dict(),
            }  # fmt: skip
            text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        write_text(text, self.path(), private=True)


def place_of(called: str) -> int:
    """Return the place of the method that found a candidate."""
    return int(called.split(".", maxsplit=1)[0]) if "." in called else 1


def requested(document: Mapping[str, Any], **further: Any) -> dict[str, Any]:
    """Return the part of the document that a search depends on."""
    return deepcopy({**{name: document[name] for name in REQUEST}, **further})


def request_from(session: OpenSession, document: Mapping[str, Any]) -> Request:
    """Return the request of a document, for the session's open data."""
    from fairveil.run.request import Origin, Request
    from fairveil.studio.requests import guards_of, methods_of, need_source, schema_of

    return Request(
        Origin(data=need_source(session, document)),
        tuple(guards_of(document["guards"])),
        schema_of(document),
        tuple(methods_of(document["methods"])),
        measures=tuple(document["measures"]),
        order=document["order"],
        seed=document["seed"],
    )


def _heights(task: Task) -> dict[str, int]:
    """Return the height of each quasi column's hierarchy, where it fits the data."""
    if task.levels:
        return {name: bound.height for name, bound in task.levels.items()}
    fitting = {}
    for name in task.schema.quasi:
        bound, problems = task.schema.hierarchy(name).try_bind(task.source.domain(name).domain)
        if not problems:
            fitting[name] = bound.height
    return fitting


_COLUMN = many(optional(number()))
_SHAPE = record({
    "format": whole(FORMAT, FORMAT), "request": record({}, more=True), "started": text, "seconds": number(),
    "state": shapes.choice("running", "done", "failed", "cancelled", "interrupted"), "failed": many(text),
    "notes": many(text), "error": optional(text), "heights": each(whole(0)),
    "found": record({"number": many(text), "method": many(whole(0)), "methods": many(text),
                     "false_values": many(text), "levels": each(_COLUMN),
                     "measures": each(_COLUMN)}),
})  # fmt: skip


def read_runs(session: OpenSession) -> dict[str, Run]:
    """Return the saved runs of a session; one that was running is marked interrupted."""
    runs: dict[str, Run] = {}
    files = sorted((session.folder / "runs").glob("r*.json"), key=lambda path: (len(path.name), path.name))
    for path in files:
        try:
            content = _SHAPE(shapes.from_json(shapes.read_bytes(path, "run"), "the run's file"), "")
        except BadInput:  # damaged: ignored
            continue
        run = Run(session, path.stem, content["request"], RunCandidates(**content["found"]))
        run.state = "interrupted" if content["state"] == "running" else content["state"]
        run.started, run.took, run.error = content["started"], content["seconds"], content["error"]
        run.failed, run.notes, run.heights = content["failed"], content["notes"], content["heights"]
        runs[path.stem] = run
    return runs
