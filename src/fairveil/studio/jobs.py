"""Jobs: long computations in the background, one thread each, with progress and cancellation."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fairveil.errors import Cancelled
from fairveil.messages import speaking
from fairveil.progress import Progress
from fairveil.progress_bars import silent
from fairveil.studio import api
from fairveil.studio.faults import fault_of, unknown
from fairveil.studio.field_names import STUDIO

if TYPE_CHECKING:
    from fairveil.studio.calls import Call

T = TypeVar("T")
MOST = 50
"""The maximum number of finished jobs whose answers a session keeps."""


class Job(Generic[T]):
    """A computation in its own thread, started at once. `answer` is its result, None until `state` is "done"."""

    def __init__(self, id: str, what: str, work: Callable[[Progress], T], progress: Progress | None = None) -> None:
        self.id, self.what = id, what
        self.progress = progress or Progress()
        self.state: api.State = "running"
        self.answer: T | None = None
        self.error: str | None = None
        self.began, self.ended = time.monotonic(), 0.0
        self._work = work
        self.thread = threading.Thread(target=self._run, name=f"studio-{id}", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        state: api.State = "done"
        try:
            with speaking(STUDIO), silent():
                self.answer = self._work(self.progress)
        except Cancelled:
            state = "cancelled"
        except BaseException as problem:  # nothing else catches exceptions of a thread
            state, self.error = "failed", fault_of(problem).sentence
        self.ended = time.monotonic()
        self.state = state

    @property
    def seconds(self) -> float:
        return (time.monotonic() if self.state == "running" else self.ended) - self.began

    def view(self) -> api.JobView[T]:
        done = self.state == "done"
        return {
            "id": self.id, "what": self.what, "state": self.state, "share": 1.0 if done else self.progress.share,
            "doing": self.progress.what, "seconds": round(self.seconds, 2), "error": self.error,
            "answer": self.answer if done else None,
        }  # fmt: skip


def started(call: Call, what: str, work: Callable[[Progress], T]) -> api.JobView[T]:
    """Start a job of the session, and drop the oldest finished ones."""
    session = call.session
    with session.lock:
        finished = [id for id, job in session.jobs.items() if job.state != "running"]
        for id in finished[: max(len(finished) - MOST, 0)]:
            del session.jobs[id]
        id = f"j{session.next_number('j')}"
        job = Job(id, what, work)
        session.jobs[id] = job
    job.thread.join(0.05)  # a short job is answered at once
    return job.view()


def _job(call: Call) -> Job[Any]:
    job = call.session.jobs.get(call.path["job"])
    if job is None:
        raise unknown("job", call.path["job"])
    return job


def show(call: Call) -> api.JobView[Any]:
    return _job(call).view()


def cancel(call: Call) -> api.JobView[Any]:
    job = _job(call)
    job.progress.cancel()
    job.thread.join(1.0)
    return job.view()
