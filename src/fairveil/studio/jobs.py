"""Jobs: long computations in the background, one thread each, with progress and cancellation."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Generic, TypeVar

from fairveil.errors import Cancelled
from fairveil.messages import speaking
from fairveil.progress import Progress
from fairveil.progress_bars import silent
from fairveil.studio.answers import Answer, State
from fairveil.studio.endpoints import endpoint
from fairveil.studio.refusals import STUDIO, refusal_of, unknown
from fairveil.studio.sessions import SEEN, OpenSession

T = TypeVar("T")
MAX_FINISHED = 50
"""Maximum number of finished jobs whose answers a session keeps."""


class JobView(Answer, Generic[T]):
    """A background job. `answer` is null until the job is done."""

    id: str
    what: str
    state: State
    share: float
    doing: str
    seconds: float
    error: str | None
    answer: T | None


class Job(Generic[T]):
    """A computation in its own thread, started at once. `answer` is its result, None until `state` is "done"."""

    def __init__(self, id: str, what: str, work: Callable[[Progress], T], progress: Progress | None = None) -> None:
        self.id, self.what = id, what
        self.progress = progress or Progress()
        self.state: State = "running"
        self.answer: T | None = None
        self.error: str | None = None
        self.began, self.ended = time.monotonic(), 0.0
        self._work = work
        context = copy_context()  # a job works on behalf of the window that started it, and has seen what it changes
        context.run(SEEN.set, None)
        self.thread = threading.Thread(target=context.run, args=(self._run,), name=f"studio-{id}", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        state: State = "done"
        try:
            with speaking(STUDIO), silent():
                self.answer = self._work(self.progress)
        except Cancelled:
            state = "cancelled"
        except BaseException as problem:  # nothing else catches exceptions of a thread
            state, self.error = "failed", refusal_of(problem).sentence
        self.ended = time.monotonic()
        self.state = state

    @property
    def seconds(self) -> float:
        return (time.monotonic() if self.state == "running" else self.ended) - self.began

    def stop(self, wait: float) -> None:
        """Cancel the job, and wait some seconds for its end."""
        self.progress.cancel()
        self.thread.join(wait)

    def view(self) -> JobView[T]:
        done, seconds = self.state == "done", round(self.seconds, 2)
        share, answer = (1.0, self.answer) if done else (self.progress.share, None)
        return JobView(self.id, self.what, self.state, share, self.progress.what, seconds, self.error, answer)


def started(session: OpenSession, what: str, work: Callable[[Progress], T]) -> JobView[T]:
    """Start a job of the session, and drop the oldest finished ones."""
    with session.lock:
        finished = [id for id, job in session.jobs.items() if job.state != "running"]
        for id in finished[: max(len(finished) - MAX_FINISHED, 0)]:
            del session.jobs[id]
        id = f"j{session.next_number('j')}"
        job = Job(id, what, work)
        session.jobs[id] = job
    job.thread.join(0.05)  # a short job is answered at once
    return job.view()


@endpoint("GET", "/jobs/{job}")
def show(session: OpenSession, job: str) -> JobView[Any]:
    if job not in session.jobs:
        raise unknown("job", job)
    return session.jobs[job].view()


@endpoint("POST", "/jobs/{job}/cancel")
def cancel(session: OpenSession, job: str) -> JobView[Any]:
    show(session, job)
    session.jobs[job].stop(1.0)
    return show(session, job)
